salloc --account=def-myself --nodes=1 --ntasks=1 --cpus-per-task=11 --mem=46G --gpus-per-node=t4:1 --time=1:00:00

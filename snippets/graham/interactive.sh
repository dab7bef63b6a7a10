salloc --account=def-myself --nodes=1 --ntasks=1 --cpus-per-task=16 --mem=62G --gpus-per-node=p100:1 --time=1:00:00

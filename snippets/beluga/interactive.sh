salloc --account=def-myself --nodes=1 --ntasks=1 --cpus-per-task=10 --mem=46G \
    --gpus-per-node=v100:1 --time=1:00:00

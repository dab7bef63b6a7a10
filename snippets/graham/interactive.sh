salloc --account=def-myself --nodes=1 --ntasks=1 --cpus-per-task=4 --mem=32G \
    --gpus-per-node=t4:1 --time=1:00:00

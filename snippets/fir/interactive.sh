salloc --account=def-myself --nodes=1 --ntasks=1 --cpus-per-task=12 --mem=280G \
    --gpus-per-node=h100:1 --time=1:00:00

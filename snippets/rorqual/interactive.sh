salloc --account=def-myself --nodes=1 --ntasks=1 --cpus-per-task=16 --mem=124G \
    --gpus-per-node=h100:1 --time=1:00:00

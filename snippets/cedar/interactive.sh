salloc --account=def-myself --nodes=1 --ntasks=1 --cpus-per-task=8 --mem=46G \
    --gpus-per-node=v100l:1 --time=1:00:00

salloc --account=def-myself --nodes=1 --ntasks=1 --cpus-per-task=@GPU_CORES@ --mem=@GPU_MEMORY@ \
    --gpus-per-node=@GPU@:1 --time=1:00:00

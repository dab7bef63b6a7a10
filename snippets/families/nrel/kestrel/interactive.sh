salloc --account=myproject --partition=debug --nodes=1 --ntasks=1 \
    --cpus-per-task=32 --mem=80G --gpus=h100:1 --time=01:00:00

srun --account=project_462000123 --partition=dev-g --nodes=1 --ntasks=1 \
    --cpus-per-task=7 --mem=60G --gpus-per-node=1 --time=00:15:00 --pty bash

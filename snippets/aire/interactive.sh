srun --partition=gpu --nodes=1 --ntasks=1 --cpus-per-task=8 --mem=79G \
    --gres=gpu:1 --time=01:00:00 --pty bash

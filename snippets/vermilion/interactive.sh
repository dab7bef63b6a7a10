srun --account=myproject --partition=gpu --nodes=1 --ntasks=1 \
    --cpus-per-task=30 --mem=106G --gres=gpu:1 --time=01:00:00 --pty bash

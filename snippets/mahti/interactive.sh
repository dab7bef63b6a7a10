srun --account=project_2001234 --partition=gputest --ntasks=1 \
    --cpus-per-task=32 --gres=gpu:a100:1 --time=00:15:00 --pty bash

srun --account=project_2001234 --partition=gputest --nodes=1 --ntasks=1 \
    --cpus-per-task=72 --gres=gpu:gh200:1 --time=00:15:00 --pty bash

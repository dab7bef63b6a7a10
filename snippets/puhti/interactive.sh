srun --account=project_2001234 --partition=gputest --ntasks=1 \
    --cpus-per-task=10 --mem=93G --gres=gpu:v100:1 --time=00:15:00 --pty bash

ijob --account=mygroup --partition=interactive --cpus-per-task=8 --mem=30G \
    --gres=gpu:rtx3090:1 --time=01:00:00

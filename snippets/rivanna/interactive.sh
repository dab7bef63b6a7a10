ijob --account=mygroup --partition=gpu --cpus-per-task=16 --mem=110G --gres=gpu:a100:1 --time=01:00:00

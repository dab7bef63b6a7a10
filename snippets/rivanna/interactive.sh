ijob --account=mygroup --partition=gpu --cpus-per-task=12 --mem=120G --gres=gpu:a40:1 --time=01:00:00

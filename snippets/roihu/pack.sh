#!/bin/bash -l
#SBATCH --job-name=pack
#SBATCH --account=project_2001234
#SBATCH --partition=gpumedium
#SBATCH --nodes=1
#SBATCH --ntasks=4
#SBATCH --cpus-per-task=72
#SBATCH --gres=gpu:gh200:4
#SBATCH --time=01:00:00
#SBATCH --output=%x-%j.out

set -euo pipefail
module load python-pytorch/2.10

# Put your own program here. Twelve runs share four GPUs, one run on each at a time:
for number in {0..11}; do
    srun --exact --ntasks=1 --cpus-per-task=72 --gres=gpu:gh200:1 --mem=0 \
        --output="run-$number.out" python3 sweep.py "$number" &
done
wait

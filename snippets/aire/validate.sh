#!/bin/bash -l
#SBATCH --job-name=validate
#SBATCH --partition=gpu
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=8
#SBATCH --mem=79G
#SBATCH --gres=gpu:1
#SBATCH --time=01:00:00
#SBATCH --output=%x-%j.out

set -euo pipefail
export PATH="$HOME/.conda/envs/pytorch-gpu/bin:$PATH"
export PYTHONPATH="$PWD/packages"  # for the tests; see CONTRIBUTING.md
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"

srun python3 -m pytest -m gpu snippets/programs
srun python3 -m scripts.measure

#!/bin/bash -l
#SBATCH --job-name=validate
#SBATCH --account=project_2001234
#SBATCH --partition=gpumedium
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=72
#SBATCH --gres=gpu:gh200:1
#SBATCH --time=01:00:00
#SBATCH --output=%x-%j.out

set -euo pipefail
module load python-pytorch/2.10
export PYTHONPATH="$PWD/packages"  # for the tests; see CONTRIBUTING.md
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"

srun python3 -m pytest -m gpu snippets/programs
srun python3 -m scripts.measure

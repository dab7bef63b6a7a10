#!/bin/bash -l
#SBATCH --job-name=one-gpu
#SBATCH --account=project_2001234
#SBATCH --partition=gpumedium
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=72
#SBATCH --gres=gpu:gh200:1
#SBATCH --time=00:15:00
#SBATCH --output=%x-%j.out

set -euo pipefail
module load python-pytorch/2.10
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"

srun python3 check_gpu.py --expect 1
# Put your own program here:
srun python3 matmul.py --device gpu

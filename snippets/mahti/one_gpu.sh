#!/bin/bash -l
#SBATCH --job-name=one-gpu
#SBATCH --account=project_2001234
#SBATCH --partition=gpusmall
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=32
#SBATCH --gres=gpu:a100:1
#SBATCH --time=00:15:00
#SBATCH --output=%x-%j.out

set -euo pipefail
module load pytorch/2.9
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"

srun python3 check_gpu.py --expect 1
srun python3 matmul.py --device gpu

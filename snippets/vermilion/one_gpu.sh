#!/bin/bash -l
#SBATCH --job-name=one-gpu
#SBATCH --account=myproject
#SBATCH --partition=gpu
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=30
#SBATCH --mem=106G
#SBATCH --gres=gpu:1
#SBATCH --time=00:15:00
#SBATCH --output=%x-%j.out

set -euo pipefail
export PATH="/projects/myproject/pytorch-gpu/bin:$PATH"
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"

srun python3 check_gpu.py --expect 1
srun python3 matmul.py --device gpu

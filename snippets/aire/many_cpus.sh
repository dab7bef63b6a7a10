#!/bin/bash -l
#SBATCH --job-name=many-cpus
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=64
#SBATCH --mem=128G
#SBATCH --time=00:15:00
#SBATCH --output=%x-%j.out

set -euo pipefail
export PATH="$HOME/.conda/envs/pytorch-gpu/bin:$PATH"
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"
export OMP_NUM_THREADS="$SLURM_CPUS_PER_TASK"

# Put your own program here:
srun python3 matmul.py --device cpu

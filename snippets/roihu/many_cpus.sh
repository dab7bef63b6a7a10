#!/bin/bash -l
#SBATCH --job-name=many-cpus
#SBATCH --account=project_2001234
#SBATCH --partition=small
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=64
#SBATCH --mem=64G
#SBATCH --time=00:15:00
#SBATCH --output=%x-%j.out

set -euo pipefail
# Your own environment, created on roihu-cpu:
export PATH="/projappl/project_2001234/pytorch-cpu/bin:$PATH"
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"
export OMP_NUM_THREADS="$SLURM_CPUS_PER_TASK"

# Put your own program here:
srun python3 matmul.py --device cpu

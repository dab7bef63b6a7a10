#!/bin/bash -l
#SBATCH --job-name=many-cpus
#SBATCH --account=project_2001234
#SBATCH --partition=medium
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=128
#SBATCH --time=00:15:00
#SBATCH --output=%x-%j.out

set -euo pipefail
module load pytorch/2.9
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"
export OMP_NUM_THREADS="$SLURM_CPUS_PER_TASK"

srun python3 matmul.py --device cpu

#!/bin/bash -l
#SBATCH --job-name=sweep
#SBATCH --account=project_2001234
#SBATCH --partition=gpumedium
#SBATCH --array=0-11%4
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=72
#SBATCH --gres=gpu:gh200:1
#SBATCH --time=00:15:00
#SBATCH --output=%x-%A-%a.out

set -euo pipefail
module load python-pytorch/2.10
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"

# Put your own program here. Its argument is the number of the run:
srun python3 sweep.py "$SLURM_ARRAY_TASK_ID"

#!/bin/bash -l
#SBATCH --job-name=array
#SBATCH --partition=gpu
#SBATCH --array=1-4
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=8
#SBATCH --mem=79G
#SBATCH --gres=gpu:1
#SBATCH --time=00:15:00
#SBATCH --output=%x-%A-%a.out

set -euo pipefail
export PATH="$HOME/.conda/envs/pytorch-gpu/bin:$PATH"
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"

# Put your own program here. The number is the job's index in the array:
srun python3 matmul.py --device gpu --size "$((2048 * SLURM_ARRAY_TASK_ID))"

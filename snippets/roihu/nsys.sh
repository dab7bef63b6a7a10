#!/bin/bash -l
#SBATCH --job-name=nsys
#SBATCH --account=project_2001234
#SBATCH --partition=gputest
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=72
#SBATCH --gres=gpu:gh200:1
#SBATCH --time=00:10:00
#SBATCH --output=%x-%j.out

set -euo pipefail
module load cuda
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"

# Put your own program here, built on this cluster with nvcc:
srun --argos=no nsys profile --trace=cuda,nvtx --output=report ./my_program

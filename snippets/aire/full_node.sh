#!/bin/bash -l
#SBATCH --job-name=full-node
#SBATCH --partition=gpu
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=24
#SBATCH --mem=237G
#SBATCH --gres=gpu:3
#SBATCH --time=00:15:00
#SBATCH --output=%x-%j.out

set -euo pipefail
export PATH="$HOME/.conda/envs/pytorch-gpu/bin:$PATH"
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"
export OMP_NUM_THREADS="$((SLURM_CPUS_PER_TASK / 3))"

# Put your own program here, one written for several GPUs:
srun torchrun --standalone --nproc-per-node=3 all_gpus.py

#!/bin/bash -l
#SBATCH --job-name=several-gpus
#SBATCH --partition=gpu
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=16
#SBATCH --mem=158G
#SBATCH --gres=gpu:2
#SBATCH --time=00:15:00
#SBATCH --output=%x-%j.out

set -euo pipefail
export PATH="$HOME/.conda/envs/pytorch-gpu/bin:$PATH"
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"
export OMP_NUM_THREADS="$((SLURM_CPUS_PER_TASK / 2))"

srun python3 check_gpu.py --expect 2
# Put your own program here, one written for several GPUs:
srun torchrun --standalone --nproc-per-node=2 all_gpus.py

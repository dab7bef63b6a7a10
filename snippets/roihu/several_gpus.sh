#!/bin/bash -l
#SBATCH --job-name=several-gpus
#SBATCH --account=project_2001234
#SBATCH --partition=gpumedium
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=144
#SBATCH --gres=gpu:gh200:2
#SBATCH --time=00:15:00
#SBATCH --output=%x-%j.out

set -euo pipefail
module load python-pytorch/2.10
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"
export OMP_NUM_THREADS="$((SLURM_CPUS_PER_TASK / 2))"

srun python3 check_gpu.py --expect 2
# Put your own program here, one written for several GPUs:
srun torchrun --standalone --nproc-per-node=2 all_gpus.py

#!/bin/bash -l
#SBATCH --job-name=full-node
#SBATCH --account=myproject
#SBATCH --partition=@GPU_PARTITION@
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=@NODE_CORES@
#SBATCH --mem=@NODE_MEMORY@
#SBATCH @REQUEST@:4
#SBATCH --time=00:15:00
#SBATCH --output=%x-%j.out

set -euo pipefail
export PATH="/projects/myproject/pytorch-gpu/bin:$PATH"
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"
export OMP_NUM_THREADS="$((SLURM_CPUS_PER_TASK / 4))"

# Put your own program here, one written for several GPUs:
srun torchrun --standalone --nproc-per-node=4 all_gpus.py

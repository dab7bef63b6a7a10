#!/bin/bash -l
#SBATCH --job-name=more-nodes
#SBATCH --account=myproject
#SBATCH --partition=@GPU_PARTITION@
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=@NODE_CORES@
#SBATCH --mem=@NODE_MEMORY@
#SBATCH @NODE_REQUEST@:4
#SBATCH --time=00:15:00
#SBATCH --output=%x-%j.out

set -euo pipefail
export PATH="/projects/myproject/pytorch-gpu/bin:$PATH"
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"
export OMP_NUM_THREADS="$((SLURM_CPUS_PER_TASK / 4))"
first_node="$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)"

# Put your own program here, one written for several nodes:
srun torchrun --nnodes="$SLURM_NNODES" --nproc-per-node=4 --rdzv-backend=c10d \
    --rdzv-id="$SLURM_JOB_ID" --rdzv-endpoint="$first_node:29500" all_gpus.py

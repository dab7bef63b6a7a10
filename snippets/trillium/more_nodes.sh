#!/bin/bash -l
#SBATCH --job-name=more-nodes
#SBATCH --account=def-myself
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=4
#SBATCH --time=00:15:00
#SBATCH --output=%x-%j.out

set -euo pipefail
module load StdEnv/2023 python/3.12
export PATH="$HOME/env/bin:$PATH"
export OMP_NUM_THREADS=24
first_node="$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)"

# Put your own program here, one written for several nodes:
srun torchrun --nnodes="$SLURM_NNODES" --nproc-per-node=4 --rdzv-backend=c10d \
    --rdzv-id="$SLURM_JOB_ID" --rdzv-endpoint="$first_node:29500" all_gpus.py

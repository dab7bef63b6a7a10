#!/bin/bash -l
#SBATCH --job-name=more-nodes
#SBATCH --account=mygroup
#SBATCH --partition=gpu
#SBATCH --constraint=gpupod
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=128
#SBATCH --mem=976G
#SBATCH --gres=gpu:a100:8
#SBATCH --time=00:15:00
#SBATCH --output=%x-%j.out

set -euo pipefail
module purge
module load apptainer pytorch/2.9.0
image="$CONTAINERDIR/pytorch-2.9.0.sif"
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"
export OMP_NUM_THREADS="$((SLURM_CPUS_PER_TASK / 8))"
first_node="$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)"

# Put your own program here, one written for several nodes:
srun apptainer exec --nv "$image" torchrun --nnodes="$SLURM_NNODES" \
    --nproc-per-node=8 --rdzv-backend=c10d \
    --rdzv-id="$SLURM_JOB_ID" --rdzv-endpoint="$first_node:29500" all_gpus.py

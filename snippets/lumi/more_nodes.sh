#!/bin/bash -l
#SBATCH --job-name=more-nodes
#SBATCH --account=project_462000123
#SBATCH --partition=standard-g
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=56
#SBATCH --gpus-per-node=8
#SBATCH --time=00:15:00
#SBATCH --output=%x-%j.out

set -euo pipefail
module purge
module use /appl/local/laifs/modules
module load lumi-aif-singularity-bindings
image=/appl/local/laifs/containers/lumi-multitorch-latest.sif
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"
export OMP_NUM_THREADS="$((SLURM_CPUS_PER_TASK / 8))"
first_node="$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)"

# Put your own program here, one written for several nodes:
srun singularity run "$image" torchrun --nnodes="$SLURM_NNODES" \
    --nproc-per-node=8 --numa-binding=exclusive --rdzv-backend=c10d \
    --rdzv-id="$SLURM_JOB_ID" --rdzv-endpoint="$first_node:29500" all_gpus.py

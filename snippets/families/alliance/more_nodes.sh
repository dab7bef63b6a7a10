#!/bin/bash -l
#SBATCH --job-name=more-nodes
#SBATCH --account=def-myself
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=@NODE_CORES@
#SBATCH --mem=@NODE_MEMORY@
#SBATCH --gpus-per-node=@GPU@:@NODE_GPUS@
#SBATCH --time=00:15:00
#SBATCH --output=%x-%j.out

set -euo pipefail
module load python/3.12
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"
# Each node needs an environment of its own:
srun bash -e << 'EOF'
virtualenv --no-download "$SLURM_TMPDIR/env"
source "$SLURM_TMPDIR/env/bin/activate"
pip install --no-index torch numpy
EOF
source "$SLURM_TMPDIR/env/bin/activate"
export OMP_NUM_THREADS="$((SLURM_CPUS_PER_TASK / @NODE_GPUS@))"
first_node="$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)"

# Put your own program here, one written for several nodes:
srun torchrun --nnodes="$SLURM_NNODES" --nproc-per-node=@NODE_GPUS@ --rdzv-backend=c10d \
    --rdzv-id="$SLURM_JOB_ID" --rdzv-endpoint="$first_node:29500" all_gpus.py

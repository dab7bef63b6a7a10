#!/bin/bash -l
#SBATCH --job-name=one-gpu
#SBATCH --account=def-myself
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=@GPU_CORES@
#SBATCH --mem=@GPU_MEMORY@
#SBATCH --gpus-per-node=@GPU@:1
#SBATCH --time=00:15:00
#SBATCH --output=%x-%j.out

set -euo pipefail
module load python/3.11
virtualenv --no-download "$SLURM_TMPDIR/env"
source "$SLURM_TMPDIR/env/bin/activate"
pip install --no-index torch numpy
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"

srun python3 check_gpu.py --expect 1
srun python3 matmul.py --device gpu

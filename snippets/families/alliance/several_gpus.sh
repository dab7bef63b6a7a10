#!/bin/bash -l
#SBATCH --job-name=several-gpus
#SBATCH --account=def-myself
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=@TWO_GPUS_CORES@
#SBATCH --mem=@TWO_GPUS_MEMORY@
#SBATCH --gpus-per-node=@GPU@:2
#SBATCH --time=00:15:00
#SBATCH --output=%x-%j.out

set -euo pipefail
module load python/3.12
virtualenv --no-download "$SLURM_TMPDIR/env"
source "$SLURM_TMPDIR/env/bin/activate"
pip install --no-index torch numpy
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"
export OMP_NUM_THREADS="$((SLURM_CPUS_PER_TASK / 2))"

srun python3 check_gpu.py --expect 2
# Put your own program here, one written for several GPUs:
srun torchrun --standalone --nproc-per-node=2 all_gpus.py

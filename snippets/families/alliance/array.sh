#!/bin/bash -l
#SBATCH --job-name=array
#SBATCH --account=def-myself
#SBATCH --array=1-4
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=@GPU_CORES@
#SBATCH --mem=@GPU_MEMORY@
#SBATCH --gpus-per-node=@GPU@:1
#SBATCH --time=00:15:00
#SBATCH --output=%x-%A-%a.out

set -euo pipefail
module load python/3.12
virtualenv --no-download "$SLURM_TMPDIR/env"
source "$SLURM_TMPDIR/env/bin/activate"
pip install --no-index torch numpy
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"

# Put your own program here. The number is the job's index in the array:
srun python3 matmul.py --device gpu --size "$((2048 * SLURM_ARRAY_TASK_ID))"

#!/bin/bash -l
#SBATCH --job-name=stage-data
#SBATCH --account=def-myself
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=@GPU_CORES@
#SBATCH --mem=@GPU_MEMORY@
#SBATCH --gpus-per-node=@GPU@:1
#SBATCH --time=00:15:00
#SBATCH --output=%x-%j.out

set -euo pipefail
module load python/3.12
virtualenv --no-download "$SLURM_TMPDIR/env"
source "$SLURM_TMPDIR/env/bin/activate"
pip install --no-index torch numpy
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"

tar -xf data.tar -C "$SLURM_TMPDIR"  # unpacks the folder data
mkdir "$SLURM_TMPDIR/results"

# Put your own program here. It must read and write on the local disk:
srun python3 read_files.py "$SLURM_TMPDIR/data" \
    | tee "$SLURM_TMPDIR/results/files.txt"

cp -r "$SLURM_TMPDIR/results" "results-$SLURM_JOB_ID"  # anything else is lost

#!/bin/bash -l
#SBATCH --job-name=stage-data
#SBATCH --account=myproject
#SBATCH --partition=@GPU_PARTITION@
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=@GPU_CORES@
#SBATCH --mem=@GPU_MEMORY@
#SBATCH @REQUEST@:1
#SBATCH --time=00:15:00
#SBATCH --output=%x-%j.out

set -euo pipefail
export PATH="/projects/myproject/pytorch-gpu/bin:$PATH"
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"

tar -xf data.tar -C "$TMPDIR"  # unpacks the folder data
mkdir "$TMPDIR/results"

# Put your own program here. It must read and write on the local disk:
srun python3 read_files.py "$TMPDIR/data" | tee "$TMPDIR/results/files.txt"

cp -r "$TMPDIR/results" "results-$SLURM_JOB_ID"  # anything else is lost

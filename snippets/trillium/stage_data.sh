#!/bin/bash -l
#SBATCH --job-name=stage-data
#SBATCH --account=def-myself
#SBATCH --nodes=1
#SBATCH --gpus-per-node=1
#SBATCH --time=00:15:00
#SBATCH --output=%x-%j.out

set -euo pipefail
module load StdEnv/2023 python/3.12
export PATH="$HOME/env/bin:$PATH"

tar -xf data.tar -C "$SLURM_TMPDIR"  # in memory; unpacks the folder data
mkdir "$SLURM_TMPDIR/results"

# Put your own program here. It must read and write on the local disk:
python3 read_files.py "$SLURM_TMPDIR/data" | tee "$SLURM_TMPDIR/results/files.txt"

cp -r "$SLURM_TMPDIR/results" "results-$SLURM_JOB_ID"  # anything else is lost

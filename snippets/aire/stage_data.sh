#!/bin/bash -l
#SBATCH --job-name=stage-data
#SBATCH --partition=gpu
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=8
#SBATCH --mem=79G
#SBATCH --gres=gpu:1
#SBATCH --time=00:15:00
#SBATCH --output=%x-%j.out

set -euo pipefail
export PATH="$HOME/.conda/envs/pytorch-gpu/bin:$PATH"
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"

tar -xf data.tar -C "$TMP_LOCAL"  # unpacks the folder data
mkdir "$TMP_LOCAL/results"

# Put your own program here. It must read and write on the local disk:
srun python3 read_files.py "$TMP_LOCAL/data" | tee "$TMP_LOCAL/results/files.txt"

cp -r "$TMP_LOCAL/results" "results-$SLURM_JOB_ID"  # anything else is lost

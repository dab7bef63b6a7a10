#!/bin/bash -l
#SBATCH --job-name=stage-data
#SBATCH --account=project_462000123
#SBATCH --partition=small-g
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=7
#SBATCH --mem=60G
#SBATCH --gpus-per-node=1
#SBATCH --time=00:15:00
#SBATCH --output=%x-%j.out

set -euo pipefail
module purge
module use /appl/local/laifs/modules
module load lumi-aif-singularity-bindings
image=/appl/local/laifs/containers/lumi-multitorch-latest.sif
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"

work="/tmp/$SLURM_JOB_ID"  # in memory: these files count toward --mem
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/results"
tar -xf data.tar -C "$work"  # unpacks the folder data

# Put your own program here. It must read and write on the local disk:
srun singularity run "$image" python3 read_files.py "$work/data" \
    | tee "$work/results/files.txt"

cp -r "$work/results" "results-$SLURM_JOB_ID"  # anything else is lost

#!/bin/bash -l
#SBATCH --job-name=validate
#SBATCH --account=project_462000123
#SBATCH --partition=small-g
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=7
#SBATCH --mem=60G
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
#SBATCH --output=%x-%j.out

set -euo pipefail
module purge
module use /appl/local/laifs/modules
module load lumi-aif-singularity-bindings
export PYTHONPATH="$PWD/packages"  # for the tests; see CONTRIBUTING.md
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"

srun singularity run /appl/local/laifs/containers/lumi-multitorch-latest.sif python3 -m pytest -m gpu snippets/programs
srun singularity run /appl/local/laifs/containers/lumi-multitorch-latest.sif python3 -m scripts.measure

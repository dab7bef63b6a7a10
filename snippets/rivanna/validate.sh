#!/bin/bash -l
#SBATCH --job-name=validate
#SBATCH --account=mygroup
#SBATCH --partition=gpu
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=16
#SBATCH --mem=122G
#SBATCH --gres=gpu:a100:1
#SBATCH --time=01:00:00
#SBATCH --output=%x-%j.out

set -euo pipefail
module purge
module load apptainer pytorch/2.9.0
export PYTHONPATH="$PWD/packages${PYTHONPATH:+:$PYTHONPATH}"  # for the tests; see CONTRIBUTING.md
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"

srun apptainer run --nv "$CONTAINERDIR/pytorch-2.9.0.sif" -m pytest -m gpu snippets/programs
srun apptainer run --nv "$CONTAINERDIR/pytorch-2.9.0.sif" -m scripts.measure

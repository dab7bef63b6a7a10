#!/bin/bash -l
#SBATCH --job-name=validate
#SBATCH --account=myproject
#SBATCH --partition=@GPU_PARTITION@
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=@GPU_CORES@
#SBATCH --mem=@GPU_MEMORY@
#SBATCH @REQUEST@:1
#SBATCH --time=01:00:00
#SBATCH --output=%x-%j.out

set -euo pipefail
export PATH="/projects/myproject/pytorch-gpu/bin:$PATH"
export PYTHONPATH="$PWD/packages"  # for the tests; see CONTRIBUTING.md
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"

srun python3 -m pytest -m gpu snippets/programs
srun python3 -m scripts.measure

#!/bin/bash -l
#SBATCH --job-name=validate
#SBATCH --account=def-myself
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=@GPU_CORES@
#SBATCH --mem=@GPU_MEMORY@
#SBATCH --gpus-per-node=@GPU@:1
#SBATCH --time=01:00:00
#SBATCH --output=%x-%j.out

set -euo pipefail
module load python/3.12
virtualenv --no-download "$SLURM_TMPDIR/env"
source "$SLURM_TMPDIR/env/bin/activate"
pip install --no-index torch numpy
export PYTHONPATH="$PWD/packages${PYTHONPATH:+:$PYTHONPATH}"  # for the tests; see CONTRIBUTING.md
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"

srun python3 -m pytest -m gpu snippets/programs
srun python3 -m scripts.measure

#!/bin/bash -l
#SBATCH --job-name=many-cpus
#SBATCH --account=def-myself
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=192
#SBATCH --time=00:15:00
#SBATCH --output=%x-%j.out

set -euo pipefail
module load StdEnv/2023 python/3.12
export PATH="$HOME/env/bin:$PATH"
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"
export OMP_NUM_THREADS="$SLURM_CPUS_PER_TASK"

# Put your own program here:
srun python3 matmul.py --device cpu

#!/bin/bash -l
#SBATCH --job-name=many-cpus
#SBATCH --account=myproject
#SBATCH --partition=@CPU_PARTITION@
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=@CPUS@
#SBATCH --mem=@CPUS_MEMORY@
#SBATCH --time=00:15:00
#SBATCH --output=%x-%j.out

set -euo pipefail
export PATH="/projects/myproject/pytorch-gpu/bin:$PATH"
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"
export OMP_NUM_THREADS="$SLURM_CPUS_PER_TASK"

# Put your own program here:
srun python3 matmul.py --device cpu

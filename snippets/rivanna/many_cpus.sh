#!/bin/bash -l
#SBATCH --job-name=many-cpus
#SBATCH --account=mygroup
#SBATCH --partition=standard
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=40
#SBATCH --mem=64G
#SBATCH --time=00:15:00
#SBATCH --output=%x-%j.out

set -euo pipefail
module purge
module load apptainer pytorch/2.9.0
image="$CONTAINERDIR/pytorch-2.9.0.sif"
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"
export OMP_NUM_THREADS="$SLURM_CPUS_PER_TASK"

# Put your own program here:
srun apptainer run "$image" matmul.py --device cpu

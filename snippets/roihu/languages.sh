#!/bin/bash -l
#SBATCH --job-name=languages
#SBATCH --account=project_2001234
#SBATCH --partition=gpumedium
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=72
#SBATCH --gres=gpu:gh200:1
#SBATCH --time=00:15:00
#SBATCH --output=%x-%j.out

set -euo pipefail
module purge
module load nvhpc/26.3
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"

nvc++ -mp=gpu -gpu=cc90 axpy_openmp.cpp -o axpy_openmp
nvfortran -acc -gpu=cc90 axpy_openacc.f90 -o axpy_openacc
srun ./axpy_openmp
srun ./axpy_openacc

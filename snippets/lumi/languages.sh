#!/bin/bash -l
#SBATCH --job-name=languages
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
module load PrgEnv-cray craype-accel-amd-gfx90a rocm
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"

CC -fopenmp axpy_openmp.cpp -o axpy_openmp
CC -xhip axpy.hip.cpp -o axpy_hip
ftn -hacc axpy_openacc.f90 -o axpy_openacc
srun ./axpy_openmp
srun ./axpy_hip
srun ./axpy_openacc

#!/bin/bash -l
#SBATCH --job-name=full-node
#SBATCH --account=project_462000123
#SBATCH --partition=standard-g
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=56
#SBATCH --gpus-per-node=8
#SBATCH --time=00:15:00
#SBATCH --output=%x-%j.out

set -euo pipefail
module purge
module use /appl/local/laifs/modules
module load lumi-aif-singularity-bindings
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"
export OMP_NUM_THREADS="$((SLURM_CPUS_PER_TASK / 8))"

srun singularity run /appl/local/laifs/containers/lumi-multitorch-latest.sif torchrun --standalone --numa-binding=exclusive --nproc-per-node=8 all_gpus.py

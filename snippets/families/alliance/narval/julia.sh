#!/bin/bash -l
#SBATCH --job-name=julia
#SBATCH --account=def-myself
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=@GPU_CORES@
#SBATCH --mem=@GPU_MEMORY@
#SBATCH --gpus-per-node=@GPU@:1
#SBATCH --time=00:15:00
#SBATCH --output=%x-%j.out

set -euo pipefail
module load cuda/12.9 julia/1.11.3
export JULIA_DEPOT_PATH="/project/def-myself/$USER/julia:${JULIA_DEPOT_PATH:-}"
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"

# Put your own program here:
srun julia axpy.jl

#!/bin/bash -l
#SBATCH --job-name=share-gpu
#SBATCH --account=def-myself
#SBATCH --nodes=1
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
#SBATCH --output=%x-%j.out

set -euo pipefail
module load StdEnv/2023 python/3.12
export PATH="$HOME/env/bin:$PATH"
export OMP_NUM_THREADS=6 # a quarter of the GPU's share of the cores

# MPS: the kernels of several processes run on the GPU at the same time.
export CUDA_MPS_PIPE_DIRECTORY="$SLURM_TMPDIR/mps"
export CUDA_MPS_LOG_DIRECTORY="$SLURM_TMPDIR/mps-log"
mkdir -p "$CUDA_MPS_PIPE_DIRECTORY" "$CUDA_MPS_LOG_DIRECTORY"
nvidia-cuda-mps-control -d

# Put your own program here. Twelve runs, four of them at a time:
seq 0 11 | xargs --max-args=1 --max-procs=4 python3 sweep.py
echo quit | nvidia-cuda-mps-control

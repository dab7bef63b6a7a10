#!/bin/bash -l
#SBATCH --job-name=full-node
#SBATCH --account=def-myself
#SBATCH --nodes=1
#SBATCH --gpus-per-node=4
#SBATCH --time=00:15:00
#SBATCH --output=%x-%j.out

set -euo pipefail
module load StdEnv/2023 python/3.12
export PATH="$HOME/env/bin:$PATH"
export OMP_NUM_THREADS=24

# Put your own program here, one written for several GPUs:
torchrun --standalone --nproc-per-node=4 all_gpus.py

#!/bin/bash -l
#SBATCH --job-name=one-gpu
#SBATCH --account=def-myself
#SBATCH --nodes=1
#SBATCH --gpus-per-node=1
#SBATCH --time=00:15:00
#SBATCH --output=%x-%j.out

set -euo pipefail
module load StdEnv/2023 python/3.12
export PATH="$HOME/env/bin:$PATH"

python3 check_gpu.py --expect 1
# Put your own program here:
python3 matmul.py --device gpu

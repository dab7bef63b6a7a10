#!/bin/bash -l
#SBATCH --job-name=array
#SBATCH --account=def-myself
#SBATCH --array=1-4
#SBATCH --nodes=1
#SBATCH --gpus-per-node=1
#SBATCH --time=00:15:00
#SBATCH --output=%x-%A-%a.out

set -euo pipefail
module load StdEnv/2023 python/3.12
export PATH="$HOME/env/bin:$PATH"

# Put your own program here. The number is the job's index in the array:
python3 matmul.py --device gpu --size "$((2048 * SLURM_ARRAY_TASK_ID))"

#!/bin/bash -l
# Put this below the directives of a job script. While the program
# runs, it logs a line for each GPU every 10 seconds.
set -euo pipefail

nvidia-smi --query-gpu=timestamp,index,utilization.gpu,memory.used,power.draw \
    --format=csv --loop=10 > "gpu-$SLURM_JOB_ID.csv" &
logger=$!
trap 'kill "$logger"' EXIT

python3 matmul.py --device gpu

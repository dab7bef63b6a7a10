#!/bin/bash -l
# Below the directives of a job script: a line for each GPU every 10 seconds, while
# the program runs.
set -euo pipefail

nvidia-smi --query-gpu=timestamp,index,utilization.gpu,memory.used,power.draw \
    --format=csv --loop=10 > "gpu-$SLURM_JOB_ID.csv" &
logger=$!
trap 'kill "$logger"' EXIT

python3 matmul.py --device gpu

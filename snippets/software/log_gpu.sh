#!/bin/bash -l
# Copy the lines from nvidia-smi to trap into your job script, above the line that
# starts your program. They log a line for each GPU every 10 seconds.
set -euo pipefail

nvidia-smi --query-gpu=timestamp,index,utilization.gpu,memory.used,power.draw \
    --format=csv --loop=10 > "gpu-$SLURM_JOB_ID.csv" &
logger=$!
trap 'kill "$logger"' EXIT

python3 matmul.py --device gpu

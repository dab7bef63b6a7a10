#!/bin/bash -l
# Put this below the directives of a job script. Trackers then write only local files.
set -euo pipefail

export WANDB_MODE=offline WANDB_DIR="$PWD/wandb-$SLURM_JOB_ID"
mkdir -p "$WANDB_DIR"
export MLFLOW_TRACKING_URI="sqlite:///$PWD/mlflow-$SLURM_JOB_ID.db"

python3 train.py

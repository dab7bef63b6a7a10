#!/bin/bash -l
# Below the directives of a job script:
set -eo pipefail # no -u here: what some packages run on activation reads unset variables
module load miniforge/24.7.1
eval "$(conda shell.bash hook)"
conda activate torch-gpu

python3 check_gpu.py --expect 1

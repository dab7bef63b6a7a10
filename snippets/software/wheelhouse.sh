#!/bin/bash -l
# Below the directives of a job script on an Alliance cluster:
set -euo pipefail
module load python/3.12

# A new environment for each job, on the node's own disk. The versions are fixed, so
# that every job gets the same.
virtualenv --no-download "$SLURM_TMPDIR/env"
export PATH="$SLURM_TMPDIR/env/bin:$PATH"
pip install --no-index --upgrade pip
pip install --no-index --requirement requirements.txt

python3 check_gpu.py --expect 1

#!/bin/bash -l
# Put these lines below the directives of a job script on an Alliance cluster:
set -euo pipefail
module load python/3.12

# Create an environment for each job, on the node's own disk. The versions are pinned,
# so that every job gets the same ones.
virtualenv --no-download "$SLURM_TMPDIR/env"
export PATH="$SLURM_TMPDIR/env/bin:$PATH"
pip install --no-index --upgrade pip
pip install --no-index --requirement requirements.txt

python3 check_gpu.py --expect 1

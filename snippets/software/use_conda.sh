#!/bin/bash -l
# Put these lines below the directives of a job script:
set -euo pipefail
export PATH="/projects/myproject/pytorch-gpu/bin:$PATH"

python3 check_gpu.py --expect 1

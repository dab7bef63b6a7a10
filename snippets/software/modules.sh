#!/bin/bash -l
# Put these lines below the directives of a job script:
set -euo pipefail # before the module lines, so that a missing module ends the job
module load python-pytorch/2.10

python3 check_gpu.py --expect 1

#!/bin/bash -l
# Put these lines below the directives of a job script.
# On AMD GPUs, replace --nv with --rocm.
set -euo pipefail
module load apptainer

apptainer exec --nv pytorch.sif python3 check_gpu.py --expect 1
apptainer exec --nv pytorch.sif python3 matmul.py --device gpu

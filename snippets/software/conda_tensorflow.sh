#!/bin/bash -l
# Run this once, on a login node, and keep it to rebuild the environment later.
set -euo pipefail
environment="${1:?name its directory, for example: /projects/myproject/tensorflow-gpu}"

export CONDA_OVERRIDE_CUDA=12.0 # the driver of the GPU nodes runs CUDA 12 programs

conda create --yes --prefix "$environment" --override-channels --channel conda-forge \
    python=3.12 tensorflow-gpu numpy pandas matplotlib

# The build string must contain cuda. Otherwise, grep fails, and so does this script.
conda list --prefix "$environment" --full-name tensorflow | grep cuda

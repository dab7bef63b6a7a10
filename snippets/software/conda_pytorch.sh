#!/bin/bash -l
# Run this once, on a login node, and keep it to rebuild the environment later.
set -euo pipefail
environment="${1:?name its directory, for example: /projects/myproject/pytorch-gpu}"

# On a login node without a GPU, conda does not know the CUDA version. This line states
# that the driver of the GPU nodes runs CUDA 12 programs.
export CONDA_OVERRIDE_CUDA=12.0

# Install all packages in one step, so that their versions are compatible.
conda create --yes --prefix "$environment" --override-channels --channel conda-forge \
    python=3.12 pytorch-gpu torchvision numpy pandas matplotlib

# The build string must contain cuda. Otherwise, grep fails, and so does this script.
conda list --prefix "$environment" --full-name pytorch | grep cuda

#!/bin/bash -l
# Run this once, on a login node; keep it, for it also rebuilds the environment.
set -euo pipefail
environment="${1:?say where to make it, such as /projects/myproject/pytorch-gpu}"

# A login node without a GPU tells conda nothing about CUDA, so this line does:
# "the driver of the GPU nodes runs CUDA 12 programs".
export CONDA_OVERRIDE_CUDA=12.0

# Everything the work needs in one go, so that the versions fit together.
conda create --yes --prefix "$environment" --override-channels --channel conda-forge \
    python=3.12 pytorch-gpu torchvision numpy pandas matplotlib

# The build string must say cuda. If it does not, grep fails, and so does this script.
conda list --prefix "$environment" --full-name pytorch | grep cuda

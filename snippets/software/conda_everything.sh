#!/bin/bash -l
# Everything that this guide's programs need. Run this once, on a login node, and keep
# it to rebuild the environment later.
set -euo pipefail
environment="${1:?name its directory, for example: /projects/myproject/everything}"

export CONDA_OVERRIDE_CUDA=12.0 # the driver of the GPU nodes runs CUDA 12 programs

# cuda-version keeps all packages on CUDA 12, so that they share its libraries.
conda create --yes --prefix "$environment" --override-channels --channel conda-forge \
    python=3.12 cuda-version=12 pytorch-gpu torchvision numba numba-cuda cupy \
    jax "jaxlib=*=*cuda*" threadpoolctl nvidia-ml-py numpy pandas matplotlib ipykernel \
    transformers peft

# The build string must contain cuda. Otherwise, grep fails, and so does this script.
conda list --prefix "$environment" --full-name pytorch | grep cuda

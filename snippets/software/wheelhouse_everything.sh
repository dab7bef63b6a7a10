#!/bin/bash -l
# Everything that this guide's programs need. Run this once, on an Alliance login node.
set -euo pipefail
environment="${1:?name its directory, for example: /home/you/everything}"
module load python/3.12

virtualenv --no-download "$environment"
export PATH="$environment/bin:$PATH"
pip install --no-index --upgrade pip
pip install --no-index torch torchvision numba numba-cuda cupy jax \
    threadpoolctl nvidia-ml-py numpy pandas matplotlib ipykernel \
    transformers peft
python3 check_gpu.py

#!/bin/bash -l
# Run this once, on a login node; keep it, for it also rebuilds the environment.
set -euo pipefail

export CONDA_OVERRIDE_CUDA=12.0 # the GPU nodes' driver runs CUDA 12 programs

conda create --yes --name tf-gpu --override-channels --channel conda-forge \
    python=3.12 tensorflow-gpu numpy pandas matplotlib

# The build string must say cuda. If it does not, grep fails, and so does this script.
conda list --name tf-gpu --full-name tensorflow | grep cuda

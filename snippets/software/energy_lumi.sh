#!/bin/bash -l
# Below the directives of a job script that has a whole LUMI node to itself:
set -euo pipefail
export PATH="/appl/local/csc/soft/ai/bin:$PATH"

gpu-energy --save
python3 matmul.py --device gpu
gpu-energy --diff

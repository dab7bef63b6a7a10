#!/bin/bash -l
# Run this once, on a login node, with a Python that your PyTorch supports.
set -euo pipefail
environment="${1:?name its directory, for example: /projects/myproject/pytorch-pip}"

python3 -m venv "$environment"
export PATH="$environment/bin:$PATH"
pip install --upgrade pip
pip install torch torchvision numpy pandas matplotlib

# Keep this list: pip install --requirement pytorch-pip.txt installs the same versions.
pip freeze > pytorch-pip.txt
python3 check_gpu.py

#!/bin/bash -l
# Run this once, on a login node with a Python that PyTorch supports.
set -euo pipefail

environment="$HOME/environments/torch-gpu"
python3 -m venv "$environment"
"$environment/bin/pip" install --upgrade pip
"$environment/bin/pip" install torch torchvision numpy pandas matplotlib

# The same versions again, on the day you need them: pip install --requirement torch-gpu.txt
"$environment/bin/pip" freeze > torch-gpu.txt
"$environment/bin/python3" check_gpu.py

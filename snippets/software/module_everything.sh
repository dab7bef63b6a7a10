#!/bin/bash -l
# Keep the PyTorch in Roihu's module, and add packages that the module lacks. Run this
# once, on a GPU login node.
set -euo pipefail
environment="${1:?name its directory, such as /projappl/project_2001234/everything}"
module load python-pytorch/2.10

python3 -m venv --system-site-packages "$environment"
export PATH="$environment/bin:$PATH"
# Do not replace the module's own packages.
python3 -m pip list --format=freeze \
    | grep -E '^(torch|torchvision|numpy|nvidia-[a-z0-9-]+)==' > module-has.txt
# Numba and CuPy must match the CUDA version of the module's PyTorch: 12 or 13.
cuda=$(python3 -c 'import torch; print(torch.version.cuda.split(".")[0])')
python3 -m pip install --constraint module-has.txt \
    numba "numba-cuda[cu$cuda]" "cupy-cuda${cuda}x" \
    threadpoolctl nvidia-ml-py pandas matplotlib ipykernel transformers peft
python3 check_gpu.py

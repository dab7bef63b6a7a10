#!/bin/bash -l
# Keep the PyTorch in LUMI's container, and add packages that the container lacks. Run
# this once, on a login node.
set -euo pipefail
environment="${1:?name its directory, such as /project/project_462000123/everything}"
module purge
module use /appl/local/laifs/modules
module load lumi-aif-singularity-bindings
image=/appl/local/laifs/containers/lumi-multitorch-latest.sif
unset PYTHONPATH
export PYTHONNOUSERSITE=1 # otherwise packages in ~/.local would count as installed

singularity run "$image" python3 -m venv --system-site-packages "$environment"
singularity run "$image" "$environment/bin/python3" -m pip install \
    jax threadpoolctl pandas matplotlib ipykernel transformers peft
singularity run "$image" "$environment/bin/python3" check_gpu.py

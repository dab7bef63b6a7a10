#!/bin/bash -l
# Put these lines below the #SBATCH lines of a job that has a full LUMI node:
set -euo pipefail
module purge
module use /appl/local/laifs/modules
module load lumi-aif-singularity-bindings
image=/appl/local/laifs/containers/lumi-multitorch-latest.sif

/appl/local/csc/soft/ai/bin/gpu-energy --save
singularity run "$image" python3 matmul.py --device gpu
/appl/local/csc/soft/ai/bin/gpu-energy --diff

#!/bin/bash -l
#SBATCH --job-name=validate
#SBATCH --account=def-myself
#SBATCH --nodes=1
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
#SBATCH --output=%x-%j.out

set -euo pipefail
module load StdEnv/2023 python/3.12
export PATH="$HOME/env/bin:$PATH"
export PYTHONPATH="$PWD/packages${PYTHONPATH:+:$PYTHONPATH}"  # for the tests; see CONTRIBUTING.md

python3 -m pytest -m gpu snippets/programs
python3 -m scripts.measure

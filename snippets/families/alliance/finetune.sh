#!/bin/bash -l
#SBATCH --job-name=finetune
#SBATCH --account=def-myself
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=@GPU_CORES@
#SBATCH --mem=@GPU_MEMORY@
#SBATCH --gpus-per-node=@GPU@:1
#SBATCH --time=04:00:00
#SBATCH --output=%x-%j.out

set -euo pipefail
module load python/3.12
virtualenv --no-download "$SLURM_TMPDIR/env"
source "$SLURM_TMPDIR/env/bin/activate"
pip install --no-index torch transformers peft
export HF_HOME="$SCRATCH/huggingface"
export HF_HUB_OFFLINE=1 # the model was downloaded on a login node
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"

# Put your own program here:
srun python3 finetune.py Qwen/Qwen3-8B text.txt

#!/bin/bash -l
#SBATCH --job-name=finetune
#SBATCH --account=project_2001234
#SBATCH --partition=gpumedium
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=72
#SBATCH --gres=gpu:gh200:1
#SBATCH --time=04:00:00
#SBATCH --output=%x-%j.out

set -euo pipefail
module load python-pytorch/2.10
export PATH="/projappl/project_2001234/everything/bin:$PATH" # has PEFT
export HF_HOME=/scratch/project_2001234/$USER/huggingface
export HF_HUB_OFFLINE=1 # the model was downloaded on a login node
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"

# Put your own program here:
srun python3 finetune.py Qwen/Qwen3-8B text.txt

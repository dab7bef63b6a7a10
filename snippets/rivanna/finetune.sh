#!/bin/bash -l
#SBATCH --job-name=finetune
#SBATCH --account=mygroup
#SBATCH --partition=gpu
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=16
#SBATCH --mem=122G
#SBATCH --gres=gpu:a100:1
#SBATCH --time=04:00:00
#SBATCH --output=%x-%j.out

set -euo pipefail
module purge
export PATH="$HOME/everything/bin:$PATH" # the container has no PEFT
export HF_HOME=/scratch/$USER/huggingface
export HF_HUB_OFFLINE=1 # the model was downloaded on a login node
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"

# Put your own program here:
srun python3 finetune.py Qwen/Qwen3-8B text.txt

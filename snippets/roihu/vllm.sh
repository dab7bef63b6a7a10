#!/bin/bash -l
#SBATCH --job-name=vllm
#SBATCH --account=project_2001234
#SBATCH --partition=gpumedium
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=72
#SBATCH --gres=gpu:gh200:1
#SBATCH --time=01:00:00
#SBATCH --output=%x-%j.out

set -euo pipefail
module load python-vllm/0.19.1
export HF_HOME=/scratch/project_2001234/$USER/huggingface
export HF_HUB_OFFLINE=1 # the model was downloaded on a login node
export VLLM_CACHE_ROOT=/scratch/project_2001234/$USER/vllm
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"

# Put your own program here:
srun python3 -m vllm.entrypoints.openai.run_batch \
    --model Qwen/Qwen3-8B --max-model-len 8192 \
    -i prompts.jsonl -o results.jsonl

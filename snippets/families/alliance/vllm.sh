#!/bin/bash -l
#SBATCH --job-name=vllm
#SBATCH --account=def-myself
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=@GPU_CORES@
#SBATCH --mem=@GPU_MEMORY@
#SBATCH --gpus-per-node=@GPU@:1
#SBATCH --time=01:00:00
#SBATCH --output=%x-%j.out

set -euo pipefail
module load opencv/4.13 python/3.13
virtualenv --no-download "$SLURM_TMPDIR/env"
source "$SLURM_TMPDIR/env/bin/activate"
pip install --no-index vllm
export HF_HOME="$SCRATCH/huggingface"
export HF_HUB_OFFLINE=1 # the model was downloaded on a login node
export VLLM_CACHE_ROOT="$SLURM_TMPDIR/vllm"
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"

# Put your own program here:
srun python3 -m vllm.entrypoints.openai.run_batch \
    --model Qwen/Qwen3-8B --max-model-len 8192 \
    -i prompts.jsonl -o results.jsonl

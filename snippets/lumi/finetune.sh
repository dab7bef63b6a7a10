#!/bin/bash -l
#SBATCH --job-name=finetune
#SBATCH --account=project_462000123
#SBATCH --partition=small-g
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=7
#SBATCH --mem=60G
#SBATCH --gpus-per-node=1
#SBATCH --time=04:00:00
#SBATCH --output=%x-%j.out

set -euo pipefail
module purge
module use /appl/local/laifs/modules
module load lumi-aif-singularity-bindings
containers=/appl/local/laifs/containers
version=u24r70f21m50t210-20260415_130625 # the dated image has PEFT
image=$containers/lumi-multitorch-$version/lumi-multitorch-full-$version.sif
export HF_HOME=/scratch/project_462000123/$USER/huggingface
export HF_HUB_OFFLINE=1 # the model was downloaded on a login node
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"

# Put your own program here:
srun singularity run "$image" python3 finetune.py Qwen/Qwen3-8B text.txt

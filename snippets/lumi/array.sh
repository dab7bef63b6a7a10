#!/bin/bash -l
#SBATCH --job-name=array
#SBATCH --account=project_462000123
#SBATCH --partition=small-g
#SBATCH --array=1-4
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=7
#SBATCH --mem=60G
#SBATCH --gpus-per-node=1
#SBATCH --time=00:15:00
#SBATCH --output=%x-%A-%a.out

set -euo pipefail
module purge
module use /appl/local/laifs/modules
module load lumi-aif-singularity-bindings
image=/appl/local/laifs/containers/lumi-multitorch-latest.sif
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"

# Put your own program here. The number is the job's index in the array:
srun singularity run "$image" python3 matmul.py --device gpu \
    --size "$((2048 * SLURM_ARRAY_TASK_ID))"

#!/bin/bash -l
#SBATCH --job-name=array
#SBATCH --account=mygroup
#SBATCH --partition=gpu
#SBATCH --array=1-4
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=16
#SBATCH --mem=122G
#SBATCH --gres=gpu:a100:1
#SBATCH --time=00:15:00
#SBATCH --output=%x-%A-%a.out

set -euo pipefail
module purge
module load apptainer pytorch/2.9.0
image="$CONTAINERDIR/pytorch-2.9.0.sif"
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"

# Put your own program here. The number is the job's index in the array:
srun apptainer run --nv "$image" matmul.py --device gpu \
    --size "$((2048 * SLURM_ARRAY_TASK_ID))"

#!/bin/bash -l
#SBATCH --job-name=one-gpu
#SBATCH --account=mygroup
#SBATCH --partition=gpu
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=16
#SBATCH --mem=122G
#SBATCH --gres=gpu:a100:1
#SBATCH --time=00:15:00
#SBATCH --output=%x-%j.out

set -euo pipefail
module purge
module load apptainer pytorch/2.9.0
image="$CONTAINERDIR/pytorch-2.9.0.sif"
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"

srun apptainer run --nv "$image" check_gpu.py --expect 1
# Put your own program here:
srun apptainer run --nv "$image" matmul.py --device gpu

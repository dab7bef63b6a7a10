#!/bin/bash -l
#SBATCH --job-name=several-gpus
#SBATCH --account=mygroup
#SBATCH --partition=gpu
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=32
#SBATCH --mem=244G
#SBATCH --gres=gpu:a100:2
#SBATCH --time=00:15:00
#SBATCH --output=%x-%j.out

set -euo pipefail
module purge
module load apptainer pytorch/2.9.0
image="$CONTAINERDIR/pytorch-2.9.0.sif"
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"
export OMP_NUM_THREADS="$((SLURM_CPUS_PER_TASK / 2))"

srun apptainer run --nv "$image" check_gpu.py --expect 2
# Put your own program here, one written for several GPUs:
srun apptainer exec --nv "$image" torchrun \
    --standalone --nproc-per-node=2 all_gpus.py

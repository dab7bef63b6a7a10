#!/bin/bash -l
#SBATCH --job-name=scaling
#SBATCH --account=project_2001234
#SBATCH --partition=gpumedium
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=288
#SBATCH --gres=gpu:gh200:4
#SBATCH --time=01:00:00
#SBATCH --output=%x-%j.out

set -euo pipefail
module load python-pytorch/2.10
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"
export OMP_NUM_THREADS=72 # the same cores per GPU in every run

steps=40000 # on one GPU; every run trains on the same number of samples
# Put your own program here, one written for several GPUs:
for gpus in 1 2 4 1 2 4 1 2 4; do # three runs of each
    start=$SECONDS
    srun torchrun --standalone --nproc-per-node="$gpus" \
        all_gpus.py --steps "$((steps / gpus))"
    echo "$gpus $((SECONDS - start))" >>"times-$SLURM_JOB_ID.txt"
done
python3 scaling_table.py "times-$SLURM_JOB_ID.txt"

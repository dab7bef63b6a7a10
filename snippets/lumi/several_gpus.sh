#!/bin/bash -l
#SBATCH --job-name=several-gpus
#SBATCH --account=project_462000123
#SBATCH --partition=small-g
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=14
#SBATCH --mem=120G
#SBATCH --gpus-per-node=2
#SBATCH --time=00:15:00
#SBATCH --output=%x-%j.out

set -euo pipefail
module purge
module use /appl/local/laifs/modules
module load lumi-aif-singularity-bindings
image=/appl/local/laifs/containers/lumi-multitorch-latest.sif
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"
export OMP_NUM_THREADS="$((SLURM_CPUS_PER_TASK / 2))"

srun singularity run "$image" python3 check_gpu.py --expect 2
# Put your own program here, one written for several GPUs:
srun singularity run "$image" torchrun --standalone --nproc-per-node=2 all_gpus.py

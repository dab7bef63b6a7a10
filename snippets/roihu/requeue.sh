#!/bin/bash -l
#SBATCH --job-name=requeue
#SBATCH --account=project_2001234
#SBATCH --partition=gpumedium
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=72
#SBATCH --gres=gpu:gh200:1
#SBATCH --time=00:15:00
#SBATCH --signal=B:USR1@300
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=%x-%j.out

set -euo pipefail
module load python-pytorch/2.10
export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"

again() {
    echo "time is nearly over: requeuing the job"
    kill -USR1 "$program" # srun passes USR1 on, but on TERM it kills its tasks
    wait "$program" || true # the program saves its state
    scontrol requeue "$SLURM_JOB_ID"
}
trap again USR1

# Put your own program here. It must resume from what it saved:
srun python3 checkpoint.py &
program=$!
wait "$program"

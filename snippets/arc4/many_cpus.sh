#!/bin/bash -l
#$ -N many-cpus
#$ -S /bin/bash
#$ -cwd
#$ -j y
#$ -o many-cpus.$JOB_ID.out
#$ -l h_rt=00:15:00
#$ -pe smp 40
#$ -l h_vmem=4G

set -euo pipefail
export PATH="$HOME/.conda/envs/pytorch-gpu/bin:$PATH"
unset GOMP_CPU_AFFINITY KMP_AFFINITY  # the scheduler's values interfere with OpenMP
export OMP_NUM_THREADS="$NSLOTS"

python3 matmul.py --device cpu

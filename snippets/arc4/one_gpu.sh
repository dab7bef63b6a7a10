#!/bin/bash -l
#$ -N one-gpu
#$ -S /bin/bash
#$ -cwd
#$ -j y
#$ -o one-gpu.$JOB_ID.out
#$ -l h_rt=00:15:00
#$ -l coproc_v100=1
#$ -m be

set -euo pipefail
export PATH="$HOME/.conda/envs/pytorch-gpu/bin:$PATH"
unset GOMP_CPU_AFFINITY KMP_AFFINITY  # the scheduler's values interfere with OpenMP

nvidia-smi
python3 check_gpu.py --expect 1
python3 matmul.py --device gpu

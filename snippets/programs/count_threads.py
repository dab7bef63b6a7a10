"""How many cores does this job have, and how many threads will each library start?"""

import os

granted = len(os.sched_getaffinity(0))  # the cores that this process may use
# Slurm sets its variable only if the job sets --cpus-per-task.
asked = os.environ.get("SLURM_CPUS_PER_TASK") or os.environ.get("NSLOTS")
threads = int(asked or granted)
# Set this before importing NumPy, because its linear algebra reads it only once.
os.environ.setdefault("OMP_NUM_THREADS", str(threads))

import numpy  # noqa: F401
import torch
from threadpoolctl import threadpool_info

torch.set_num_threads(threads)  # an int, because a string is rejected

print(f"Cores on the machine:    {os.cpu_count()}")
print(f"Cores for this process:  {granted}")
print(f"Requested by the job:    {asked or 'not set'}")
print(f"Threads of PyTorch:      {torch.get_num_threads()}")
for pool in threadpool_info():
    if pool["user_api"] == "blas":
        print(
            f"Threads of NumPy's BLAS: {pool['num_threads']} ({pool['internal_api']})"
        )

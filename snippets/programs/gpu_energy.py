"""Run a command, and print how much energy each NVIDIA GPU used meanwhile."""

import os
import subprocess
import sys
import time

import pynvml  # installed as nvidia-ml-py

command = sys.argv[1:] or sys.exit("Add a command: gpu_energy.py python3 train.py")


def energy(gpu):
    """In mJ, or None: a slice of a GPU has no counter of its own."""
    try:
        return pynvml.nvmlDeviceGetTotalEnergyConsumption(gpu)
    except (pynvml.NVMLError_NotSupported, pynvml.NVMLError_NoPermission):
        return None


numbers = []
try:
    pynvml.nvmlInit()
    numbers = list(range(pynvml.nvmlDeviceGetCount()))
except (pynvml.NVMLError_LibraryNotFound, pynvml.NVMLError_DriverNotLoaded):
    print("There is no NVIDIA driver here, so no energy is measured.", flush=True)
mine = os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",")
if all(number.isdigit() for number in mine):  # some sites show all GPUs of the node
    numbers = [number for number in numbers if str(number) in mine]
gpus = [pynvml.nvmlDeviceGetHandleByIndex(number) for number in numbers]

before, began = [energy(gpu) for gpu in gpus], time.perf_counter()
status = subprocess.run(command).returncode
seconds = time.perf_counter() - began
for number, gpu, start in zip(numbers, gpus, before):
    after = energy(gpu)
    if start is not None and after is not None:
        joules = (after - start) / 1000
        used = f"{joules / 3600:.4f} Wh in {seconds:.1f} s: {joules / seconds:.0f} W"
        print(f"GPU {number}, {pynvml.nvmlDeviceGetName(gpu)}: {used} on average")
sys.exit(status)

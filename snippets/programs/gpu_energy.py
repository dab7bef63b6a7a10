"""Read power, energy, use and memory of each NVIDIA GPU from NVML."""

import argparse
import sys
import time

import pynvml  # installed as nvidia-ml-py

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--seconds", type=float, default=10, help="how long to watch")
seconds = parser.parse_args().seconds

try:
    pynvml.nvmlInit()
except (pynvml.NVMLError_LibraryNotFound, pynvml.NVMLError_DriverNotLoaded):
    print("There is no NVIDIA driver here, so there is nothing to read.")
    sys.exit(0)


def read(function, gpu):
    """What NVML says, or None: a slice of a GPU has no counters of its own."""
    try:
        return function(gpu)
    except (pynvml.NVMLError_NotSupported, pynvml.NVMLError_NoPermission):
        return None


gpus = [
    pynvml.nvmlDeviceGetHandleByIndex(n) for n in range(pynvml.nvmlDeviceGetCount())
]
before = [read(pynvml.nvmlDeviceGetTotalEnergyConsumption, gpu) for gpu in gpus]  # mJ
time.sleep(seconds)
for n, (gpu, start) in enumerate(zip(gpus, before)):
    print(f"GPU {n}, {pynvml.nvmlDeviceGetName(gpu)}")
    if memory := read(pynvml.nvmlDeviceGetMemoryInfo, gpu):
        print(f"  memory in use: {memory.used / 2**30:.1f} GiB")
    if busy := read(pynvml.nvmlDeviceGetUtilizationRates, gpu):
        print(f"  a kernel ran {busy.gpu} % of the time")
    after = read(pynvml.nvmlDeviceGetTotalEnergyConsumption, gpu)
    if start is not None and after is not None:
        joules = (after - start) / 1000
        power = joules / seconds
        print(f"  {joules / 3600:.4f} Wh in {seconds:g} s: {power:.0f} W on average")

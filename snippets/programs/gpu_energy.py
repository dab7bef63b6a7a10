"""Read power, energy, use and memory of each NVIDIA GPU from NVML."""
# test: --seconds 1
import argparse
import sys
import time

import pynvml

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--seconds", type=float, default=10, help="how long to watch")
seconds = parser.parse_args().seconds

try:
    pynvml.nvmlInit()
except pynvml.NVMLError_LibraryNotFound:
    print("There is no NVIDIA driver here, so there is nothing to read.")
    sys.exit(0)

gpus = [pynvml.nvmlDeviceGetHandleByIndex(n) for n in range(pynvml.nvmlDeviceGetCount())]
before = [pynvml.nvmlDeviceGetTotalEnergyConsumption(gpu) for gpu in gpus]  # mJ
time.sleep(seconds)
for n, (gpu, start) in enumerate(zip(gpus, before)):
    joules = (pynvml.nvmlDeviceGetTotalEnergyConsumption(gpu) - start) / 1000
    memory = pynvml.nvmlDeviceGetMemoryInfo(gpu).used / 2**30
    try:
        busy = f"a kernel ran {pynvml.nvmlDeviceGetUtilizationRates(gpu).gpu} % of the time"
    except pynvml.NVMLError_NotSupported:  # a MIG slice has no such counter
        busy = "no utilisation on a slice"
    print(f"GPU {n}, {pynvml.nvmlDeviceGetName(gpu)}: {memory:.1f} GiB in use, {busy},")
    print(f"  {joules / 3600:.4f} Wh in {seconds:g} s, {joules / seconds:.0f} W on average")

"""Read power, energy, utilisation and memory of each NVIDIA GPU from NVML while something runs."""
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

gpus = [pynvml.nvmlDeviceGetHandleByIndex(index) for index in range(pynvml.nvmlDeviceGetCount())]
before = [pynvml.nvmlDeviceGetTotalEnergyConsumption(gpu) for gpu in gpus]  # mJ since the driver was loaded
time.sleep(seconds)
for index, (gpu, start) in enumerate(zip(gpus, before)):
    joules = (pynvml.nvmlDeviceGetTotalEnergyConsumption(gpu) - start) / 1000
    memory = pynvml.nvmlDeviceGetMemoryInfo(gpu)
    print(f"GPU {index}, {pynvml.nvmlDeviceGetName(gpu)}: {joules / 3600:.4f} Wh in {seconds:g} s, {joules / seconds:.0f} W on average, "
          f"{pynvml.nvmlDeviceGetUtilizationRates(gpu).gpu} % of the time a kernel ran, {memory.used / 2**30:.1f} GiB in use")

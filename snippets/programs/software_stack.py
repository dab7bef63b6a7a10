"""What is this job's software stack, and does the driver fit the build?"""

import ctypes
import platform

import torch


def driver_runs() -> int:
    """The newest CUDA that the driver supports: 12040 is 12.4, and 0 is no driver."""
    version = ctypes.c_int()
    try:
        ctypes.CDLL("libcuda.so.1").cuDriverGetVersion(ctypes.byref(version))
    except OSError:
        return 0
    return version.value


def dotted(version: int) -> str:
    return f"{version // 1000}.{version % 1000 // 10}"


gpu, build, driver = "none that PyTorch can use", "CPU only", driver_runs()
if torch.cuda.is_available():
    gpu = torch.cuda.get_device_name()
if torch.version.cuda:
    build = f"CUDA {torch.version.cuda}, cuDNN {torch.backends.cudnn.version()}"
elif torch.version.hip:
    build = f"ROCm {torch.version.hip}"

print("GPU:", gpu)
print("NVIDIA driver:", f"up to CUDA {dotted(driver)}" if driver else "none here")
print(f"Framework: PyTorch {torch.__version__}, built for: {build}")
print(f"Python: {platform.python_version()} on {platform.machine()}")
needed = 1000 * int((torch.version.cuda or "0").split(".")[0])
if 0 < driver < needed:
    raise SystemExit("The driver is too old. Use a build for an older CUDA.")

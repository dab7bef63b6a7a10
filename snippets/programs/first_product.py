"""How fast is a matrix multiplication?"""

import time

import torch

n, times = 2048, 10
gpu = torch.cuda.is_available()  # also true for AMD GPUs
device = "cuda" if gpu else "cpu"
wait = torch.cuda.synchronize if gpu else lambda: None

a = torch.randn(n, n, device=device)  # create it where it is used
a @ a  # warm up: the first call also loads libraries
wait()  # until the GPU has finished
start = time.perf_counter()
for _ in range(times):
    a @ a
wait()
seconds = (time.perf_counter() - start) / times
rate = 2 * n**3 / seconds / 1e12
print(f"{seconds * 1e3:.2f} ms on {device}, {rate:.2f} TFLOP/s")

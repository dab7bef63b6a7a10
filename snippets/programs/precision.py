"""Multiply the same matrices in each precision: how large are range and error?"""

import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
a, b = (torch.randn(512, 512, dtype=torch.float64, device=device) for _ in range(2))
right = a @ b

for name, most in {"float32": 1e-5, "bfloat16": 2e-2, "float16": 2e-3}.items():
    kind = getattr(torch, name)
    product = (a.to(kind) @ b.to(kind)).double()
    error = ((product - right).abs().max() / right.abs().max()).item()
    assert error < most, "the error is too large for this precision"
    small = torch.tensor(1e-8).to(kind).item()
    top = torch.finfo(kind).max
    print(f"{name:8}: error {error:.0e}, largest {top:.1e}, 1e-8 becomes {small:.0e}")

in_full = torch.get_float32_matmul_precision() == "highest"
print("float32 matrix multiplications may use TF32:", not in_full)
print("float32 convolutions may use TF32:", torch.backends.cudnn.allow_tf32)

"""A layer of a network is a matrix product; time it for one sample and for many."""

import torch
from torch.utils.benchmark import Timer

device = "cuda" if torch.cuda.is_available() else "cpu"
layer = torch.nn.Linear(4096, 4096, device=device)
threads = torch.get_num_threads()

for batch in 1, 16, 256:
    x = torch.randn(batch, 4096, device=device)
    product = x @ layer.weight.T + layer.bias
    assert torch.allclose(layer(x), product, atol=1e-4)
    timer = Timer("layer(x)", globals=globals(), num_threads=threads)
    ms = timer.blocked_autorange().median * 1000
    print(f"{batch:<3} on {device}: {ms:6.2f} ms, {ms / batch:5.2f} ms for each")

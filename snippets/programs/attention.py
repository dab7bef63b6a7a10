"""Attention, written out and as one function: how large is what each writes?"""

import torch
from torch.nn.functional import scaled_dot_product_attention
from torch.profiler import profile

device = "cuda" if torch.cuda.is_available() else "cpu"
length = 1024  # tokens, each with 64 numbers in each of 8 heads
query, key, value = torch.randn(3, 1, 8, length, 64, device=device)


def written_out(query, key, value):
    scores = query @ key.transpose(-2, -1) / 64**0.5  # length x length for each head
    return scores.softmax(dim=-1) @ value


def megabytes(event):
    return max(event.cpu_memory_usage, event.device_memory_usage) / 1e6


for attention in (written_out, scaled_dot_product_attention):
    with profile(profile_memory=True) as profiler:
        result = attention(query, key, value)
    print(f"{attention.__name__}:")
    for event in profiler.events():
        if event.cpu_parent is None and event.name.startswith("aten::"):
            print(f"  {event.name.removeprefix('aten::')}: {megabytes(event):.1f} MB")

expected = written_out(query, key, value)
torch.testing.assert_close(result, expected, rtol=1e-3, atol=1e-3)
print("both give the same result")

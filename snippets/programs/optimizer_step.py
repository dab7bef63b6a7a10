"""How many operations does one step of AdamW run?"""

import torch
from torch import nn
from torch.profiler import profile

device = "cuda" if torch.cuda.is_available() else "cpu"

for options in ({"foreach": False}, {"foreach": True}, {"fused": True}):
    model = nn.Sequential(*[nn.Linear(64, 64) for _ in range(20)]).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), **options)
    model(torch.randn(8, 64, device=device)).sum().backward()
    optimizer.step()  # the first step creates the optimizer's state
    with profile() as profiler:
        optimizer.step()
    calls = [event for event in profiler.events() if event.name.startswith("aten::")]
    outer = [event for event in calls if event.cpu_parent not in calls]
    tensors = len(list(model.parameters()))
    print(f"{options}: {len(outer)} operations for {tensors} tensors")

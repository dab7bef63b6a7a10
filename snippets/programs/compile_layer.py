"""Which operations run before and after torch.compile?"""

import torch
from torch.profiler import profile

device = "cuda" if torch.cuda.is_available() else "cpu"


def layer(inputs, weights):
    x = inputs @ weights
    return 0.5 * x * (1 + torch.tanh(0.7979 * (x + 0.0447 * x**3)))  # GELU


def is_aten(event):
    return event is not None and event.name.startswith("aten::")


def operations(function):
    function(inputs, weights)  # the first call compiles
    with profile() as profiler:
        function(inputs, weights)
    return [
        event.name.removeprefix("aten::")
        for event in profiler.events()
        if event.device_type.name == "CPU"  # of a GPU, what the CPU launches
        and ("fused" in event.name or is_aten(event) and not is_aten(event.cpu_parent))
    ]


inputs = torch.randn(256, 512, device=device)
weights = torch.randn(512, 512, device=device)
names_on_cpu = {"cpp.enable_kernel_profile": True}  # so that the profiler sees them
compiled = torch.compile(layer, options=names_on_cpu)
expected = layer(inputs, weights)
torch.testing.assert_close(compiled(inputs, weights), expected, rtol=1e-3, atol=1e-3)
for name, function in {"as written": layer, "compiled": compiled}.items():
    found = operations(function)
    print(f"{name}: {len(found)} operations: {', '.join(found)}")

"""GPUs of a capture: which model a GRES name means, by the table of devices.

A scheduler says `gpu:a100`, or the driver's whole name. Of that the table knows the model, and the memory if all its
forms have the same. What it does not know is left open.
"""

import re
from dataclasses import dataclass

from scripts.measure.limits import Device, load_limits

SLICE = re.compile(r"(?:(.*)[_.-])?(\d+g\.(\d+)gb)(?:\+.*)?")
VENDORS = {"nvidia", "amd", "tesla", "geforce", "rtx", "quadro", "instinct"}


@dataclass(frozen=True)
class Model:
    """What a GRES name tells; None for what it does not."""

    name: str | None = None
    memory: str | None = None
    device: str | None = None
    capability: str | None = None
    slice: bool = False
    chip: str = ""
    forms: tuple[str, ...] = ()  # the memory and names of all devices that it may be


def model_of(gres: str) -> Model:
    """The model behind `gpu:a100`, `gpu:nvidia_a100-sxm4-80gb` or `gpu:a100_1g.10gb`."""
    kind = gres.partition(":")[2].lower()
    if found := SLICE.fullmatch(kind):
        whole = model_of(f"gpu:{found[1] or ''}")
        memory = f"{found[3]} GB"
        return Model(whole.name, memory, None, whole.capability, True, whole.chip, whole.forms)
    words = set(re.split(r"[^a-z0-9]+", kind)) - VENDORS
    devices = load_limits()
    fit = {key: device for key, device in devices.items() if _chip(device) & (words | {word[3:] for word in words})}
    for word in words:  # its form: sxm4, pcie, 80gb, nvl
        fit = {key: each for key, each in fit.items() if word in _words(each)} or fit
    if not fit:
        return Model()
    return Model(
        _same([device.name for device in fit.values()]) or _short(next(iter(fit.values()))),
        _same([str(device.memory) for device in fit.values()]),
        next(iter(fit)) if len(fit) == 1 else None,
        _same([device.compute_capability for device in fit.values()]),
        chip=min(_chip(next(iter(fit.values())))),
        forms=tuple(f"`memory: {each.memory}` ({each.name.partition(',')[0]})" for each in fit.values()),
    )


def _same(values: list[str | None]) -> str | None:
    return values[0] if len(set(values)) == 1 else None


def _words(device: Device) -> set[str]:
    return set(re.split(r"[^a-z0-9]+", f"{device.name} {device.matches}".lower()))


def _chip(device: Device) -> set[str]:
    """`a100`, `3090`, `a6000`, `mi250x` and `mi250`: as operators write it, with or without what stands behind it."""
    words = device.name.lower().replace(",", "").split()
    chip = next(word for word in words if re.search(r"\d", word))
    more = {chip + words[words.index(chip) + 1]} if words[-1] == "ti" else set()
    return {chip, *more, re.sub(r"(?<=mi250)x$", "", chip)}


def _short(device: Device) -> str:
    """The model without its form: `NVIDIA A100`."""
    words = device.name.replace(",", "").split()
    return " ".join(words[: 1 + next(at for at, word in enumerate(words) if re.search(r"\d", word))])

"""Answers of Grid Engine's qconf and qhost, as records with Slurm's keys."""

from __future__ import annotations

import re

from scripts.compare.capture import NAME, Capture, Record
from scripts.errors import BadInput

FREE = "qhost -F"  # it shows what running jobs leave free; `qconf -se` shows what a host has
OFFER = re.compile(r"(?<!\S)(?:h[cf]:)?([a-z][a-z0-9_]*)=([A-Za-z0-9_.-]+)")
SIZES = {"K": 2**-10, "M": 1, "G": 2**10, "T": 2**20, "": 2**-20}
OTHERS = re.compile(r"(num_proc|m_|mem_|swap|virtual|load|np_load|cpu|arch|hostname|qname|tmpdir|s_|h_|disk)")


def mib(text: str) -> int | None:
    """`192.000G` in MiB."""
    found = re.fullmatch(r"([0-9]{1,15}(?:\.[0-9]+)?)([KMGT]?)", text.upper())
    return round(float(found[1]) * SIZES[found[2]]) if found else None


def queue(values: dict[str, str], capture: Capture, line: int) -> None:
    """What `qconf -sq` says of a queue."""
    name, time = values["qname"], values.get("h_rt", "")
    if not NAME.fullmatch(name):
        raise BadInput(capture.file, line, "this is no name of a queue.", "Paste qconf's answer as it was printed.")
    found = {"PartitionName": name}
    if re.fullmatch(r"[0-9]{1,6}:[0-9]{1,2}:[0-9]{1,2}", time):
        hours, minutes, seconds = map(int, time.split(":"))
        found["MaxTime"] = f"{hours // 24}-{hours % 24:02}:{minutes:02}:{seconds:02}"
    elif time == "INFINITY":
        found["MaxTime"] = "UNLIMITED"
    elif time:
        raise BadInput(capture.file, line, f"`{time[:20]}` is no time.", "Is the capture whole?")
    capture.partitions.append(Record(found, "qconf -sq", line))


def host(offers: list[tuple[str, str]], count: str, capture: Capture, line: int, where: str = FREE) -> None:
    """What one host offers, or so many that are alike."""
    found, gpus = {"Count": count}, []
    for name, value in offers:
        if name == "h_vmem" and (memory := mib(value)) is not None:
            found["RealMemory"] = str(memory)
        elif name == "slots":
            found["CPUTot"] = value.split(".")[0]
        elif name == "node_type":
            found["AvailableFeatures"] = value
        elif re.fullmatch(r"[0-9]{1,6}(\.0+)?", value) and not OTHERS.match(name):
            gpus.append(f"{name}:{value.split('.')[0]}")
    if len(found) > 1 or gpus:
        capture.nodes.append(Record(found | {"Gres": ",".join(gpus) or "(null)"}, where, line))


def complex_line(text: str, capture: Capture) -> None:
    """Of `qconf -sc` only what memory a job gets that asks for none."""
    cells = text.split()
    if cells[0] == "h_vmem" and (memory := mib(cells[6])):
        capture.config["DefMemPerCPU"] = str(memory)

"""What Grid Engine's qhost -F -q and qconf -sq print, as records with the keys of `scontrol show`."""

import re

from scripts.compare.capture import Capture, Record, minutes

HOST = re.compile(r"[A-Za-z0-9][\w.-]* +\S+ +(?P<cpus>\d+|-)( +(\S+)){3,}")
VALUE = re.compile(r" +(h[cfl]|gc):(?P<name>\w+)=(?P<value>[\w.+-]+)")
QUEUE = re.compile(r" +(?P<name>[\w.@-]+) +[BICPTN]+ +\d+/\d+/\d+")
SIZE = re.compile(r"(\d{1,9}(?:\.\d*)?)([MG]?)")
GPU = re.compile(r"gpu|coproc|cuda")


def read(capture: Capture, lines: list[str]) -> None:
    """UPDATES the capture. A host's slots are its cores, its `h_vmem` its memory, its consumable GPUs its GRES."""
    host: dict[str, str] | None = None
    for at, line in enumerate(lines, start=1):
        if (found := HOST.match(line)) and not line.startswith(("HOSTNAME ", "global ")):
            host = {"Count": "1", "Gres": "", "AvailableFeatures": "", "Partitions": ""}
            host |= {"CPUTot": found["cpus"]} if found["cpus"] != "-" else {}
            capture.nodes.append(Record(host, "qhost", at))
        elif host is not None and (found := VALUE.match(line)):
            _value(host, found["name"], found["value"])
        elif host is not None and (found := QUEUE.match(line)):
            host["Partitions"] += f",{found['name']}"
        elif found := re.match(r"qname +([\w.@-]+)$", line):
            capture.partitions.append(Record({"PartitionName": found[1]}, "qconf -sq", at))
        elif (found := re.match(r"h_rt +(\S+)$", line)) and capture.partitions:
            capture.partitions[-1].values["MaxTime"] = found[1] if minutes(found[1]) else "UNLIMITED"


def _value(host: dict[str, str], name: str, value: str) -> None:
    size = SIZE.fullmatch(value)
    if name == "slots" and size and not size[2]:
        host["CPUTot"] = str(int(float(value)))
    elif name == "h_vmem" and size and size[2]:
        host["RealMemory"] = str(int(float(size[1]) * 1024 ** "MG".index(size[2])))
    elif name == "node_type":
        host["AvailableFeatures"] = value
    elif GPU.search(name) and re.fullmatch(r"\d{1,9}(\.0+)?", value):
        host["Gres"] += f",gpu:{name}:{int(float(value))}"

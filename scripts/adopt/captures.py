"""Several captures of one cluster as one: whatever was pasted, in any order."""

import re
from collections import Counter
from collections.abc import Sequence

from scripts.adopt.kinds import TOTALS
from scripts.compare.capture import Capture, Record
from scripts.compare.read import alike, read
from scripts.errors import BadInput

OF_PARTITIONS = ("PartitionName", "Default", "DefaultTime", "MaxTime", "MinNodes", "MaxNodes", "OverSubscribe")
MANY_PLACES = 8  # features that differ in their number alone are racks or switches if there are so many


def read_all(files: Sequence[str]) -> Capture:
    """All files as one capture, with the newest date that one of them has. Raises BadInput as `read`, and for files of
    two clusters or a twin.
    """
    whole = Capture(", ".join(files))
    names: dict[str, str] = {}
    met: set[str] = set()
    for file in files:
        capture = read(file, tables=True, met=met)
        if capture.twin:
            what = "this output comes from the guide's own simulated scheduler."
            raise BadInput(file, None, what, "Use the output of the real cluster.")
        if name := capture.config.get("ClusterName"):
            names[name] = file
        whole.date = max(filter(None, (whole.date, capture.date)), default=None)
        if (whole.partitions or whole.nodes) and whole.kind != capture.kind:
            raise BadInput(
                file, None, "this file is from a different scheduler than the others.", "Adopt one cluster at a time."
            )
        whole.kind = capture.kind
        whole.asked |= capture.asked
        whole.selected |= capture.selected
        whole.config |= capture.config
        for part in ("partitions", "nodes", "qos", "listed", "not_asked"):
            getattr(whole, part).extend(getattr(capture, part))
    if len(names) > 1:
        what = f"this file is from `{[*names][-1]}`, but {[*names.values()][0]} is from `{[*names][0]}`."
        raise BadInput([*names.values()][-1], None, what, "Adopt one cluster at a time.")
    if not whole.partitions:
        whole.partitions = _partitions(whole.listed)
    fullest = sorted(whole.partitions, key=lambda record: len(record.values))  # beside a line of slurm.conf
    fullest = {record.values["PartitionName"]: record for record in fullest}
    whole.partitions = [fullest[name] for name in dict.fromkeys(r.values["PartitionName"] for r in whole.partitions)]
    if not whole.nodes:
        whole.nodes = [_node(record) for record in whole.listed if record.values.get("Count", "1") != "0"]
        whole.nodes = [record for record in whole.nodes if len(record.values) > 2]
    if not whole.nodes:
        whole.nodes = [node for record in whole.partitions if (node := _of_totals(record))]
    whole.nodes = _without_places(whole.nodes)
    return whole


def _partitions(listed: list[Record]) -> list[Record]:
    """Partitions as sinfo lists them: a line for each kind of node or state, of which the first says all."""
    found: dict[str, Record] = {}
    for record in listed:
        values = {key: value for key, value in record.values.items() if key in OF_PARTITIONS}
        found.setdefault(values["PartitionName"], Record(values, record.where, record.line))
    return list(found.values())


def _without_places(nodes: list[Record]) -> list[Record]:
    """Nodes without the features that only count: names of racks, switches and hosts."""
    every = {name for record in nodes for name in record.values.get("AvailableFeatures", "").split(",")}
    stems = Counter(_stem(name) for name in every)
    for record in nodes:
        names = record.values.get("AvailableFeatures", "").split(",")
        kept = [name for name in names if stems[_stem(name)] < MANY_PLACES or "#" not in _stem(name)]
        if kept != names:
            record.values["AvailableFeatures"] = ",".join(kept)
    return alike(nodes)


def _stem(feature: str) -> str:
    return re.sub(r"\d+", "#", feature)


def _of_totals(record: Record) -> Record | None:
    """A partition's nodes by its totals, if these are a whole number for each: else its nodes differ."""
    totals = dict(each.split("=") for each in (record.get("TRES") or "").split(",") if each)
    nodes = int(totals.pop("node", "0"))
    gpus = totals.pop("gres/gpu", None)
    typed = {name: number for name, number in totals.items() if name.startswith("gres/gpu:")}
    each = {name: _mib(size) / nodes for name, size in totals.items()} if nodes else {}
    if not typed and gpus and nodes:
        each["gres/gpu"] = int(gpus) / nodes
    if "cpu" not in each or any(number % 1 for name, number in each.items() if name != "mem"):
        return None
    gres = ",".join(f"{name.removeprefix('gres/')}:{round(number)}" for name, number in each.items() if "gpu" in name)
    values = {"Count": str(nodes), "CPUTot": str(round(each["cpu"])), "RealMemory": str(int(each.get("mem", 0)))}
    return Record(values | {"Gres": gres, "Partitions": record.values["PartitionName"]}, TOTALS, record.line)


def _mib(text: str) -> float:
    """`3600M`, `75512.50G` in MiB; a count as it is."""
    number, unit = (text[:-1], text[-1]) if text[-1].isalpha() else (text, "M")
    return float(number) * 1024.0 ** ("KMGTP".index(unit) - 1)


def _node(record: Record) -> Record:
    values = {key: value for key, value in record.values.items() if key not in OF_PARTITIONS and value}
    return Record(values, record.where, record.line)

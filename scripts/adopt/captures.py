"""Several captures of one cluster as one: whatever was pasted, in any order."""

from __future__ import annotations

from collections.abc import Sequence

from scripts.compare.capture import Capture, Record
from scripts.compare.read import read
from scripts.errors import BadInput

OF_PARTITIONS = ("PartitionName", "Default", "DefaultTime", "MaxTime", "MinNodes", "MaxNodes", "OverSubscribe")


def read_all(files: Sequence[str]) -> Capture:
    """All files as one capture, with the newest date that one of them has. Raises BadInput as `read`, and for files of
    two clusters or a twin.
    """
    whole = Capture(", ".join(files))
    names: dict[str, str] = {}
    for file in files:
        capture = read(file, tables=True)
        if capture.twin:
            what = "this output comes from the guide's own twin, which is made from facts."
            raise BadInput(file, None, what, "Use output of the cluster itself.")
        if name := capture.config.get("ClusterName"):
            names[name] = file
        whole.date = max(filter(None, (whole.date, capture.date)), default=None)
        whole.asked |= capture.asked
        whole.selected |= capture.selected
        whole.config |= capture.config
        for part in ("partitions", "nodes", "qos", "listed", "not_asked"):
            getattr(whole, part).extend(getattr(capture, part))
    if len(names) > 1:
        what = f"its cluster is `{[*names][-1]}`, but that of {[*names.values()][0]} is `{[*names][0]}`."
        raise BadInput([*names.values()][-1], None, what, "Adopt one cluster at a time.")
    if not whole.partitions:
        whole.partitions = _partitions(whole.listed)
    if not whole.nodes:
        whole.nodes = [_node(record) for record in whole.listed if record.values.get("Count", "1") != "0"]
        whole.nodes = [record for record in whole.nodes if len(record.values) > 2]
    return whole


def _partitions(listed: list[Record]) -> list[Record]:
    """Partitions as sinfo lists them: a line for each kind of node or state, of which the first says all."""
    found: dict[str, Record] = {}
    for record in listed:
        values = {key: value for key, value in record.values.items() if key in OF_PARTITIONS}
        found.setdefault(values["PartitionName"], Record(values, record.where, record.line))
    return list(found.values())


def _node(record: Record) -> Record:
    values = {key: value for key, value in record.values.items() if key not in OF_PARTITIONS and value}
    return Record(values, record.where, record.line)

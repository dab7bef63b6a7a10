"""Tables in a capture: of sinfo, in whatever columns, and of sacctmgr with bars between them.

A line of sinfo becomes a record with the keys of `scontrol show`, of a partition and its nodes at once.
"""

import re

from scripts.compare.capture import NAME, QOS_KEYS, VALUE, Capture, Record

# What sinfo writes above a column -> scontrol's key. Other columns are passed over; NODELIST only tells nodes apart.
COLUMNS = {
    "PARTITION": "PartitionName",
    "TIMELIMIT": "MaxTime",
    "DEFAULTTIME": "DefaultTime",
    "JOB_SIZE": "MaxNodes",
    "OVERSUBS": "OverSubscribe",
    "NODES": "Count",
    "NODES(A/I/O/T)": "Count",
    "CPUS": "CPUTot",
    "SOCKETS": "Sockets",
    "CORES": "CoresPerSocket",
    "THREADS": "ThreadsPerCore",
    "S:C:T": "ThreadsPerCore",
    "MEMORY": "RealMemory",
    "TMP_DISK": "TmpDisk",
    "GRES": "Gres",
    "AVAIL_FEATURES": "AvailableFeatures",
    "AVAIL_FE": "AvailableFeatures",
    "FEATURES": "AvailableFeatures",
}
PLACES = ("NODELIST", "HOSTNAMES")
UNCOUNTED = "sinfo without nodes"
OTHERS = {*PLACES, *"AVAIL CPUS(A/I/O/T) STATE ROOT GROUPS WEIGHT REASON RESERVATION CPU_LOAD FREE_MEM".split()}


class Tables:
    """Goes through the lines of tables. What a line is depends on the heading above it."""

    def __init__(self, capture: Capture):
        self.capture = capture
        self.columns: list[str] = []
        self.bars = False
        self.nodes: dict[str, Record] = {}  # of one table; names are not kept

    def end(self) -> None:
        """Close the table that stands open."""
        self.columns, self.nodes = [], {}

    def one(self, text: str, line: int) -> bool:
        """Is this a line of a table, or its heading?"""
        bars = "|" in text
        words = [word.strip() for word in (text.strip().strip("|").split("|") if bars else text.split())]
        if "PARTITION" in words and len({*words} & (COLUMNS.keys() | OTHERS)) >= min(3, len(words)):
            self.end()
            self.columns, self.bars = words, bars
        elif bars and "Name" in words and {*words} & {*QOS_KEYS[1:]}:
            self.end()
            self.columns, self.bars = words, True
        elif not self.columns:
            return False
        elif "Name" in self.columns:
            self.qos(self.columns, text, line)
        else:
            self._row(self._cells(text), line)
        return True

    def qos(self, columns: list[str], text: str, line: int) -> None:
        """A line of sacctmgr."""
        values = dict(zip(columns, (cell.strip() for cell in text.split("|")), strict=False))
        if NAME.fullmatch(values.get("Name", "")):
            known = {key: value for key, value in values.items() if key in QOS_KEYS and VALUE.fullmatch(value)}
            self.capture.qos.append(Record(known, "sacctmgr show qos", line))

    def _cells(self, text: str) -> list[str]:
        if self.bars:
            return [cell.strip() for cell in text.split("|")]
        return text.rstrip().split(maxsplit=len(self.columns) - 1)  # of a reason, blanks are part

    def _row(self, cells: list[str], line: int) -> None:
        told = dict(zip(self.columns, cells, strict=False))
        if "PARTITION" not in told or len(cells) < len([name for name in self.columns if name not in OTHERS]):
            self.end()
            return
        values = {COLUMNS[name]: told[name] for name in told if name in COLUMNS}
        name = values["PartitionName"].rstrip("*")
        if not NAME.fullmatch(name):
            self.end()
            return
        values |= {"PartitionName": name, "Default": "YES" if values["PartitionName"].endswith("*") else "NO"}
        values |= _sizes(told)
        place = next((told[name] for name in PLACES if name in told), "")
        count = values.get("Count") or ("1" if re.fullmatch(r"[^\[,]+", place) else "")
        values |= {"Count": count} if count else {}
        where = "sinfo -N" if place and count == "1" else "sinfo" if count else UNCOUNTED
        record = Record({key: _plain(key, value) for key, value in values.items()}, where, line)
        if place in self.nodes and name not in (there := self.nodes[place].values["Partitions"].split(",")):
            self.nodes[place].values["Partitions"] = ",".join([*there, name])
            record.values["Count"] = "0"  # the partition is another one, the node is not
        else:
            record.values["Partitions"] = name
            if where == "sinfo -N":
                self.nodes.setdefault(place, record)
        self.capture.listed.append(record)


def _sizes(told: dict[str, str]) -> dict[str, str]:
    """What stands together in one column."""
    found = {}
    if "JOB_SIZE" in told:
        least, _, most = told["JOB_SIZE"].partition("-")
        found = {"MinNodes": least, "MaxNodes": most or least}
    if told.get("S:C:T", "").count(":") == 2:
        found |= dict(zip(("Sockets", "CoresPerSocket", "ThreadsPerCore"), told["S:C:T"].split(":"), strict=True))
    return found | {COLUMNS[name]: told[name].split("/")[-1] for name in COLUMNS.keys() & told if "/" in name}


def _plain(key: str, value: str) -> str:
    """As scontrol writes it. `192000+` is of nodes that differ, so it is of none."""
    if value in ("infinite", "n/a"):
        return "UNLIMITED"
    if value.endswith("+"):
        return ""
    if key == "OverSubscribe" and value.startswith("EXCL"):
        return "EXCLUSIVE"
    if key in ("MaxTime", "DefaultTime") and re.fullmatch(r"\d+-\d\d:\d\d:\d", value):
        return f"{value}0"  # its column is ten letters wide
    return value

"""Tables of sinfo, in any of their forms."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, field

from scripts.compare.capture import NAME, Capture, Record
from scripts.errors import BadInput

# Each column's heading, by the letter that asks for it with `sinfo -o`.
COLUMNS = {
    **{"P": "PARTITION", "R": "PARTITION", "a": "AVAIL", "l": "TIMELIMIT", "L": "DEFAULTTIME", "D": "NODES"},
    **{"F": "NODES(A/I/O/T)", "A": "NODES(A/I)", "t": "STATE", "T": "STATE", "N": "NODELIST", "n": "HOSTNAMES"},
    **{"s": "JOB_SIZE", "h": "OVERSUBS", "c": "CPUS", "C": "CPUS(A/I/O/T)", "z": "S:C:T", "X": "SOCKETS", "Y": "CORES"},
    **{"Z": "THREADS", "m": "MEMORY", "d": "TMP_DISK", "G": "GRES", "f": "AVAIL_FEATURES", "b": "ACTIVE_FEATURES"},
    **{"w": "WEIGHT", "g": "GROUPS", "r": "ROOT", "p": "PRIO_TIER", "E": "REASON", "u": "USER", "H": "TIMESTAMP"},
    **{"O": "CPU_LOAD", "e": "FREE_MEM", "o": "NODE_ADDR", "M": "PREEMPT_MODE", "S": "ALLOCNODES", "B": "MAX_CPUS"},
}
OTHER_NAMES = {"SHARE": "OVERSUBS", "OVERSUBSCRIBE": "OVERSUBS", "FEATURES": "AVAIL_FEATURES", "NODE": "NODES"}
OTHER_NAMES |= {"AVAIL_FE": "AVAIL_FEATURES", "PARTITIONNAME": "PARTITION", "TIME": "TIMELIMIT", "DISK": "TMP_DISK"}
# What a column is in a record of a partition, and in one of a kind of node.
PARTITION = {"TIMELIMIT": "MaxTime", "DEFAULTTIME": "DefaultTime", "OVERSUBS": "OverSubscribe"}
NODE = {
    **{"CPUS": "CPUTot", "SOCKETS": "Sockets", "CORES": "CoresPerSocket", "THREADS": "ThreadsPerCore"},
    **{"MEMORY": "RealMemory", "TMP_DISK": "TmpDisk", "GRES": "Gres", "AVAIL_FEATURES": "AvailableFeatures"},
}
# Digits that sinfo surely shows in full: of a disk always, of the others in the columns of `sinfo -l`.
LONGEST = {"TmpDisk": 6, "RealMemory": 5, "CPUTot": 3, "AvailableFeatures": 7}
GRES = re.compile(r"(\(null\)|[\w.-]+(:[\w.-]+)*:[0-9]+(\([^()]*\))?(,[\w.-]+(:[\w.-]+)*:[0-9]+(\([^()]*\))?)*)?")
SELECTS_NODES = re.compile(r"(^|\s)(-[a-zA-Z]*[ntdrR]\b|--(nodes|states|dead|responding|list-reasons))")
KEEPS_LINES = ("grep", "egrep", "head", "tail", "sort", "cat", "tee")  # and changes none of them
SELECTS_PARTITIONS = re.compile(r"(^|\s)(-[a-zA-Z]*p\b|--partition)")


@dataclass
class Table:
    """A table that is being read: its columns, how they are parted, and how many nodes each partition has."""

    columns: list[str]
    bars: bool
    where: str
    line: int
    some_nodes: bool
    counts: dict[str, int] = field(default_factory=dict)
    default: dict[str, bool] = field(default_factory=dict)

    def cells(self, text: str) -> list[str]:
        return [cell.strip() for cell in text.split("|")] if self.bars else text.split()


def heading(text: str) -> list[str] | None:
    """The columns, if this line is the heading of a table that names partitions."""
    if not re.fullmatch(r"[A-Z0-9_():/| .\t]+", text.strip()):
        return None
    bars = "|" in text
    words = [word.strip() for word in text.split("|")] if bars else text.split()
    columns = [_column(word) for word in words]
    return columns if "PARTITION" in columns and len({*columns} & {*COLUMNS.values()}) > 1 else None


def _column(word: str) -> str:
    word = OTHER_NAMES.get(word, word)
    if word in COLUMNS.values():
        return word
    cut = [name for name in COLUMNS.values() if len(word) > 3 and name.startswith(word)]
    return cut[0] if cut else word


def _parts(command: str) -> list[list[str]]:
    """The words of each command of a pipe; none if its quotes do not close."""
    parts: list[list[str]] = [[]]
    words = shlex.shlex(command, posix=True, punctuation_chars="|")
    words.whitespace_split, words.commenters = True, ""
    try:
        for word in words:
            if word.strip("|"):
                parts[-1].append(word)
            else:
                parts.append([])
    except ValueError:
        return []
    return parts


def is_piped(command: str) -> bool:
    return len(_parts(command)) > 1


def format_of(command: str, of_the_script: bool = False) -> tuple[list[str], bool] | None:
    """The columns of what sinfo prints without a heading, as by `-h` or `| grep`, and whether bars part them.

    None where it has a heading, or where the columns are not known.
    of_the_script: as ask_cluster.sh writes down its commands, without quotes, so a bar is no pipe.
    """
    words, *pipes = [command.split()] if of_the_script else _parts(command) or [[]]
    if any(not part or part[0] not in KEEPS_LINES for part in pipes):
        return None
    if not pipes and not any(re.fullmatch(r"-[a-zA-Z]*h[a-zA-Z]*|--noheader", word) for word in words):
        return None
    found = re.search(r"(?:^|\s)(?:-[a-zA-Z]*o|--format)[ =]?(.+)", " ".join(words))
    if not found:
        long = {"--noheader": "h", "--summarize": "s", "--all": "a", "--exact": "e"}
        options = [long.get(word, word.removeprefix("-")) for word in words[1:] if word.startswith("-")]
        if not {*"".join(options)} <= {*"hsaep"}:
            return None
        nodes = ["NODES(A/I/O/T)"] if "s" in "".join(options) else ["NODES", "STATE"]
        return ["PARTITION", "AVAIL", "TIMELIMIT", *nodes, "NODELIST"], False
    return [COLUMNS.get(letter, letter) for letter in re.findall(r"%[.#0-9]*([A-Za-z])", found[1])], "|" in found[1]


def table(columns: list[str], bars: bool, command: str, line: int) -> Table:
    return Table(columns, bars, "sinfo", line, bool(SELECTS_NODES.search(command)) or is_piped(command))


def row(table: Table, text: str, capture: Capture, line: int) -> None:
    """Read one line of a table. Raises BadInput for one that does not fit the heading."""
    cells = table.cells(text)
    if (more := len(cells) - len(table.columns)) > 0 and "REASON" in table.columns and not table.bars:
        at = table.columns.index("REASON")  # of several words
        cells[at : at + more + 1] = [" ".join(cells[at : at + more + 1])]
    if "RESERVATION" in table.columns and len(cells) < len(table.columns) and not table.bars:
        cells.insert(table.columns.index("RESERVATION"), "")  # `sinfo -l` of Slurm 24.11: mostly there is none
    if len(cells) == len(table.columns) - 1 and re.search(r"\s(0|0/0/0/0|n/a)(\s|$)", text):
        cells.append("")  # no node, so none is named
    if len(cells) != len(table.columns):
        what = f"this line has {len(cells)} columns, and its table's heading {len(table.columns)}."
        raise BadInput(capture.file, line, what, "Is the capture whole? Paste it as it was printed.")
    found = dict(zip(table.columns, cells, strict=True))
    name = found["PARTITION"].removesuffix("*")
    if not NAME.fullmatch(name):
        raise BadInput(capture.file, line, "no partition's name stands here.", "Paste the table as it was printed.")
    values = {PARTITION[column]: cell for column, cell in found.items() if column in PARTITION}
    table.default[name] = found["PARTITION"].endswith("*")
    if size := found.get("JOB_SIZE"):
        least, dash, most = size.partition("-")
        values |= {"MinNodes": least, "MaxNodes": most if dash else least}
    capture.partitions.append(Record({"PartitionName": name, **values}, table.where, line))
    count = found["NODES"] if "NODES" in found else _whole(found.get("NODES(A/I/O/T)", ""))
    if count:
        if not re.fullmatch(r"[0-9]{1,7}", count):
            raise BadInput(capture.file, line, f"`{count[:20]}` is no number of nodes.", "Is the capture whole?")
        table.counts[name] = table.counts.get(name, 0) + int(count)
    _node(table, found, name, count, capture, line)


def _whole(text: str) -> str:
    """How many nodes `10/5/1/16` says that there are. Where the column was too narrow, the last number is cut off."""
    *states, whole = text.split("/")
    if len(states) == 3 and all(state.isdecimal() for state in states):
        added = str(sum(map(int, states)))
        return added if added.startswith(whole) else whole
    return whole


def _node(table: Table, found: dict[str, str], name: str, count: str, capture: Capture, line: int) -> None:
    node = {NODE[column]: cell for column, cell in found.items() if column in NODE and cell not in ("", "n/a")}
    if re.fullmatch(r"[0-9]+:[0-9]+:[0-9]+", found.get("S:C:T", "")):
        node |= zip(("Sockets", "CoresPerSocket", "ThreadsPerCore"), found["S:C:T"].split(":"), strict=True)
    for key, longest in LONGEST.items():
        if len(node.get(key, "")) > longest and (key == "TmpDisk" or "S:C:T" in table.columns and not table.bars):
            del node[key]
    if "Gres" in node and not GRES.fullmatch(node["Gres"]):
        del node["Gres"]  # the column was too narrow
    if node and count != "0":
        node |= {"Partitions": name} | ({"Count": count} if count else {})
        capture.nodes.append(Record(node, table.where, line))


def close(table: Table, capture: Capture) -> None:
    """The table is at its end: which partition is marked, and what each one's lines add up to."""
    if any(table.default.values()):
        for name, default in table.default.items():
            values = {"PartitionName": name, "Default": "YES" if default else "NO"}
            capture.partitions.append(Record(values, table.where, table.line))
    if table.some_nodes or (table.counts and max(table.counts.values()) <= 1 and len(table.counts) > 1):
        return
    for name, count in table.counts.items():
        capture.partitions.append(Record({"PartitionName": name, "TotalNodes": str(count)}, table.where, table.line))

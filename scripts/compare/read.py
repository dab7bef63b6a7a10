"""Read a capture: what ask_cluster.sh wrote, or what somebody has pasted from a terminal.

Lines that are nobody's are passed over, as a terminal has them. A record that is damaged ends the reading, since what
is left of it might be wrong.
"""

import re
from pathlib import Path

from scripts.compare import grid_engine
from scripts.compare.capture import (
    CONFIG_KEYS,
    LISTS,
    NAME,
    NODE_KEYS,
    PARTITION_KEYS,
    TOTALS,
    VALUE,
    Capture,
    Record,
    Verdict,
    minutes,
    number,
)
from scripts.compare.tables import Tables
from scripts.errors import BadInput, utf8

FORM = "# ask_cluster.sh 1:"
VERSION = re.compile(r"# ask_cluster\.sh ([0-9]{1,9}):")
END = "# end"
PROMPT = re.compile(r"^[^|=]{0,80}?[$#>%]\s+((?:scontrol|sinfo|sacctmgr)\b.*)$")
ASKED = re.compile(r"^## ([a-z]+)(?: [^:]*)?: (.*)$")
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r$")
FREE_TEXT = re.compile(r"\s(Reason|Comment|Extra)=.*")  # a person has written it
CONFIG = re.compile(r"^([A-Za-z_]+)\s*= (.*?)\s*$")
OTHERS = {
    "PBS": re.compile(r"(?m)^Queue +(Max|Memory) |^ *(resources_available\.|pcpus = |Mom = |ntype = PBS)|^pbsnodes"),
    "LSF": re.compile(r"(?m)^(QUEUE_NAME +PRIO|HOST_NAME +(STATUS|type)) "),
}
GRID_ENGINE = re.compile(r"^(HOSTNAME +ARCH +NCPU|qname +\S)")
WORDS = {"", "(null)", "N/A", "NONE", "UNLIMITED", "INFINITE"}
TIMES = ("MaxTime", "DefaultTime")
NUMBERS = {
    *("MinNodes", "MaxNodes", "MaxCPUsPerNode", "MaxMemPerNode", "MaxMemPerCPU", "DefMemPerNode", "DefMemPerCPU"),
    *("TotalNodes", "Count", "CPUTot", "CPUEfctv", "CoreSpecCount", "Sockets", "CoresPerSocket", "ThreadsPerCore"),
    *("RealMemory", "TmpDisk"),
}


def read(file: str, tables: bool = False, met: set[str] | None = None) -> Capture:
    """One file. Raises BadInput if it is not there, no text, damaged, cut off, or shows nothing of a scheduler.

    tables: a table of sinfo alone is something, too. It omits limits, so that nothing is compared with it.
    met: names of nodes that another file has shown; UPDATED. A node that is pasted twice counts once.
    """
    capture = Capture(file)
    lines = _text(file).split("\n")
    if (first := next((at for at, line in enumerate(lines) if VERSION.match(line)), None)) is not None:
        capture.asked = True
        lines = _of_the_script(file, lines, first)
    _Reader(capture, set() if met is None else met).all(lines)
    if tables and capture.empty and any(map(GRID_ENGINE.match, lines)):
        capture.kind = "grid_engine"
        grid_engine.read(capture, lines)
    if capture.empty and not (tables and capture.listed):
        _of_another_scheduler(file, "\n".join(lines))
        cure = "Use the file of ask_cluster.sh, or the output of scontrol show partition as it was printed."
        raise BadInput(file, None, "the file contains no scheduler output.", cure)
    for record in (*capture.partitions, *capture.nodes, *(capture.listed if tables else ())):
        _check(record, capture)
    capture.partitions = alike(capture.partitions)
    capture.nodes = alike(capture.nodes)
    return capture


def _of_another_scheduler(file: str, text: str) -> None:
    """Raises BadInput if it is what another scheduler prints."""
    for name, pattern in OTHERS.items():
        if pattern.search(text):
            what = f"this output is from {name}, which the guide cannot read."
            raise BadInput(file, None, what, "Write the facts by hand, as docs/about/add-your-cluster.md describes.")


def _of_the_script(file: str, lines: list[str], first: int) -> list[str]:
    """What ask_cluster.sh wrote: a mail, or a fence of an issue, may stand around it. Lines keep their numbers."""
    if not lines[first].startswith(FORM):
        version = VERSION.match(lines[first])[1]
        what = f"the capture was written by version {version} of ask_cluster.sh, which this guide does not know."
        raise BadInput(file, first + 1, what, "Use the guide and the script of the same version.")
    last = next((at for at, line in enumerate(lines) if at > first and line.rstrip() == END), None)
    if last is None:
        raise BadInput(file, len(lines), "the end of the capture is missing.", "Send the whole file.")
    return [""] * first + [line.rstrip() for line in lines[first : last + 1]]


def alike(records: list[Record]) -> list[Record]:
    """Lines that say the same become one, with the number of nodes of all of them."""
    found: dict[tuple, Record] = {}
    for record in records:
        count = number(record.values.get("Count"))
        same = record.where, tuple(sorted((key, value) for key, value in record.values.items() if key != "Count"))
        if same not in found:
            found[same] = record
        elif count is not None:
            before = found[same]
            added = str(count + (number(before.values.get("Count")) or 0))
            found[same] = Record(before.values | {"Count": added}, before.where, before.line)
    return list(found.values())


def _text(file: str) -> str:
    path = Path(file)
    try:
        if path.exists() and not path.is_file():
            raise BadInput(file, None, "this is not a plain file.", "Name a text file.")
        text = utf8(path.read_bytes(), file)
    except OSError as fault:
        what = f"this file cannot be read: {fault.strerror}."
        raise BadInput(file, None, what, "Check its path and permissions.") from None
    if "\0" in text:
        raise BadInput(file, None, "this is not a text file.", "Name a text file.")
    return text.removeprefix("\ufeff").replace("\r\n", "\n")


def _kept(key: str, value: str) -> str:
    """Of lists not whom they name, of totals not the licenses."""
    if key in LISTS:
        return value if value == "ALL" else "(some)"
    return ",".join(each for each in value.split(",") if TOTALS.fullmatch(each)) if key == "TRES" else value


def _check(record: Record, capture: Capture) -> None:
    """Each value has the form that its key asks for."""
    for key, value in record.values.items():
        sound = VALUE.fullmatch(value)
        if sound and value not in WORDS:
            if key in TIMES:
                sound = minutes(value) is not None
            elif key in NUMBERS:
                sound = number(value) is not None
        if not sound:
            shown = re.sub(r"[^ -~]", "?", value)[:30]
            what = f"`{key}` cannot be `{shown}`."
            raise BadInput(capture.file, record.line, what, "Paste the whole capture as it was printed.")


class _Reader:
    """Goes through the lines once. What a line is depends on what stands open above it."""

    def __init__(self, capture: Capture, met: set[str]):
        self.capture = capture
        self.met = met
        self.section = ""
        self.record: tuple[str, dict[str, str], int] | None = None  # Partition or Node, its values, its line
        self.columns: list[str] = []
        self.tables = Tables(capture)
        self.node = ""  # its name
        self.own: set[str] = set()  # names and addresses of the node that stands open

    def all(self, lines: list[str]) -> None:
        for line, text in enumerate(lines, start=1):
            self.one(ESCAPES.sub("", text), line)
        self.end()

    def end(self) -> None:
        """Close the record that stands open."""
        if self.record:
            kind, values, line = self.record
            if features := values.get("AvailableFeatures"):  # one may be the node's name
                values["AvailableFeatures"] = ",".join(each for each in features.split(",") if each not in self.own)
            if self.node in self.met:
                self.record = None
                return
            if "Partitions" in self.record[1]:  # else it may be a line of slurm.conf
                self.met |= {self.node} - {""}
            known, more = (self.capture.partitions, {}) if kind == "Partition" else (self.capture.nodes, {"Count": "1"})
            known.append(Record(more | values, f"scontrol show {kind.lower()}", line))
        self.record = None

    def one(self, text: str, line: int) -> None:
        if self._of_the_file(text) or self._in_a_section(text, line):
            return
        if not text.strip() or text.lstrip().startswith("```"):
            self.end()
            self.tables.end()
        elif found := PROMPT.match(text):
            self.end()
            self.tables.end()
            named = (
                found[1].startswith("scontrol") and [word for word in found[1].split() if not word.startswith("-")][3:]
            )  # or a pipe
            self.capture.selected |= bool(named)
        elif not (self._record(text, line) or self.tables.one(text, line)):
            self._single(text)

    def _of_the_file(self, text: str) -> bool:
        """What ask_cluster.sh says itself, a line each."""
        if not self.capture.asked or not text.startswith("#"):
            return False
        if found := re.fullmatch(r"# date: (20[0-9]{2}-[0-9]{2}-[0-9]{2})", text):
            self.capture.date = found[1]
        elif found := re.fullmatch(r"# not asked: (.*)", text):
            self.capture.not_asked.append(re.sub(r"[^ -~]", "?", found[1])[:200])
        elif text == "# twin: yes":
            self.capture.twin = True
        elif found := ASKED.match(text):
            self.end()
            self.section, self.columns = found[1], found[2].partition("format=")[2].split(",")
        return True

    def _in_a_section(self, text: str, line: int) -> bool:
        """Lines that mean something only below a heading of ask_cluster.sh."""
        if not self.capture.asked:
            return False
        if self.section == "verdicts":
            found = re.fullmatch(r"(accepted|refused) ([0-9a-f]{64}) ([A-Za-z0-9_.-]{1,100})(?: ([ -~]*))?", text)
            if found:
                verdict = Verdict(found[1] == "accepted", found[2], found[3], (found[4] or "")[:200])
                self.capture.verdicts.append(verdict)
        elif self.section in ("modules", "sinfo"):  # sinfo says again what the other sections say
            pass
        elif self.section == "qos":
            self.tables.qos(self.columns, text, line)
        else:
            return False
        return True

    def _record(self, text: str, line: int) -> bool:
        """Lines of scontrol: `PartitionName=gpu …`, with or without -o."""
        found = re.match(r"\s*(Partition|Node)Name=(\S*)", text)
        if found:
            self.end()
            if not NAME.fullmatch(found[2]):
                what = f"`{found[2]:.40}` is not the name of a {found[1].lower()}."
                raise BadInput(self.capture.file, line, what, "Paste scontrol's output as it was printed.")
            self.record, self.own = (found[1], {}, line), {found[2]}
            self.node = found[2] if found[1] == "Node" else ""
        elif text.startswith("Count=") and self.section == "nodes":
            self.end()
            self.record, self.node, self.own = ("Node", {}, line), "", set()
        if not self.record:
            return False
        if not found and not re.match(r"\s|[A-Z][A-Za-z_]*[=:]", text):
            self.end()
            return False
        kind, values, _ = self.record
        keys = PARTITION_KEYS if kind == "Partition" else NODE_KEYS
        for key, sign, value in (word.partition("=") for word in FREE_TEXT.sub("", text).split()):
            if key in ("NodeAddr", "NodeHostName"):
                self.own.add(value)
            elif sign and key in keys:
                values[key] = _kept(key, value)
            elif kind == "Node" and key == "Version" and VALUE.fullmatch(value):
                self.capture.config.setdefault("NodeVersion", value)  # of slurmd
        return True

    def _single(self, text: str) -> None:
        """Lines that stand for themselves: the date and the configuration."""
        if found := re.match(r"Configuration data as of (20[0-9-]{8})T", text):
            self.capture.date = found[1]
        elif (found := CONFIG.match(text)) and found[1] in CONFIG_KEYS:
            if VALUE.fullmatch(found[2]):
                self.capture.config[found[1]] = found[2]

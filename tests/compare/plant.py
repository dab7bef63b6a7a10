"""Single changes of a capture, each with the facts that it must make different, and no others."""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

from tests.compare.asked import CLUSTERS

NEW = "planted"


@dataclass(frozen=True)
class Change:
    """One change: the text after it, what was done, and patterns of the keys that must be told, one row for each."""

    text: str
    what: str
    told: tuple[str, ...]


def changes(key: str, text: str) -> list[Change]:
    lines = text.split("\n")
    found, section = [], ""
    for at, line in enumerate(lines):
        if line.startswith("## "):
            section = line.split()[1].rstrip(":")
        elif not line.startswith("#"):
            for new, what, *told in _of_line(key, section, line):
                if new == line:
                    continue
                after = [*lines[:at], *([] if new is None else new.split("\n")), *lines[at + 1 :]]
                found.append(Change("\n".join(after), f"{key}: {section}: {what}", tuple(told)))
    return found


def sample(captures: dict[str, str], number: int) -> list[Change]:
    """So many of all captures' changes, of each kind about as many; the same ones each time."""
    kinds: dict[str, list[Change]] = {}
    for key, text in captures.items():
        for change in changes(key, text):
            kinds.setdefault(change.what.split(" of ")[0].split(": ", 1)[1], []).append(change)
    chosen: list[Change] = []
    draw = random.Random(7)
    for each in kinds.values():
        draw.shuffle(each)
    while len(chosen) < number:
        chosen += [each.pop() for each in kinds.values() if each]
    return chosen[:number]


def _of_line(key: str, section: str, line: str) -> Iterator[tuple]:
    makers = {"partitions": _partition, "nodes": _node}
    yield from makers.get(section, lambda *_: ())(key, line)


def _bumped(line: str, word: str, by: int = 1) -> str | None:
    found = re.search(rf"\b{word}=(\d+)(?=\s|$)", line)
    return line[: found.start(1)] + str(int(found[1]) + by) + line[found.end(1) :] if found else None


def _partition(key: str, line: str) -> Iterator[tuple]:
    name = line.split()[0].partition("=")[2]
    p, at = CLUSTERS[key].partitions[name], f"partitions.{re.escape(name)}"
    if p.max_time:
        yield re.sub(r"\bMaxTime=\S+", "MaxTime=77-07:00:00", line), f"time of {name}", f"{at}.max_time"
        yield re.sub(r"\bMaxTime=\S+", "MaxTime=UNLIMITED", line), f"no time limit of {name}", f"{at}.max_time"
    for word, fact in (("MaxNodes", "max_nodes"), ("MinNodes", "min_nodes"), ("MaxMemPerNode", "max_memory_per_node")):
        if getattr(p, fact) and (new := _bumped(line, word)):
            if not (fact == "min_nodes" and p.min_nodes == 1):
                yield new, f"{word} of {name}", f"{at}.{fact}"
    if p.max_cores_per_node and (new := _bumped(line, "MaxCPUsPerNode")):
        yield new, f"MaxCPUsPerNode of {name}", f"{at}.max_cores_per_node"
    if new := _bumped(line, "TotalNodes"):
        yield new, f"TotalNodes of {name}", f"{at}.node_count"
    yield line.replace("MinNodes=0", "MinNodes=17"), f"a new limit of {name}", f"{at}.min_nodes"
    if p.exclusive:
        yield line.replace("OverSubscribe=EXCLUSIVE", "OverSubscribe=NO"), f"sharing of {name}", f"{at}.exclusive"
    else:
        yield line.replace("OverSubscribe=NO", "OverSubscribe=EXCLUSIVE"), f"no sharing of {name}", f"{at}.exclusive"
    for word in ("DefMemPerNode", "DefMemPerCPU", "JobDefaults=DefMemPerGPU"):
        if new := _bumped(line, word, 1024):
            yield new, f"memory of a job of {name}", rf"(policy|{at})\.default_memory_per_\w+"
    yield f"{line}\n{line.replace(name, NEW, 1)}", f"a new partition like {name}", f"partitions.{NEW}"
    if not p.name and not any(other.name == name for other in CLUSTERS[key].partitions.values()):
        yield None, f"a lost partition of {name}", at
        yield line.replace(name, NEW, 1), f"another name of {name}", at, f"partitions.{NEW}"


def _node(key: str, line: str) -> Iterator[tuple]:
    types = CLUSTERS[key].node_types.values()
    memory = int(re.search(r"RealMemory=(\d+)", line)[1])
    counted = any(node.memory and int(node.memory.mib) == memory and node.count for node in types)
    if not counted:
        return
    yield _bumped(line, "Count"), f"number of nodes of {memory} MiB", r"node_types\.[\w+]+\.count"
    yield _bumped(line, "RealMemory", 1000), f"memory of nodes of {memory} MiB", r"node_types\.\w+\.memory"
    threads = int(re.search(r"ThreadsPerCore=(\d+)", line)[1])
    yield _bumped(line, "CPUEfctv", 8 * threads), f"cores of nodes of {memory} MiB", r"node_types\.\w+\.cores"
    if found := re.search(r"Gres=(gpu:[\w.]+):(\d+)", line):
        more = line.replace(found[0], f"Gres={found[1]}:{int(found[2]) + 1}")
        yield more, f"number of GPUs of {memory} MiB", r"node_types\.\w+\.gpus\.\w+"

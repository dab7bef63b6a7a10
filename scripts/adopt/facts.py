"""The facts that a capture shows, as plain data in the order of a facts file; and what it leaves open."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from scripts.adopt import gpus, questions
from scripts.adopt.kinds import Kind, kinds
from scripts.compare.capture import Capture, Record, minutes, number
from scripts.compare.compare import every
from scripts.compare.rows import merged, walltime
from scripts.errors import BadInput
from scripts.facts import Cluster, today
from scripts.facts.model import GROUPS
from scripts.facts.units import Walltime

SHOW = "Add the output of `{}`, or use the file of ask_cluster.sh."
WHOM = {"AllowAccounts": "accounts", "AllowGroups": "groups", "AllowQos": "qualities of service"}


@dataclass
class Adopted:
    """data: the facts. left_out: sentences about what the capture shows and the facts cannot hold."""

    data: dict[str, Any]
    left_out: list[str] = field(default_factory=list)


def facts(capture: Capture, key: str, name: str, source: dict[str, str]) -> Adopted:
    """Raises BadInput where the capture has no partitions, or no nodes."""
    partitions = {record.values["PartitionName"]: record for record in reversed(capture.partitions)}
    if not partitions:
        raise BadInput(capture.file, None, "it shows no partitions.", SHOW.format("scontrol show partition"))
    if not capture.nodes:
        raise BadInput(capture.file, None, "it shows no nodes.", SHOW.format("scontrol show node"))
    of_nodes = {name for record in capture.nodes for name in (record.get("Partitions") or "").split(",") if name}
    order = [record.values["PartitionName"] for record in capture.partitions]
    order = [*dict.fromkeys(order), *sorted(of_nodes - partitions.keys())]
    types, numbers = kinds(capture.nodes, order)
    adopted = Adopted({"name": name, "status": {"state": "active"}, "scheduler": {"kind": "slurm"}})
    data, doubts = adopted.data, {}
    if version := capture.config.get("SLURM_VERSION"):
        data["scheduler"]["version"] = version
    data["node_types"] = {kind.key: _node(kind) for kind in types}
    if all(kind.hardware.size("tmp") == 0 for kind in types):  # Slurm then refuses all that ask for local disk
        data["node_types"][types[0].key]["tmp"] = "0 MiB"
    data["gpus"], unknown = _gpus(types, doubts)
    data["partitions"] = {}
    for each in order:
        there = [kind.key for kind in types if kind.within(each)]
        if not there:
            adopted.left_out.append(f"partition {each}: the capture shows no node of it")
            continue
        p = data["partitions"][each] = {"node_types": there}
        if each in numbers:
            p["node_count"] = numbers[each]
        if each in partitions:
            p |= _said(partitions[each])
        else:
            doubts[f"partitions.{each}"] = "only its nodes are listed, not its limits"
    if not data["partitions"]:
        raise BadInput(capture.file, None, "it shows no node of its partitions.", SHOW.format("scontrol show node"))
    if qos := {record.values["Name"]: _qos(record) for record in _named(capture)}:
        data["qos"] = qos
    data["policy"] = {}
    if not (capture.selected and len(partitions) == 1):
        default = any(p.get("default") for p in data["partitions"].values())
        data["policy"]["partition"] = {"rule": "optional" if default else "required"}
    for kind in types:
        if not kind.sure:
            doubts[f"node_types.{kind.key}.count"] = "sinfo lists each partition for itself, so there may be more"
    data["unconfirmed"] = doubts
    data["unknown"] = questions.questions(data, unknown, capture)
    data["sources"] = {group: [source] for group in GROUPS if data.get(group)}
    data["sources"].setdefault("policy", [source])
    _limits(data, key, capture)
    adopted.data = {part: value for part, value in data.items() if value or part == "policy"}
    return adopted


def _node(kind: Kind) -> dict[str, Any]:
    hardware, count = kind.hardware, kind.count
    found: dict[str, Any] = {"count": count}
    for name in ("sockets", "cores", "threads_per_core"):
        if (size := hardware.size(name)) and (name != "threads_per_core" or size > 1):
            found[name] = size
    if hardware.architecture != "x86_64":
        found["architecture"] = hardware.architecture
    if memory := hardware.size("memory"):
        found["memory"] = f"{memory} MiB"
    if hardware.gpus:
        found["gpus"] = {_key(name): number for name, number in hardware.gpus}
    if tmp := hardware.size("tmp"):
        found["tmp"] = f"{tmp} MiB"
    if hardware.gres:
        found["gres"] = dict(hardware.gres)
    if hardware.features:
        found["features"] = list(hardware.features)
    return found


def _key(gres: str) -> str:
    return gres.partition(":")[2] or "gpu"


def _gpus(types: list[Kind], doubts: dict[str, str]) -> tuple[dict[str, Any], dict[str, tuple[str, ...]]]:
    """The GPUs; and of each required key that is not known what it may be. UPDATES doubts."""
    found: dict[str, Any] = {}
    unknown: dict[str, tuple[str, ...]] = {}
    names = sorted({name for kind in types for name, _ in kind.hardware.gpus})
    models = {name: gpus.model_of(name) for name in names}
    for name in names:
        key, model = _key(name), models[name]
        gpu = found[key] = {"model": model.name, "memory": model.memory, "request": f"--gres={name}:1", "gres": name}
        for part in ("model", "memory"):
            if gpu[part] is None:
                del gpu[part]
                unknown[f"gpus.{key}.{part}"] = model.forms
        if model.name and not model.slice:
            doubts[f"gpus.{key}.model"] = (
                f"the scheduler says only `{key}`; the rest is from the guide's table of devices"
            )
        if model.device:
            gpu["device"] = model.device
        if model.capability:
            gpu["compute_capability"] = model.capability
        if model.slice:
            whole = [_key(each) for each in names if not models[each].slice and models[each].chip == model.chip]
            gpu |= {"slice_of": whole[0]} if model.chip and len(whole) == 1 else {"slice": True}
        elif share := _share(name, types):
            gpu["fair_share"] = share
            doubts[f"gpus.{key}.fair_share"] = "a share of the node, calculated by `guide adopt`"
    return found, unknown


def _share(name: str, types: list[Kind]) -> dict[str, Any] | None:
    """The smallest part of a node that one of its GPUs is."""
    shares = []
    for kind in types:
        there = sum(count for _, count in kind.hardware.gpus)
        if name in dict(kind.hardware.gpus) and (cores := kind.hardware.size("cores")) and cores >= there:
            shares.append((cores // there, (kind.hardware.size("memory") or 0) // there))
    if not shares:
        return None
    cores, memory = min(shares)
    return {"cores": cores} | ({"memory": f"{memory} MiB"} if memory else {})


def _said(record: Record) -> dict[str, Any]:
    """What a partition says beside the limits that the facts have a key for."""
    found: dict[str, Any] = {}
    if record.values.get("Default") == "YES":
        found["default"] = True
    whom = [words for name, words in WHOM.items() if record.values.get(name) == "(some)"]
    if whom:
        found["access"] = f"only some {' and '.join(whom)}"
    notes = []
    if (state := record.get("State")) and state != "UP":
        notes.append(f"It accepted no jobs when the scheduler was asked ({state}).")
    if record.get("Hidden") == "YES":
        notes.append("It is hidden: `sinfo --all` lists it.")
    if (least := minutes(record.get("DefaultTime"))) is not None:
        notes.append(f"A job without `--time` gets {Walltime(walltime(least)).words}.")
    if most := number(record.get("MaxMemPerCPU")):
        notes.append(f"Slurm adds CPUs to a job that requests more than {most} MiB for each.")
    return found | ({"note": " ".join(notes)} if notes else {})


def _named(capture: Capture) -> list[Record]:
    """Qualities of service with a limit that the facts have a key for, and that are not a partition's own."""
    own = {record.values.get("QoS") for record in capture.partitions}
    return [qos for qos in capture.qos if minutes(qos.get("MaxWall")) and qos.values["Name"] not in own]


def _qos(record: Record) -> dict[str, Any]:
    return {"max_time": walltime(minutes(record.get("MaxWall")))}


def _limits(data: dict[str, Any], key: str, capture: Capture) -> None:
    """UPDATES the partitions: what `guide compare` says that only the cluster knows."""
    skeleton = Cluster.model_validate({**{part: value for part, value in data.items() if value}, "key": key,
                                       "policy": data["policy"]})  # fmt: skip
    for row in merged(every(skeleton, capture)):
        if row.edit and row.edit[0][0] == "partitions" and row.edit[1] is not None:
            (_, name, field), value = row.edit
            if field not in ("node_count", "default"):
                data["partitions"][name][field] = _typed(value)


def _typed(value: str) -> Any:
    return {"true": True, "false": False}.get(value) if value in ("true", "false") else _count(value)


def _count(value: str) -> Any:
    return int(value) if value.isdigit() else value


def source_of(name: str, address: str, date: str) -> dict[str, str]:
    """The capture as a source of facts."""
    return {"title": f"Asked {name} itself", "url": address, "dated": str(date), "read": str(today())}

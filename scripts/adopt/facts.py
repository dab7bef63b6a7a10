"""The facts that a capture shows, as plain data in the order of a facts file; and what it leaves open."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from scripts.adopt import gpus, questions
from scripts.adopt.kinds import UNSURE, Kind, kinds
from scripts.compare.capture import Capture, Record, minutes, number
from scripts.compare.compare import every
from scripts.compare.rows import merged, walltime
from scripts.compare.tables import UNCOUNTED
from scripts.errors import BadInput
from scripts.facts import Cluster, today
from scripts.facts.model import GROUPS
from scripts.facts.units import Walltime
from scripts.models import explained

SHOW = "Add the output of `{}`, or use the file of ask_cluster.sh."
WHOM = {"AllowAccounts": "accounts", "AllowGroups": "groups", "AllowQos": "qualities of service"}


@dataclass
class Adopted:
    """data: the facts. left_out: sentences about what the capture shows and the facts cannot hold."""

    data: dict[str, Any]
    left_out: list[str]


def facts(capture: Capture, key: str, name: str, source: dict[str, str]) -> Adopted:
    """Raises BadInput where the capture has no partitions, or no nodes."""
    if not capture.partitions:
        raise BadInput(capture.file, None, "the capture shows no partitions.", SHOW.format("scontrol show partition"))
    if not capture.nodes:
        raise BadInput(capture.file, None, "the capture shows no nodes.", SHOW.format("scontrol show node"))
    listed = {record.values["PartitionName"]: record for record in capture.partitions}
    of_nodes = {name for record in capture.nodes for name in (record.get("Partitions") or "").split(",") if name}
    order = [*listed, *sorted(of_nodes - listed.keys())]
    types, numbers = kinds(capture.nodes, order)
    there = {name: [kind.key for kind in types if kind.within(name)] for name in order}
    if not any(there.values()):
        raise BadInput(capture.file, None, "the partitions' nodes are missing.", SHOW.format("scontrol show node"))
    data: dict[str, Any] = {"name": name, "status": {"state": "active"}, "scheduler": _scheduler(capture)}
    doubts: dict[str, str] = {}
    if "version" in data["scheduler"] and "SLURM_VERSION" not in capture.config:
        doubts["scheduler.version"] = "this is the version on a node, and the controller's may be newer"
    data["node_types"] = _node_types(types, doubts)
    data["gpus"], unknown = _gpus(types, doubts, capture.kind)
    if not any("Gres" in record.values for record in capture.nodes):  # a table without that column
        del data["gpus"]
        unknown["gpus"] = ()
    data["partitions"] = {
        name: {"node_types": types}
        | ({"node_count": numbers[name]} if name in numbers else {})
        | (_said(listed[name]) if name in listed else {})
        for name, types in there.items()
        if types
    }
    for name in data["partitions"]:
        if name not in listed or "MaxTime" not in listed[name].values:
            doubts[f"partitions.{name}"] = "the capture shows its nodes, not its limits"
        else:
            _in_part(data, name, number(listed[name].get("TotalNodes")), types, doubts)
    data["qos"] = {qos.values["Name"]: {"max_time": walltime(minutes(qos.get("MaxWall")))} for qos in _named(capture)}
    default = any(p.get("default") for p in data["partitions"].values())
    data["policy"] = {"partition": {"rule": "optional"}} if default else {}
    data["unconfirmed"] = doubts
    data["unknown"] = questions.questions(data, unknown, capture)
    data["sources"] = {group: [source] for group in GROUPS if data.get(group)}
    data["sources"].setdefault("policy", [source])
    _limits(data, key, capture)
    left_out = [
        f"partition {name}, because the capture does not show its nodes. Add the output of `scontrol show node`"
        for name, types in there.items()
        if not types
    ]
    return Adopted({part: value for part, value in data.items() if value or part in ("gpus", "policy")}, left_out)


def _in_part(data: dict[str, Any], name: str, whole: int | None, types: list[Kind], doubts: dict[str, str]) -> None:
    """UPDATES the facts and doubts where the capture shows only some nodes of a partition: how many of which type there
    are is then not known.
    """
    there = [kind for kind in types if kind.within(name)]
    shown = sum(kind.within(name) for kind in there)
    if whole and shown < whole:
        data["partitions"][name]["node_count"] = whole
        for kind in there:
            data["node_types"][kind.key].pop("count", None)
            doubts[f"node_types.{kind.key}"] = f"the capture shows {shown} of the {whole} nodes of {name}"


def _scheduler(capture: Capture) -> dict[str, str]:
    version = capture.config.get("SLURM_VERSION", capture.config.get("NodeVersion", ""))
    return {"kind": capture.kind} | ({"version": version} if re.fullmatch(r"[0-9]+\.[0-9a-z.-]+", version) else {})


def _node_types(types: list[Kind], doubts: dict[str, str]) -> dict[str, Any]:
    """UPDATES doubts."""
    for kind in types:
        if kind.unsure:
            doubts[f"node_types.{kind.key}"] = kind.unsure
    found = {kind.key: _node(kind) for kind in types}
    if all(kind.hardware.size("tmp") == 0 for kind in types):  # Slurm then refuses all that ask for local disk
        found[types[0].key]["tmp"] = "0 MiB"
    return found


def _node(kind: Kind) -> dict[str, Any]:
    hardware, count = kind.hardware, kind.count
    found: dict[str, Any] = {} if kind.unsure == UNSURE[UNCOUNTED] else {"count": count}
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


def _gpus(
    types: list[Kind], doubts: dict[str, str], scheduler: str
) -> tuple[dict[str, Any], dict[str, tuple[str, ...]]]:
    """The GPUs; and of each required key that is not known what it may be. UPDATES doubts."""
    found: dict[str, Any] = {}
    unknown: dict[str, tuple[str, ...]] = {}
    names = sorted({name for kind in types for name, _ in kind.hardware.gpus})
    models = {name: gpus.model_of(name) for name in names}
    for name in names:
        key, model = _key(name), models[name]
        asked = {"request": f"--gres={name}:1", "gres": name}
        if scheduler == "grid_engine":
            asked = {"request": f"-l {key}=1", "gres": key}
        gpu = found[key] = {"model": model.name, "memory": model.memory, **asked}
        for part in ("model", "memory"):
            if gpu[part] is None:
                del gpu[part]
                unknown[f"gpus.{key}.{part}"] = model.forms
        if model.name and not model.slice:
            doubts[f"gpus.{key}.model"] = (
                f"the scheduler reports only `{key}`, and the rest is from the guide's table of devices"
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
        notes.append(f"It accepted no jobs on the day of the capture ({state}).")
    if record.values.get("DenyAccounts") == "(some)":
        notes.append("Some accounts may not use it.")
    if record.get("Hidden") == "YES":
        notes.append("It is hidden: `sinfo --all` lists it.")
    if (least := minutes(record.get("DefaultTime"))) is not None:
        notes.append(f"A job without `--time` gets {Walltime(walltime(least)).words}.")
    if most := number(record.get("MaxMemPerCPU")):
        notes.append(f"Slurm adds CPUs to a job that requests more than {most} MiB per CPU.")
    return found | ({"note": " ".join(notes)} if notes else {})


def _named(capture: Capture) -> list[Record]:
    """Qualities of service with a limit that the facts have a key for, and that are not a partition's own."""
    own = {record.values.get("QoS") for record in capture.partitions}
    return [qos for qos in capture.qos if minutes(qos.get("MaxWall")) and qos.values["Name"] not in own]


def _limits(data: dict[str, Any], key: str, capture: Capture) -> None:
    """UPDATES the partitions: what `guide compare` says that only the cluster knows."""
    try:
        skeleton = Cluster.model_validate({**data, "key": key})
    except ValidationError as fault:  # a name that no scheduler has
        raise explained(fault, Cluster, {(): 0}, Path(capture.file), "")[0] from None
    for row in merged(every(skeleton, capture)):
        if row.edit and row.edit[0][0] == "partitions" and row.edit[1] is not None:
            (_, name, field), value = row.edit
            if field not in ("node_count", "default"):
                data["partitions"][name][field] = _typed(value)


def _typed(value: str) -> Any:
    return {"true": True, "false": False}.get(value, int(value) if value.isdigit() else value)


def source_of(name: str, address: str, date: str) -> dict[str, str]:
    """The capture as a source of facts."""
    return {"title": f"Asked {name} itself", "url": address, "dated": str(date), "read": str(today())}

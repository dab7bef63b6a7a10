"""Partitions of a capture, held against those of the facts."""

from collections.abc import Iterator

from scripts.compare import known
from scripts.compare.capture import Capture, Record, minutes, number
from scripts.compare.rows import AGREES, CLUSTER_ONLY, DIFFERS, FACTS_ONLY, PARTITION, Row, held, walltime, written
from scripts.facts import Cluster
from scripts.twin.slurm import conf

MEMORY_DEFAULTS = ("DefMemPerNode", "DefMemPerGPU", "DefMemPerCPU")


def key_of(cluster: Cluster, name: str, gpus: bool | None = None) -> str | None:
    """The facts' key of a partition by the name that the cluster shows; None if the facts have none.

    gpus: whether its nodes have GPUs, where the capture shows that: some clusters have two partitions of one name.
    """
    same = [key for key, p in cluster.partitions.items() if p.name == name]
    if same and gpus:
        return same[0]
    if name in cluster.partitions:
        return name
    return same[0] if same else None


def with_gpus(capture: Capture) -> dict[str, bool]:
    """Of each partition, as far as the capture shows nodes: does one of them have GPUs?"""
    found: dict[str, bool] = {}
    for record in capture.nodes:
        if "Gres" in record.values:
            for name in (record.get("Partitions") or "").split(","):
                found[name] = found.get(name, False) or "gpu" in record.values["Gres"]
    return found


def rows(cluster: Cluster, capture: Capture) -> Iterator[Row]:
    """A row for each limit that one of the two has."""
    if not capture.partitions:
        return
    gpus, where = with_gpus(capture), capture.partitions[0].where
    shown = set()
    for record in capture.partitions:
        name = record.values["PartitionName"]
        if key := key_of(cluster, name, gpus.get(name)):
            shown.add(key)
            yield from _limits(cluster, key, record, capture)
        else:
            yield Row(f"partitions.{name}", CLUSTER_ONLY, "", PARTITION, where)
    if not (capture.asked or (not capture.selected and 2 * len(shown) > len(cluster.partitions))):
        return
    names = {p.name for p in cluster.partitions.values()}  # two partitions of one name are shown as one
    listed = {record.values["PartitionName"] for record in capture.partitions}
    for key, p in cluster.partitions.items():
        if not (key in shown | names or p.name in listed):
            yield Row(f"partitions.{key}", FACTS_ONLY, PARTITION, "", where)


def _limits(cluster: Cluster, key: str, record: Record, capture: Capture) -> Iterator[Row]:
    facts = known.partition(cluster, key)
    for field in known.LIMITS:
        if field in record.values:
            yield from _row(cluster, key, field, facts.get(field), _theirs(field, record, capture), record)
    for field in ("OverSubscribe", "Default", "TotalNodes"):
        if field in record.values and (field != "TotalNodes" or record.get(field) != "0"):
            yield from _row(cluster, key, field, facts.get(field), known.shown(field, record.get(field)), record)
    if "DefMemPerNode" in record.values or "DefMemPerCPU" in record.values:
        yield from _memory(cluster, key, facts, record, capture)
    yield from _of_users(cluster, key, record, capture)


def _theirs(field: str, record: Record, capture: Capture) -> known.Value:
    """A limit; where the partition has none, that of its quality of service, or of the whole cluster."""
    if (value := known.shown(field, record.get(field))) is not None:
        return value
    if field == "MaxNodes" and (qos := _qos(record, capture)):
        return number(_tres(qos.get("MaxTRES")).get("node"))
    if field == "MaxTime" and (qos := _qos(record, capture)):
        return minutes(qos.get("MaxWall"))
    if field == "MaxMemPerNode":
        return number(capture.config.get("MaxMemPerNode"))
    return None


def _qos(record: Record, capture: Capture) -> Record | None:
    return next((qos for qos in capture.qos if qos.values["Name"] == record.values.get("QoS")), None)


def _tres(text: str | None) -> dict[str, str]:
    """`node=4,gres/gpu=8` by name."""
    return dict(each.split("=", 1) for each in (text or "").split(",") if "=" in each)


def _row(
    cluster: Cluster, key: str, field: str, ours: known.Value, theirs: known.Value, record: Record
) -> Iterator[Row]:
    p = cluster.partitions[key]
    name = known.FIELDS[field]
    path: tuple[str, ...] = ("partitions", key, name)
    if theirs == p.max_nodes_without_allocation and field == "MaxNodes" and theirs is not None:
        ours = theirs  # it shows what an account without an allocation may have
    dotted, place = ".".join(path), record.where
    if not ours and not theirs:  # nothing, or a flag that neither has
        return
    if field == "Default" and theirs and not any(each.default for each in cluster.partitions.values()):
        ours = None  # the facts know of none
    kept = getattr(p, name, None)
    said = written(field, ours) if kept is None or isinstance(kept, bool) else str(kept)
    if ours == theirs:
        yield Row(dotted, AGREES, said, said, place)
    elif ours is None:
        yield Row(dotted, CLUSTER_ONLY, "", written(field, theirs), place, (path, written(field, theirs)))
    elif theirs is None and field in ("OverSubscribe", "Default"):
        return
    elif theirs is None and field != "MaxTime" and ("QoS" not in record.values or record.get("QoS")):
        yield Row(dotted, FACTS_ONLY, said, "not shown; a quality of service may set it", place)
    else:
        value = None if theirs is None or theirs is False else written(field, theirs)
        yield Row(dotted, DIFFERS, said, written(field, theirs), place, (path, value))


def _memory(cluster: Cluster, key: str, facts: dict, record: Record, capture: Capture) -> Iterator[Row]:
    """Memory of a job that asks for none: of the partition, or else of the cluster."""
    p = cluster.partitions[key]
    of_jobs = _tres(record.get("JobDefaults")) or _tres(capture.config.get("JobDefaults"))
    shown = {name: known.shown(name, record.get(name)) for name in MEMORY_DEFAULTS}
    shown["DefMemPerGPU"] = number(of_jobs.get("DefMemPerGPU"))
    whole = {name: number(capture.config.get(name)) for name in MEMORY_DEFAULTS}
    theirs = next(((n, v) for values in (shown, whole) for n, v in values.items() if v is not None), None)
    ours = next(((name, facts[name]) for name in MEMORY_DEFAULTS if name in facts), None)
    if ours is None and theirs is None:
        return
    place, threads = record.where, conf.threads_per_core(cluster, p)

    def told(default: tuple[str, known.Value]) -> str:
        return written(default[0], default[1] * threads if default[0] == "DefMemPerCPU" else default[1])

    field = known.FIELDS[(ours or theirs)[0]]
    in_policy = bool(ours) and getattr(p, field) is None
    path = ("policy", field) if in_policy else ("partitions", key, field)
    said = str(getattr(cluster.policy if in_policy else p, field)) if ours else ""
    if ours == theirs:
        yield Row(".".join(path), AGREES, said, said, place)
    elif ours is None:
        yield Row(".".join(path), CLUSTER_ONLY, "", told(theirs), place, (path, told(theirs)))
    elif theirs is None:
        verdict = DIFFERS if capture.config else FACTS_ONLY
        yield Row(".".join(path), verdict, said, "none", place, (path, None) if verdict == DIFFERS else None)
    else:
        same = ours[0] == theirs[0]
        text = told(theirs) if same else f"{told(theirs)} as {known.FIELDS[theirs[0]]}"
        yield Row(".".join(path), DIFFERS, said, text, place, (path, told(theirs)) if same else None)


def _of_users(cluster: Cluster, key: str, record: Record, capture: Capture) -> Iterator[Row]:
    """What the partition's quality of service keeps of one job, or of all jobs of a user."""
    qos = _qos(record, capture)
    if not qos:
        return
    p = cluster.partitions[key]
    cpus = number(_tres(qos.get("MaxTRES")).get("cpu"))
    shown = {
        "max_jobs": number(qos.get("MaxSubmitPU")),
        "max_running_jobs": number(qos.get("MaxJobsPU")),
        "max_gpus": number(_tres(qos.get("MaxTRES")).get("gres/gpu")),
        "max_cores": cpus and cpus // conf.threads_per_core(cluster, p),
        "min_gpus": number(_tres(qos.get("MinTRES")).get("gres/gpu")),
    }
    for name, theirs in shown.items():
        if theirs is not None:
            yield held(("partitions", key, name), getattr(p, name), theirs, qos.where)


def of_qos(cluster: Cluster, capture: Capture) -> Iterator[Row]:
    """Qualities of service: their names, and the longest time."""
    for record in capture.qos:
        name, time = record.values["Name"], minutes(record.get("MaxWall"))
        ours = cluster.qos.get(name)
        if not ours:
            yield Row(f"qos.{name}", CLUSTER_ONLY, "", "a quality of service", record.where)
        elif ours.max_time and time is not None:
            yield held(("qos", name, "max_time"), ours.max_time, walltime(time), record.where)
    if capture.qos:
        shown = {record.values["Name"] for record in capture.qos}
        for name in (each for each in cluster.qos if each not in shown):
            yield Row(f"qos.{name}", FACTS_ONLY, "a quality of service", "", capture.qos[0].where)

"""What the scheduler understood a script to ask for. It is read back from the cluster's twin, never guessed here."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass

from scripts.facts import Cluster
from scripts.twin import twin_of

UNLIMITED = 2**32 - 1  # minutes: what --time=0 asks for


@dataclass(frozen=True)
class GpuRequest:
    """So many GPUs per job, node, task or socket; `type` is empty where none was named."""

    type: str
    per: str
    number: int


@dataclass(frozen=True)
class Job:
    """One job, or one component of a heterogeneous job. None, or nothing, for what was not said.

    Memory and disk in MiB, times in minutes; a memory of 0 asks for all of a node's, a time of UNLIMITED for no limit.
    `cores` are those of the whole job, at least; with `multithread` they are hardware threads. `routed` is the
    partition where a job goes that names none.
    """

    account: str | None = None
    partition: str | None = None
    routed: str | None = None
    qos: str | None = None
    time_limit: int | None = None
    time_min: int | None = None
    nodes: int | None = None
    max_nodes: int | None = None
    tasks: int | None = None
    tasks_per_node: int | None = None
    tasks_per_socket: int | None = None
    tasks_per_gpu: int | None = None
    cpus_per_task: int | None = None
    cpus_per_gpu: int | None = None
    cores: int | None = None
    min_cores_per_node: int | None = None
    memory_per_node: int | None = None
    memory_per_cpu: int | None = None
    memory_per_gpu: int | None = None
    gpus: tuple[GpuRequest, ...] = ()
    gpus_total: int = 0
    gpus_per_node: int | None = None
    other_gres: tuple[str, ...] = ()
    features: str | None = None
    exclusive: bool = False
    array: str | None = None
    dependency: str | None = None
    licenses: str | None = None
    reservation: str | None = None
    clusters: str | None = None
    burst_buffer: str | None = None
    tmp_disk: int | None = None
    threads_per_core: int | None = None
    multithread: bool = False
    sockets_per_node: int | None = None
    nodelist: str | None = None
    exclude: str | None = None
    name: str | None = None
    work_dir: str | None = None
    std_out: str | None = None
    std_err: str | None = None
    mail_user: str | None = None
    requested: tuple[str, ...] = ()  # Grid Engine: its hard resources, `h_rt=3600`


@dataclass(frozen=True)
class Asked:
    """A scheduler's answer: taken or not, its words, and a job for each component as it understood them."""

    accepted: bool
    said: str
    jobs: tuple[Job, ...] = ()

    @property
    def job(self) -> Job:
        """The only component, or the first; an empty one where the scheduler never came so far."""
        return self.jobs[0] if self.jobs else Job()


def asked(cluster: Cluster, script: bytes, name: str = "job.sh") -> Asked:
    """What the cluster's twin says to a script, and what it takes it to be.

    Raises BadInput if there is no twin here, or none that answers.
    """
    done, out = twin_of(cluster).ask(script, name)
    if cluster.scheduler.kind == "grid_engine":
        jobs = [_grid_engine(dict(line.split("=", 1) for line in out.splitlines()), cluster)] if out else []
    else:
        records = [json.loads(line) for line in out.splitlines()]
        pairs = zip(records[::2], records[1::2], strict=True)
        jobs = [_slurm(job, routed.get("partition"), cluster) for job, routed in pairs]
    return Asked(done.returncode == 0, done.stderr, tuple(jobs))


NOT_SAID = {32: {2**32 - 2}, 16: {2**16 - 2, 2**16 - 1}}  # Slurm's NO_VAL and INFINITE16


def _slurm(job: dict, routed: str | None, cluster: Cluster) -> Job:
    """A job of job_submit.lua. Between versions only the TRES differ: `gres:gpu:2`, `gres/gpu:2`, `gres/gpu=2`."""

    def number(field: str, bits: int = 32) -> int | None:
        value = job.get(field)
        return None if value is None or value in NOT_SAID[bits] else value

    nodes = number("min_nodes")
    tasks, per_node = number("num_tasks"), number("ntasks_per_node", 16)
    tasks = tasks or (nodes * per_node if nodes and per_node else None)  # newer sbatch leaves this to slurmctld
    places = {"job": 1, "node": nodes or 1, "task": tasks or (per_node or 1) * (nodes or 1)}
    places["socket"] = (number("sockets_per_node", 16) or 1) * places["node"]
    gpus, others = [], []
    for per in places:
        for kind, found in _gres(job.get(f"tres_per_{per}")):
            if kind.partition(":")[0] == "gpu":
                gpus.append(GpuRequest(kind.partition(":")[2], per, found))
            else:
                others.append(f"{kind}:{found}")
    total = max((sum(gpu.number for gpu in gpus if gpu.per == per) * times for per, times in places.items()), default=0)
    on_node = sum(gpu.number for gpu in gpus if gpu.per == "node")
    per_gpu = {field: next((count for _, count in _gres(job.get(field))), None) for field in PER_GPU}
    cpus_per_task = number("cpus_per_task", 16) or next(
        (count for kind, count in _tres(job.get("tres_per_task")) if kind == "cpu"), None
    )
    least = max(number("min_cpus") or 1, (per_gpu["cpus_per_tres"] or 0) * total)
    text = {field: job.get(name) for field, name in TEXT.items()}
    return Job(
        **text,
        routed=None if job.get("partition") else routed or _default(cluster),
        time_limit=number("time_limit"),
        time_min=number("time_min"),
        nodes=nodes,
        max_nodes=number("max_nodes"),
        tasks=tasks,
        tasks_per_node=per_node,
        tasks_per_socket=number("ntasks_per_socket", 16),
        tasks_per_gpu=number("ntasks_per_tres", 16),
        cpus_per_task=cpus_per_task,
        cpus_per_gpu=per_gpu["cpus_per_tres"],
        cores=least,
        min_cores_per_node=number("pn_min_cpus", 16),
        memory_per_node=job.get("min_mem_per_node"),
        memory_per_cpu=job.get("min_mem_per_cpu"),
        memory_per_gpu=per_gpu["mem_per_tres"],
        gpus=tuple(gpus),
        gpus_total=total,
        gpus_per_node=on_node or (math.ceil(total / (nodes or 1)) if total else None),
        other_gres=tuple(others),
        exclusive=job.get("shared") == 0,
        tmp_disk=number("pn_min_tmp_disk"),
        threads_per_core=number("threads_per_core", 16),
        sockets_per_node=number("sockets_per_node", 16),
        multithread=job.get("ntasks_per_core") == MULTITHREAD,
    )


MULTITHREAD = 2**16 - 1  # what --hint=multithread puts into ntasks_per_core
PER_GPU = ("cpus_per_tres", "mem_per_tres")
TEXT = {name: name for name in ("account", "partition", "qos", "features", "dependency", "licenses", "reservation")} | {
    name: name for name in ("clusters", "burst_buffer", "name", "work_dir", "std_out", "std_err", "mail_user")
}
TEXT |= {"array": "array_inx", "nodelist": "req_nodes", "exclude": "exc_nodes"}


def _tres(text: str | None) -> list[tuple[str, int]]:
    """`gres:gpu:v100:2,gres/nvme=3` -> [("gres/gpu:v100", 2), ("gres/nvme", 3)]"""
    found = []
    for item in (text or "").split(","):
        if parts := re.fullmatch(r"(.+?)[:=](\d+)([KMGTP]?)", item.strip()):
            number = int(parts[2]) * 1024 ** "KMGTP".find(parts[3]) * 1024 if parts[3] else int(parts[2])
            found.append((parts[1].replace("gres:", "gres/", 1), number))
        elif item.strip():
            found.append((item.strip().replace("gres:", "gres/", 1), 1))
    return found


def _gres(text: str | None) -> list[tuple[str, int]]:
    """The generic resources alone: [("gpu:v100", 2), ("nvme", 3)]"""
    return [(kind.removeprefix("gres/"), number) for kind, number in _tres(text) if kind.startswith("gres/")]


def _default(cluster: Cluster) -> str | None:
    return next((key for key, partition in cluster.partitions.items() if partition.default), None)


def _grid_engine(job: dict[str, str], cluster: Cluster) -> Job:
    """A job of the JSV: its parameters, `l_hard.h_rt` and so on."""
    hard = {name.removeprefix("l_hard."): value for name, value in job.items() if name.startswith("l_hard.")}
    known = {gpu.gres for gpu in cluster.gpus.values() if gpu.gres}
    gpus = [GpuRequest(name, "job", int(value)) for name, value in hard.items() if name in known and value.isdigit()]
    total = sum(gpu.number for gpu in gpus)
    slots = int(job["pe_max"]) if job.get("pe_max", "").isdigit() else None
    names = {key: [name.split(".", 1)[1] for name in job if name.startswith(f"{key}.")] for key in ("o", "e", "M")}
    array = f"{job['t_min']}-{job['t_max']}:{job['t_step']}" if "t_min" in job else None
    return Job(
        account=job.get("P"),
        partition=",".join(name.removeprefix("q_hard.") for name in job if name.startswith("q_hard.")) or None,
        routed=next(iter(cluster.partitions), None),
        time_limit=_minutes(hard.get("h_rt")),
        tasks=slots,
        cores=slots or 1,
        memory_per_cpu=_mebibytes(hard.get("h_vmem")),
        gpus=tuple(gpus),
        gpus_total=total,
        gpus_per_node=total or None,
        array=array,
        dependency=",".join(name.removeprefix("hold_jid.") for name in job if name.startswith("hold_jid.")) or None,
        name=job.get("N"),
        work_dir=job.get("cwd"),
        std_out=next(iter(names["o"]), None),
        std_err=next(iter(names["e"]), None),
        mail_user=next(iter(names["M"]), None),
        requested=tuple(f"{name}={value}" for name, value in hard.items()),
    )


def _minutes(text: str | None) -> int | None:
    """Grid Engine's times: seconds, or `hours:minutes:seconds` with any of them left out."""
    if not text or not re.fullmatch(r"[\d:]+", text):
        return None
    parts = [int(part or 0) for part in text.split(":")]
    seconds = (
        parts[0] if len(parts) == 1 else sum(part * unit for part, unit in zip(parts, (3600, 60, 1), strict=False))
    )
    return math.ceil(seconds / 60)


_BYTES = {letter: 1024**power for power, letter in enumerate("KMGT", 1)} | {
    letter: 1000**power for power, letter in enumerate("kmgt", 1)
}


def _mebibytes(text: str | None) -> int | None:
    parts = re.fullmatch(r"(\d+(?:\.\d*)?)([KMGTkmgt]?)", text or "")
    return round(float(parts[1]) * _BYTES.get(parts[2], 1) / 2**20) if parts else None

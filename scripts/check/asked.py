"""What the scheduler understood a script to ask for. It is read back from the cluster's twin, never guessed here."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class GpuRequest:
    """So many GPUs per job, node, task or socket; `type` is empty where none was named."""

    type: str
    per: str
    number: int


@dataclass(frozen=True)
class Job:
    """One job, or one component of a heterogeneous job. None, or nothing, for what was not said.

    Memory and disk in MiB, times in minutes. `cores` are those of the whole job, at least; `routed` is the partition
    where a job goes that names none.
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

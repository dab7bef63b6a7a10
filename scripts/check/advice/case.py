"""What an advice looks at: the cluster, the job as the scheduler understood it, and the script's commands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from scripts.check.advice.commands import Command
from scripts.check.asked import Job
from scripts.check.directives import Option, last
from scripts.check.report import Report
from scripts.check.slurm_options import SHORT, TAKES
from scripts.check.source import doubt, source
from scripts.facts import Cluster, Gpu, NodeType, Partition, Requirement, Rule

# Commands that prepare a job or talk of it, and compute nothing.
SETUP = frozenset(
    ". : [ [[ alias cat cd chmod command cp date declare df echo env exit export false hash hostname id ls lscpu mkdir "
    "ml module mv printenv printf pwd read rm scontrol set shopt source squeue tee test trap true type ulimit umask "
    "uname unset wait which whoami".split()
)
LAUNCHERS = frozenset(
    "srun mpirun mpiexec orterun time numactl taskset timeout stdbuf nice exec nohup nvprof nsys".split()
)


@dataclass(frozen=True)
class Case:
    cluster: Cluster
    job: Job
    every: list[Option]  # all options of the directives
    commands: list[Command]
    lines: list[str]
    file: str

    @cached_property
    def options(self) -> dict[str, Option]:
        """The one that counts of each name."""
        return last(self.every)

    @property
    def certain(self) -> list[Command]:
        """The commands that run whatever else happens."""
        return [command for command in self.commands if command.certain]

    @property
    def wants_gpu(self) -> bool:
        return self.job.gpus_total > 0

    @property
    def gpu_option(self) -> Option | None:
        """The option that asks for GPUs, also where the scheduler refused it."""
        gres = self.option("gres")
        named = gres if gres and "gpu" in (gres.value or "") else None
        asked = self.option("gpus", "gpus-per-node", "gpus-per-task", "gpus-per-socket", "tres-per-task") or named
        return asked or next(filter(None, map(self.resource, names_of_all(self.cluster))), None)

    def resource(self, name: str) -> Option | None:
        """Grid Engine: the `-l` that asks for this resource."""
        return next((each for each in self.every if each.name == "l" and f"{name}=" in (each.value or "")), None)

    @property
    def cores(self) -> int:
        """Cores of the whole job, in any form of request."""
        job = self.job
        tasks = job.tasks or (job.tasks_per_node or 1) * (job.nodes or 1)
        return max(job.cores or 1, tasks * (job.cpus_per_task or 1), (job.cpus_per_gpu or 0) * job.gpus_total)

    @property
    def memory(self) -> float | None:
        """MiB of the whole job as asked for; 0 is `all of the node`; None if nothing was said."""
        job = self.job
        if job.memory_per_node is not None:
            return job.memory_per_node * (job.nodes or 1)
        if job.memory_per_cpu is not None:
            return job.memory_per_cpu * self.cores
        return None if job.memory_per_gpu is None else job.memory_per_gpu * job.gpus_total

    @cached_property
    def partitions(self) -> dict[str, Partition]:
        """Those that the facts know of the partitions where the job may run."""
        at = self.option("partition", "q")
        names = ((at.value if at else self.job.partition or self.job.routed) or "").split(",")
        return {name: self.cluster.partitions[name] for name in names if name in self.cluster.partitions}

    @cached_property
    def gpus(self) -> dict[str, Gpu]:
        """The kinds of GPU that the job may get, by their key in the facts."""
        asked = {request.type for request in self.job.gpus}
        if not asked:
            return {}
        named = {key: gpu for key, gpu in self.cluster.gpus.items() if asked & names_of(gpu)}
        if named:
            return named
        if asked != {""}:
            return {}
        there = {key for node in self._nodes() for key in node.gpus}
        return {key: gpu for key, gpu in self.cluster.gpus.items() if key in there or not there}

    @cached_property
    def nodes(self) -> list[NodeType]:
        """The kinds of node where the job may run."""
        there = list(self._nodes())
        with_gpu = [
            [node for node in nodes if node.gpus.keys() & self.gpus.keys()]
            for nodes in (there, self.cluster.node_types.values())
        ]
        return with_gpu[0] or with_gpu[1] or there

    def _nodes(self) -> Iterator[NodeType]:
        keys = [key for partition in self.partitions.values() for key in partition.node_types]
        for key in dict.fromkeys(keys or self.cluster.node_types):
            yield self.cluster.node_types[key]

    def rule(self, requirement: Requirement) -> Rule:
        """What this cluster asks of such a job."""
        return requirement.gpu_jobs or requirement.rule if self.wants_gpu else requirement.rule

    def option(self, *names: str) -> Option | None:
        """The first of these options that the script has."""
        return next((self.options[name] for name in names if name in self.options), None)

    def report(
        self,
        rule: str,
        what: str,
        cure: str,
        at: Option | Command | None = None,
        fact: str = "",
        kind: str = "unwise",
        limit: str | None = None,
        group: str | None = None,
    ) -> Report:
        """A finding with its source; doubtful, with the doubt, where the fact that it rests on is not confirmed.

        fact: its dotted key. group: whose source it has, where it rests on what a group of facts does not have.
        """
        why = doubt(self.cluster, fact) if fact else None
        if why and kind != "not judged":
            kind, what = "doubtful", f"{what} This is not certain: {why.rstrip('.')}."
        option = at.written if isinstance(at, Option) else None
        said_by = source(self.cluster, group or fact) if group or fact else None
        return Report(self.file, at.line if at else 1, kind, what, cure, rule, option, limit, said_by)


def names_of(gpu: Gpu) -> set[str]:
    """The types that a request may name: `h100` of `gpu:h100`; of Grid Engine the resource itself."""
    names = [gpu.gres or "", *gpu.synonyms]
    return {name.removeprefix("gpu:") for name in names} - {"", "gpu"}


def names_of_all(cluster: Cluster) -> set[str]:
    return {name for gpu in cluster.gpus.values() for name in names_of(gpu)}


def payload(command: Command) -> tuple[str, ...]:
    """The words of what is started in the end: without srun, mpirun, time and their options."""
    words = list(command.words)
    while words and PurePosixPath(words[0]).name in LAUNCHERS:
        launcher = PurePosixPath(words.pop(0)).name
        while words and words[0].startswith("-"):
            option = words.pop(0)
            if words and "=" not in option and _takes_a_word(launcher, option, words[0]):
                words.pop(0)
        if launcher in ("timeout", "taskset") and words:
            words.pop(0)  # the time, or the cores
    return tuple(words)


def _takes_a_word(launcher: str, option: str, following: str) -> bool:
    if launcher == "srun":
        name = option[2:] if option.startswith("--") else SHORT.get(option[1:])
        return TAKES.get(name or "", "value" if name and name.startswith("mpi") else "none") == "value"
    return launcher in ("mpirun", "mpiexec", "orterun") and not following.startswith(("-", "/", "."))


def program(command: Command) -> str:
    """The name of what is started in the end."""
    words = payload(command)
    return PurePosixPath(words[0]).name if words else ""

"""Which fields of the facts are at work in a twin: each in a pair of jobs, or here with the reason why in none."""

from __future__ import annotations

from collections.abc import Iterator

from scripts.facts.model import FairShare, Gpu, NodeType, Partition, Policy, Qos
from tests.twin.pairs import Pair

MODELS = {"partitions": Partition, "node_types": NodeType, "gpus": Gpu, "policy": Policy, "qos": Qos}

WORDS = "it is words for readers"
GIVES = "it refuses nothing: it is what a job gets"
DEVICE = "no job can ask for it"
NOT_JUDGED = {
    "Partition.purpose": WORDS,
    "Partition.access": "who you are is not known here",
    "Partition.note": WORDS,
    "Partition.exclusive": GIVES,
    "Partition.max_running_jobs": "it refuses nothing: a job past it waits",
    "NodeType.description": WORDS,
    "NodeType.architecture": "no job is refused for it: programs for another do not start",
    "NodeType.cpu": DEVICE,
    "NodeType.local_disk": "what --tmp can ask for is `tmp`",
    "Gpu.model": DEVICE,
    "Gpu.device": DEVICE,
    "Gpu.memory": DEVICE,
    "Gpu.compute_capability": DEVICE,
    "Gpu.oldest_cuda": DEVICE,
    "Gpu.note": WORDS,
    "Policy.sample_account": "every job of a pair has it, and so would any other",
    "Policy.account_forms": "who you are is not known here: the check says it",
    "Policy.account_endings": "who you are is not known here: the check says it",
    "Policy.submit_in_jobs": "no job is refused for it, but what it submits",
    "Policy.login_shell_without_export": "no job is refused for it: it is how one starts",
    "Policy.internet_on_compute_nodes": "it refuses nothing: the job runs, and reaches nothing",
    "Policy.submit_from": "it is words, and folders that are not here",
    "Policy.notes": WORDS,
    "Qos.cost": WORDS,
    "Qos.purpose": WORDS,
}

# Those that refuse nothing, in the words of docs/about/how-checked.md.
ON_THE_PAGE = {
    "Partition.max_running_jobs": "the number of your jobs that run at once",
    "Partition.exclusive": "whole nodes (`exclusive`)",
    "Policy.internet_on_compute_nodes": "the internet on compute nodes",
}

# Pairs that are named by what they try of a node.
TRIED = {
    "GPUs of a node": "NodeType.gpus",
    "memory of a node": "NodeType.memory",
    "sockets": "NodeType.sockets",
    "threads_per_core": "NodeType.threads_per_core",
    "tmp": "NodeType.tmp",
    "gres": "NodeType.gres",
}


def fields() -> list[str]:
    return [f"{model.__name__}.{name}" for model in (*MODELS.values(), FairShare) for name in model.model_fields]


def fields_of(pair: Pair) -> Iterator[str]:
    """The fields that this pair tries, by its name: `gpu.max_time`, `gpus.v100.request`, `policy.account`."""
    key, _, tried = pair.limit.partition(": ")
    group, _, rest = key.partition(".")
    *_, owner, last = ("", *rest.split(".")) if group in MODELS else ("", "", *key.split("."))
    if tried:
        yield from [field for words, field in TRIED.items() if tried.startswith(words)]
    elif owner == "fair_share":
        yield from ("Gpu.fair_share", f"FairShare.{last}")
    else:
        model = MODELS.get(group, Partition)
        if last in model.model_fields:
            yield f"{model.__name__}.{last}"
    if group == "gpus":
        yield from ("Gpu.gres", "Partition.node_types")  # its name, where it is

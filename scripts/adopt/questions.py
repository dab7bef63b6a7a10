"""What no scheduler says: the key of the facts, the question, and an example."""

from __future__ import annotations

from typing import Any

from scripts.compare.capture import Capture

OPEN = {
    "operator": ("Who operates the cluster?", "operator: Example University, Research Computing, UK"),
    "centre": ("Which center in centres.yml is the operator?", "centre: example"),
    "docs": ("Where is the cluster's documentation?", "docs: https://docs.example.org/cluster/"),
    "login": ("Where do users log in?", "login: [{host: login.example.org, use: all work}]"),
    "access.who": ("Who may use the cluster?", "who: members of the university"),
    "access.apply": ("How do users get an account?", "apply: 'The form at <https://example.org/account>'"),
    "access.support": ("Who helps users?", "support: help@example.org"),
    "policy.account": (
        "Must a job name an account, and what does an account look like?",
        "account: {rule: required}, with sample_account: abc1234",
    ),
    "policy.time": ("Is a job without --time rejected?", "time: {rule: required}"),
    "policy.partition": (
        "The scheduler shows no default partition. Is a job without --partition rejected, or does a plugin choose one?",
        "partition: {rule: required}",
    ),
    "policy.gpu_model": ("Is a GPU job without a model rejected?", "gpu_model: {rule: optional}"),
    "policy.internet_on_compute_nodes": (
        "Can compute nodes reach the internet?",
        "internet_on_compute_nodes: true",
    ),
    "network": ("What connects the nodes?", "network: InfiniBand"),
    "billing": ("What does a job cost?", "billing: {rules: ['A GPU-hour costs 10 units.'], command: sbank}"),
    "software": ("Which modules and container tool do jobs use?", "software: {modules: [], containers: Apptainer}"),
    "storage": (
        "Where can users store files, how much, and for how long?",
        "storage: [{path: /scratch/$USER, kept: 60 days, use: data for running jobs}]",
    ),
    "monitoring": (
        "Which commands show what a job uses?",
        "monitoring: [{tool: seff, command: seff 123456, shows: …}]",
    ),
    "interactive": ("How do users start Jupyter or an editor?", "interactive: {jupyter: ['Open <https://…>.']}"),
}


def questions(data: dict[str, Any], of_gpus: dict[str, tuple[str, ...]], capture: Capture) -> dict[str, str]:
    """Dotted key -> question with an example, of all that these facts leave open."""
    found = {}
    for key, (question, example) in OPEN.items():
        if key == "policy.partition" and "partition" in data["policy"]:
            continue
        if key == "policy.gpu_model" and not data.get("gpus"):
            question = "Must a GPU job name a model?"
        weights = sorted({record.get("TRESBillingWeights") for record in capture.partitions} - {None})
        if key == "billing" and weights:
            question += f" Slurm counts {' or '.join(weights[:3])}."
        found[key] = f"{question} For example: `{example}`"
    if "gpus" in of_gpus:
        found["gpus"] = "Which GPUs do the nodes have? `scontrol show node` shows them. For example: `gpus: {}`"
    for key, forms in of_gpus.items():
        if key == "gpus":
            continue
        part = key.rpartition(".")[2]
        example = "model: NVIDIA A100 SXM4" if part == "model" else "memory: 40 GB"
        which = f" It may be {', or '.join(forms)}." if forms else ""
        found[key] = f"What is this GPU's {part}?{which} For example: `{example}`"
    return found

"""What no scheduler says: the key of the facts, the question, and an example with its exact lines."""

from typing import Any

from scripts.compare.capture import Capture

OPEN = {
    "operator": ("Who operates the cluster?", "operator: Example University, Research Computing, UK"),
    "centre": ("Which short name do you choose for the operator? Enter the same one in Copier.", "centre: example"),
    "docs": ("Where is the cluster's documentation?", "docs: https://docs.example.org/cluster/"),
    "login": ("Where do users log in?", "login: [{host: login.example.org, use: all jobs}]"),
    "access.who": ("Who may use the cluster?", "who: members of the university"),
    "access.apply": ("How do users get an account?", 'apply: "The form at <https://example.org/account>"'),
    "access.support": ("Who helps users?", "support: help@example.org"),
    "policy.account": (
        "Must a job name an account, and what does an account look like?",
        "account: {rule: required}` and `sample_account: abc1234",
    ),
    "policy.time": ("Is a job without --time rejected?", "time: {rule: required}"),
    "policy.partition": (
        "The scheduler shows no default partition. Is a job without --partition rejected, or does a plugin choose one?",
        "partition: {rule: required}",
    ),
    "policy.gpu_model": ("Is a GPU job without a model rejected?", "gpu_model: {rule: optional}"),
    "policy.internet_on_compute_nodes": ("Can compute nodes reach the internet?", "internet_on_compute_nodes: true"),
    "network": ("What connects the nodes: InfiniBand, Slingshot, Omni-Path or Ethernet?", "network: InfiniBand"),
    "billing": (
        "What does a job cost? `prices` are for the job script tool.",
        "billing: {gpu_hour: 0.60 GBP, rules: [A GPU-hour costs 0.60 GBP.], "
        "prices: [{price: 0.6, unit: GBP, per: {gpus: 1}}], command: sbank}",
    ),
    "software": (
        "Which modules and container tool can jobs use? Of `modules`, the first job loads one with `pytorch` in "
        "its name, after those of `load_first`.",
        "software: {load_first: [gcc/13.2], modules: [pytorch/2.9], containers: Apptainer}",
    ),
    "storage": (
        "Where can users store files, how much, and for how long?",
        "storage: [{path: /scratch/$USER, size: 10 TiB, kept: 60 days, use: data for running jobs}]",
    ),
    "monitoring": (
        "Which commands show what a job uses?",
        "monitoring: [{tool: seff, command: seff 123456, shows: cores and memory of a finished job}]",
    ),
    "interactive": (
        "How do users start Jupyter or an editor?",
        'interactive: {jupyter: ["Open <https://jupyter.example.org>."], editor: ["Use login.example.org over ssh."]}',
    ),
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
    above = {key: key.rpartition(".")[0].split(".", 1) for key in found}  # a GPU's name may hold dots
    return {key: text + (f" below `{':` `'.join(above[key])}:`" if "." in key else "") for key, text in found.items()}

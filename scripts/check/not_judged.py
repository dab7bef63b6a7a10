"""What the facts cannot know: it is taken out before the scheduler is asked, and said so."""

from __future__ import annotations

import re

from scripts.check.directives import Option
from scripts.check.report import Report
from scripts.facts import Cluster

# Option -> what is not known of it, and how to ask the cluster itself.
SLURM = {
    "constraint": ("which features nodes have", 'sinfo -o "%P %f"'),
    "prefer": ("which features nodes have", 'sinfo -o "%P %f"'),
    "licenses": ("which licences there are", "scontrol show licenses"),
    "reservation": ("which reservations there are, and for whom", "scontrol show reservation"),
    "dependency": ("which jobs you have", "squeue --me"),
    "qos": ("which QOS you have", "sacctmgr show assoc user=$USER format=account,qos"),
    "nodelist": ("what nodes are called", "sinfo -N"),
    "exclude": ("what nodes are called", "sinfo -N"),
    "nodefile": ("what the file of nodes says", "sinfo -N"),
    "clusters": ("which other clusters there are", "sacctmgr show clusters"),
    "bb": ("which burst buffers there are", "scontrol show burstbuffer"),
    "bbf": ("which burst buffers there are", "scontrol show burstbuffer"),
    "export-file": ("what the file of variables says", ""),
    "argos": ("what the plugins of a site take", "sbatch --help"),
}
GRID_ENGINE = {
    "P": ("which projects you have", "qconf -sprjl"),
    "hold_jid": ("which jobs you have", "qstat"),
    "hold_jid_ad": ("which jobs you have", "qstat"),
    "ar": ("which reservations there are", "qrstat"),
}
_DEPENDENCY = r"(singleton|(after\w*|expand):\d+[\d_+:*]*)"


def not_judged(cluster: Cluster, options: list[Option], file: str) -> tuple[list[Option], list[Report]]:
    """The options that are to be taken out, and a finding for each of which somebody should hear."""
    taken, found = [], []
    table = SLURM if cluster.scheduler.kind == "slurm" else GRID_ENGINE
    for option in options:
        if option.name not in table or not option.value or not option.known or not _unknown(cluster, option):
            continue
        taken.append(option)
        if option.name != "P":  # which accounts you have is said once, at the end
            what, command = table[option.name]
            cure = f"Ask there: {command}" if command else ""
            words = f"`{option.written}`: {what} is not known here."
            found.append(Report(file, option.line, "not judged", words, cure, f"unknown-{option.name}", option.written))
    return taken, found


def _unknown(cluster: Cluster, option: Option) -> bool:
    """Is this beyond the facts? What they know, and what is malformed, the scheduler is asked about."""
    value = option.value or ""
    if option.name in ("constraint", "prefer"):
        known = {feature for node in cluster.node_types.values() for feature in node.features}
        return bool(set(re.findall(r"[A-Za-z_][\w.-]*", value)) - known)
    if option.name == "qos":
        return value not in cluster.qos
    if option.name == "dependency":
        return bool(re.fullmatch(rf"{_DEPENDENCY}([,?]{_DEPENDENCY})*", value)) and value != "singleton"
    return True

"""Folders that other systems' jobs have in a variable, and this one's have not."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scripts.check.advice.case import Case
from scripts.check.advice.systems import systems
from scripts.check.report import Report
from scripts.facts import Cluster

# Many systems set these, whether their pages say so or not.
COMMON = {"HOME", "SCRATCH", "PROJECT", "TMPDIR", "USER"}


def own(cluster: Cluster) -> set[str]:
    return {place.path[1:] for place in cluster.storage if re.fullmatch(r"\$\w+", place.path)}


def advise(case: Case) -> Iterator[Report]:
    clusters = systems()
    here = {name for cluster in clusters if cluster.centre == case.cluster.centre for name in own(cluster)}
    others = {name: other.name for other in reversed(clusters) for name in own(other) - COMMON - here}
    set_here = {part.partition("=")[0] for command in case.commands for part in (*command.sets, *command.words)}
    told = set()
    for command in case.certain:
        for name in re.findall(r"\$\{?(\w+)(?![\w:?+-])", " ".join((*command.words, *command.sets))):
            if name in others.keys() - set_here - told:
                told.add(name)
                what = f"${name} is not set on {case.cluster.name}; it is a folder of {others[name]}."
                instead = [place.path for place in case.cluster.storage if place.kept.startswith("until the job ends")]
                cure = f"Take {instead[0]}." if instead else "See the storage on the cluster's page."
                yield case.report("variable-of-another", what, cure, command, group="storage")

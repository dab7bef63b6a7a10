"""All that a cluster's twin says to jobs past a limit, and to scripts with planted faults."""

import random
from collections.abc import Iterator

from scripts.facts import Cluster
from scripts.paths import SNIPPETS
from scripts.twin.daemon import Twin
from tests.check.faults import FAULTS, OF_LIMITS
from tests.check.planted import say
from tests.engine.samples import samples
from tests.twin.every_pair import pairs
from tests.twin.many import ask_many
from tests.twin.pairs import script

SPELLINGS = 3

OTHERS = {  # which no fault and no limit has
    "slurm": ("#SBATCH -n=1", "#SBATCH --mem-per-gpu=1G", "#SBATCH --nodes=2 --gpus=1"),
    "grid_engine": ("#$ -l gpu=1,h_rt=1:0:0", "#$ -pe smp 2 -pe smp 4"),
}


def said(twin: Twin) -> Iterator[tuple[str, str]]:
    """What made the twin speak, and a line that it said then. Each line once."""
    seen = set()
    asked = [(f"{pair.limit}: {pair.past}", script(twin.cluster, pair.past)) for pair in pairs(twin.cluster)]
    asked += [(f"planted: {fault}", data) for fault, data in _spoilt(twin.cluster)]
    asked += [(line, f"#!/bin/bash\n{line}\nhostname\n") for line in OTHERS[twin.cluster.scheduler.kind]]
    answers = ask_many(twin, [text for _, text in asked])
    for (cause, _), answer in zip(asked, answers, strict=True):
        for line in answer.said.splitlines():
            if line.strip() and line not in seen:
                seen.add(line)
                yield cause, line


def _spoilt(cluster: Cluster) -> Iterator[tuple[str, bytes]]:
    """Its first script with each fault, in a few spellings, and with each directive that a rule says is refused."""
    kind, text = cluster.scheduler.kind, (SNIPPETS / cluster.key / "one_gpu.sh").read_text(encoding="utf-8")
    refused = [each for each in samples() if each.bad and each.kind == kind and each.rule["kind"] == "refused"]
    told = {repr(each.text): say(each.text.replace("\n", "|")) for each in refused if each.text.startswith("#")}
    for fault, plant in (FAULTS[kind] | OF_LIMITS[kind] | told).items():
        spellings = set()
        for spelling in range(SPELLINGS):
            if spoilt := plant(text.split("\n"), random.Random(f"{fault}/{cluster.key}/{spelling}")):
                spellings.add("\n".join(spoilt[0]))
        yield from ((fault, spelling.encode()) for spelling in sorted(spellings - {text}))

"""Choose cases that notice whatever is broken in the engine or in the facts, and record the twins' answers to them:
python -m tests.jobscript.record. Do this when the engine has changed; it takes a quarter of an hour.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from pathlib import Path

from scripts.facts import load_all
from scripts.jobscript import facts
from scripts.twin import twin_of
from tests.jobscript.agreement import twin_says
from tests.jobscript.generator import cases
from tests.jobscript.mutants import RECORDED, break_it, recorded, share


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=600, help="to choose from, of each system")
    parser.add_argument("--look", action="store_true", help="only say what the recorded cases notice; record nothing")
    given = parser.parse_args()
    if given.look:
        record = recorded()
        tell(break_it(record["systems"], record["cases"]))
        return 0
    clusters = {key: each for key, each in load_all().items() if each.scheduler.kind == "slurm"}
    systems = {key: facts.system(cluster) for key, cluster in clusters.items()}
    pool = [[case.cluster, case.script] for each in clusters.values() for case in cases(each, given.cases, "record")]
    random.Random(1).shuffle(pool)
    broken = break_it(systems, pool)
    tell(broken)
    every = [each.case for name in ("places", "facts") for each in broken[name]]
    chosen = sorted({case for case in every if case is not None and case >= 0})
    written = []
    with tempfile.TemporaryDirectory(prefix="record-", dir="/tmp") as folder:
        for key, cluster in clusters.items():
            scripts = [pool[number][1] for number in chosen if pool[number][0] == key]
            twin = twin_of(cluster, Path(folder))
            try:
                answers = twin_says(twin, scripts)
            finally:
                twin.stop()
            written += [[key, script, answer.accepted] for script, answer in zip(scripts, answers, strict=True)]
    lines = ",\n".join(json.dumps(case) for case in written)
    text = f'{{"systems": {json.dumps(systems, separators=(",", ":"))},\n"cases": [\n{lines}\n]}}\n'
    RECORDED.write_text(text, encoding="utf-8")
    print(f"{len(written)} cases recorded")
    return 0


def tell(broken: dict) -> None:
    """How much of what was broken is noticed, and what is not."""
    for name in ("places", "facts"):
        found = broken[name]
        print(f"{name}: {share(found):.1%} of {len(found)} are noticed")
        print(*(f"  unnoticed: {each.what}" for each in found if each.case is None), sep="\n")


if __name__ == "__main__":
    sys.exit(main())

"""Choose cases that notice whatever is broken in the engine or in the facts, and record the twins' answers to them:
python -m tests.jobscript.record. Do this when the engine has changed; it takes an hour.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from scripts.facts import Cluster, load_all
from scripts.jobscript import facts
from scripts.twin import twin_of
from tests.jobscript.agreement import twin_says
from tests.jobscript.generator import cases
from tests.jobscript.limits import limit_cases
from tests.jobscript.mixed import mixed_cases
from tests.jobscript.mutants import RECORDED, break_it, equal, recorded, share, unnoticed, wrongly_hidden
from tests.jobscript.odd import odd_cases
from tests.jobscript.placed import placed_cases
from tests.jobscript.small import ODD, small_systems


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=200, help="random ones to choose from, of each real system")
    parser.add_argument("--mixed", type=int, default=2000, help="and of each kind, of each made-up one")
    parser.add_argument("--look", action="store_true", help="only say what the recorded cases notice; record nothing")
    given = parser.parse_args()
    if given.look:
        record = recorded()
        return tell(break_it(record["systems"], record["cases"]))
    clusters = {key: each for key, each in load_all().items() if each.scheduler.kind == "slurm"} | small_systems()
    systems = {key: facts.system(cluster) for key, cluster in clusters.items()}
    pool = _pool(clusters, given.cases, given.mixed)
    broken = break_it(systems, pool)
    every = [each for name in ("places", "facts") for each in broken[name]]
    chosen = sorted({each.case for each in every if each.case is not None and each.case >= 0})
    kept, differ = answered(clusters, [(*pool[number], broken["truth"][number]) for number in chosen])
    _write(systems, kept)
    print(f"{len(kept)} cases recorded")
    print(*(f"the twin says otherwise: {key}\n{script}" for key, script in differ), sep="\n")
    return max(bool(differ), tell(broken))


def _pool(clusters: dict[str, Cluster], number: int, mixed: int) -> list[list[str]]:
    """What is recorded comes first, then what is cheap to ask: so few new ones are chosen."""
    made = small_systems()
    found = [] if not RECORDED.exists() else [case[:2] for case in recorded()["cases"] if case[0] in clusters]
    for key in made:
        own = mixed_cases(made[key], mixed, "record") + placed_cases(made[key], mixed, "record")
        own += limit_cases(made[key]) + cases(made[key], number, "record")
        own += odd_cases(made[key]) if key == ODD else []
        found += [[case.cluster, case.script] for case in own]
    for key in clusters.keys() - made.keys():
        each = clusters[key]
        own = limit_cases(each) + cases(each, number, "record") + mixed_cases(each, number, "record")
        random.Random(1).shuffle(own)
        found += [[case.cluster, case.script] for case in own]
    return [list(case) for case in dict.fromkeys(map(tuple, found))]


def answered(clusters: dict[str, Cluster], chosen: Sequence[tuple[str, str, str]]) -> tuple[list, list]:
    """(cluster, script, verdict) of the engine as [cluster, script, did the twin accept it], and those that differ."""
    kept, differ = [], []
    with tempfile.TemporaryDirectory(prefix="record-", dir="/tmp") as folder:
        for key, cluster in clusters.items():
            kept += [[key, script, None] for name, script, verdict in chosen if name == key and verdict == "not judged"]
            own = [case for case in chosen if case[0] == key and case[2] != "not judged"]
            if not own:
                continue
            twin = twin_of(cluster, Path(folder))
            try:
                answers = twin_says(twin, [script for _, script, _ in own])
            finally:
                twin.stop()
            for (_, script, verdict), answer in zip(own, answers, strict=True):
                if (verdict == "accepted") == answer.accepted:
                    kept.append([key, script, answer.accepted])
                else:
                    differ.append((key, script))
    return kept, differ


def _write(systems: dict, cases: Sequence[Sequence]) -> None:
    small = {"separators": (",", ":")}
    lines = ",\n".join(json.dumps(case, **small) for case in cases)
    head = f'{{"systems":{json.dumps(systems, **small)},\n"cases":[\n'
    RECORDED.write_text(f"{head}{lines}\n]}}\n", encoding="utf-8")


def tell(broken: dict) -> int:
    """How much of what was broken is noticed, and what is not; 1 if that is less than 99 %."""
    for name in ("places", "facts"):
        found = broken[name]
        print(
            f"{name}: {share(found):.1%} of {len(found)} are noticed; "
            f"{sum(each.case is None for each in found) - len(unnoticed(found))} change no verdict, explained"
        )
        print(*(f"  unnoticed: {each}" for each in unnoticed(found)), sep="\n")
    keys = {each.key: each.case for each in broken["places"]}
    wrong = [key for key in equal() if key not in keys or keys[key] is not None]
    print(*(f"equal.yml: nothing there is this any more, or it is noticed: {key}" for key in wrong), sep="\n")
    wrong += (shown := wrongly_hidden(broken["facts"]))
    print(*(f"hidden.py: {each}" for each in shown), sep="\n")
    return 1 if wrong or any(share(broken[name]) < 0.99 for name in ("places", "facts")) else 0


if __name__ == "__main__":
    sys.exit(main())

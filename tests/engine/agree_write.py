"""Asks the twins, shellcheck and the guide's own check about thousands of scripts that the form writes.

    python -m tests.engine.agree_write --number 10000 --seed 1 --checked 40

Says how many were asked, and each that was refused, understood otherwise, or found fault with. Ends with 1 if there
was one.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from scripts.check.findings import check
from scripts.errors import run
from scripts.facts import load_all
from scripts.twin.processes import stop_below
from tests.engine.written import Written, bodies, cases, refused, shellcheck
from tests.twin import kept


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--number", type=int, default=10_000, help="scripts at random, of all systems together")
    parser.add_argument("--seed", type=int, default=1, help="of the choice")
    parser.add_argument("--checked", type=int, default=40, help="scripts of each system for the guide's own check")
    given = parser.parse_args()
    clusters = {key: cluster for key, cluster in load_all().items() if cluster.running}
    found = cases(clusters, -(-given.number // len(clusters)), given.seed, pairs=True)
    kept.make_room()
    try:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            wrong = [fault for faults in pool.map(lambda key: _asked(found[key]["cases"]), found) for fault in faults]
    finally:
        stop_below(kept.room())
    wrong += shellcheck({text for each in found.values() for text in bodies(each["cases"])})
    for each in found.values():
        wrong += [fault for case in _some(each["cases"], given.checked) for fault in _checked(case)]
    for each in found.values():
        wrong += [f"{other['reason']}: nothing is nearest" for other in each["refused"] if not other["nearest"]]
    print(*wrong, sep="\n", end="\n" * bool(wrong))
    asked = sum(len(each["cases"]) for each in found.values())
    print(f"{asked} scripts of {len(found)} systems, seed {given.seed}: {len(wrong)} at fault")
    return 1 if wrong else 0


def _asked(written: list[Written]) -> list[str]:
    return list(refused(kept.twin(written[0].cluster), written))


def _some(written: list[Written], number: int) -> list[Written]:
    return written[:: max(1, len(written) // number)][:number] if number else []


def _checked(case: Written) -> Iterator[str]:
    """What the guide's own check finds, but that the account is the guide's sample."""
    for report in check(case.cluster, case.script.encode(), "job.sh"):
        if report.rule != "account-sample":
            yield f"{case.address}: {report.rule}: {report.what}"


if __name__ == "__main__":
    sys.exit(run(main, status=2))

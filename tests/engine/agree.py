"""Ask the twins and the page's engine about many more scripts than the tests do: python -m tests.engine.agree.

What they differ on is shrunk, printed, and kept for the tests. Ends with 1 if there is any such thing, or if more than
one in a hundred is not judged. Made-up systems are asked, too: the words and values of odd.yml, and a random draw.
"""

from __future__ import annotations

import argparse
import secrets
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from scripts.engine.data import facts
from scripts.facts import Cluster, load_all
from scripts.twin import twin_of
from tests.engine.agreement import Compared, compare, keep, unjudged
from tests.engine.mixed import mixed_cases
from tests.engine.mutants import break_it
from tests.engine.odd import odd_cases
from tests.engine.placed import placed_cases
from tests.engine.record import answered
from tests.engine.small import ODD, small_systems

DRAWN = 100  # of each kind, of each made-up system


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=10_200, help="how many, over all systems")
    parser.add_argument("--seed", default=secrets.token_hex(8), help="to ask the same again")
    parser.add_argument("cluster", nargs="*", help="only these")
    given = parser.parse_args()
    clusters = [each for key, each in load_all().items() if each.scheduler.kind == "slurm"]
    clusters = [each for each in clusters if each.key in (given.cluster or [each.key])]
    number = -(-given.cases // len(clusters))
    print(f"{number} cases for each of {len(clusters)} systems, seed {given.seed}")
    with tempfile.TemporaryDirectory(prefix="agree-", dir="/tmp") as folder:
        with ThreadPoolExecutor(2) as pool:
            done = list(pool.map(lambda each: _ask(each, Path(folder), number, given.seed), clusters))
    found = [each for compared in done for each in compared.found]
    left = sum((unjudged(compared.engine) for compared in done), start=unjudged([]))
    cases = sum(len(compared.cases) for compared in done)
    accepted = sum(answer.accepted for compared in done for answer in compared.twin)
    not_judged = sum(each["verdict"] == "not judged" for compared in done for each in compared.engine)
    print(*found, sep="\n\n")
    print(f"{cases} cases, {accepted} accepted by the twins: {len(found)} differ, {not_judged} not judged.")
    print("Not judged most:", ", ".join(f"{words} ({times})" for words, times in left.most_common(5)) or "nothing")
    if found:
        keep(found)
    made = [] if given.cluster else _made_up(given.seed)
    return 1 if found or made or not_judged > 0.01 * cases else 0


def _ask(cluster: Cluster, folder: Path, number: int, seed: str) -> Compared:
    twin = twin_of(cluster, folder)
    try:
        return compare(cluster, twin, number, seed)
    finally:
        twin.stop()


def _made_up(seed: str) -> list[tuple[str, str]]:
    """(cluster, script) of what differs there; it is printed, not kept."""
    systems = small_systems()
    cases = odd_cases(systems[ODD])
    for each in systems.values():
        cases += mixed_cases(each, DRAWN, seed) + placed_cases(each, DRAWN, seed)
    asked = [[case.cluster, case.script] for case in cases]
    known = {key: facts.system(each) for key, each in systems.items()}
    verdicts = break_it(known, asked, places=[], facts=[])["truth"]
    _, differ = answered(systems, [(*case, verdict) for case, verdict in zip(asked, verdicts, strict=True)])
    print(*("\n".join(case) for case in differ), sep="\n\n")
    print(f"{len(asked)} cases on {len(systems)} made-up systems: {len(differ)} differ.")
    return differ


if __name__ == "__main__":
    sys.exit(main())

"""Ask the twins and the page's engine about systems drawn at random: python -m tests.engine.agree_drawn.

They are of a few nodes of several kinds each, so that the engine must choose nodes as Slurm does. Prints what differs,
and ends with 1 if anything does.
"""

from __future__ import annotations

import argparse
import secrets
import sys

from scripts.engine.data import facts
from tests.engine.mixed import mixed_cases
from tests.engine.mutants import break_it
from tests.engine.placed import placed_cases
from tests.engine.record import answered
from tests.engine.small.drawn import drawn_system


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--systems", type=int, default=20)
    parser.add_argument("--cases", type=int, default=100, help="of each system")
    parser.add_argument("--first", type=int, default=secrets.randbelow(10**6), help="the first system's number")
    given = parser.parse_args()
    systems = {each.key: each for each in map(drawn_system, range(given.first, given.first + given.systems))}
    asked = [
        [case.cluster, case.script]
        for each in systems.values()
        for draws in (mixed_cases, placed_cases)
        for case in draws(each, given.cases // 2, "")
    ]
    known = {key: facts.system(each) for key, each in systems.items()}
    verdicts = break_it(known, asked, places=[], facts=[])["truth"]
    kept, differ = answered(systems, [(*case, verdict) for case, verdict in zip(asked, verdicts, strict=True)])
    accepted, not_judged = (sum(case[2] is answer for case in kept) for answer in (True, None))
    print(*("\n".join(case) for case in differ), sep="\n\n")
    print(
        f"{len(asked)} cases on systems {given.first} to {given.first + given.systems - 1}, {accepted} accepted by the "
        f"twins: {len(differ)} differ, {not_judged} not judged."
    )
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())

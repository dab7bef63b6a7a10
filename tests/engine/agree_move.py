"""Every job script of the guide moved to every system that runs, many that are changed, and many at random.

`python -m tests.engine.agree_move`

Ends with 1 if a twin refuses one, or if something of it is lost without a word.
"""

from __future__ import annotations

import sys

from scripts.facts import load_all
from tests.engine.moves import accused, all_asks, changed, moved, not_kept, random_asks, refused, told

CHANGED, RANDOM, SEED = 1500, 100, 13


def main() -> int:
    clusters = load_all()
    asks = all_asks(clusters)
    guides = moved(clusters, asks)
    near = [case for case in moved(clusters, random_asks(clusters, RANDOM, SEED)) if case.verdict == "accepted"]
    cases = [*guides, *moved(clusters, changed(asks, CHANGED, SEED)), *near]
    faults = [fault for case in cases for look in (not_kept, told, refused) for fault in look(case)]
    faults += [fault for case in guides for fault in accused(case)]
    print(*faults, sep="\n", file=sys.stderr)
    nowhere = sum(not case.script for case in cases)
    print(f"{len(cases)} moves, {nowhere} with no place there, {len(faults)} faults")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())

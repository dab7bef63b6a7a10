"""Every job script of the guide moved to every system that runs, and many that are changed.

`python -m tests.jobscript.agree_move`

Ends with 1 if a twin refuses one, or if something of it is lost without a word.
"""

from __future__ import annotations

import sys

from scripts.facts import load_all
from tests.jobscript.moves import all_asks, changed, moved, not_kept, refused, told

CHANGED, SEED = 1500, 13


def main() -> int:
    clusters = load_all()
    asks = all_asks(clusters)
    cases = moved(clusters, asks + changed(asks, CHANGED, SEED))
    faults = [fault for case in cases for look in (not_kept, told, refused) for fault in look(case)]
    print(*faults, sep="\n", file=sys.stderr)
    nowhere = sum(not case.script for case in cases)
    print(f"{len(cases)} moves, {nowhere} with no place there, {len(faults)} faults")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())

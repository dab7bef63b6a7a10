"""Say what the record of checks holds, and which no longer count, and why: `python -m scripts.evidence`."""

from collections import Counter

from scripts.errors import parser_of, run
from scripts.evidence.dependencies import changed, judges, rests_on
from scripts.evidence.records import KINDS, read
from scripts.paths import ROOT


def main() -> int:
    parser_of("python -m scripts.evidence", __doc__).parse_args()
    records = read()
    for how, number in Counter(record.how for record in records.values()).items():
        print(f"{number:4} {KINDS[how]}")
    old = 0
    for name, record in records.items():
        if not (ROOT / name).exists():
            print(f"{name}: this file no longer exists. Run `make evidence`.")
        elif differ := changed(record.rests_on, rests_on(ROOT / name, judges())):
            print(f"{name}: no longer counts, because these have changed: {', '.join(differ)}. Run `make evidence`.")
        else:
            continue
        old += 1
    return 1 if old else 0


if __name__ == "__main__":
    run(main)

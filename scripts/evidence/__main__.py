"""Say what the record of checks holds, and name the files that have changed since: `python -m scripts.evidence`."""

from __future__ import annotations

import argparse
from collections import Counter

from scripts.errors import run
from scripts.evidence.records import KINDS, digest, read
from scripts.paths import ROOT


def main() -> int:
    argparse.ArgumentParser(prog="python -m scripts.evidence", description=__doc__).parse_args()
    records = read()
    for how, number in Counter(record.how for record in records.values()).items():
        print(f"{number:4} {KINDS[how]}")
    changed = [
        name for name, record in records.items() if not (ROOT / name).exists() or digest(ROOT / name) != record.sha256
    ]
    for name in changed:
        print(f"{name} has changed since it was checked. Run `make evidence`.")
    return 1 if changed else 0


if __name__ == "__main__":
    run(main)

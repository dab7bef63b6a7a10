"""Is this job script right for that cluster? Ask before you submit it.

    guide check kestrel my.sh

Prints the twin's verdict, what the scheduler would ignore in silence, what is accepted but foolish, and what shellcheck
finds: each with file, line, why, and the cure. Ends with 0 (nothing found), 1 (refused, or something would be ignored),
2 (could not be judged).
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path

from scripts.check.all import check
from scripts.errors import run
from scripts.facts import load_named


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="guide check", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cluster", help="a folder of snippets/, such as puhti")
    parser.add_argument("file", nargs="+", type=Path)
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
    arguments = parser.parse_args()
    cluster = load_named(arguments.cluster)
    found = [report for file in arguments.file for report in check(cluster, file)]
    if arguments.json:
        print(json.dumps([asdict(report) for report in found], indent=1))
    else:
        print("\n".join(map(str, found)) or f"{cluster.name}: nothing to object to.")
    kinds = {report.kind for report in found}
    return 1 if kinds & {"refused", "ignored"} else 2 if any(report.rule == "twin" for report in found) else 0


if __name__ == "__main__":
    run(main, status=2)

"""Ask ARC4's twin and the page about many more jobs than the tests do: python -m tests.engine.agree_grid_engine."""

from __future__ import annotations

import argparse
import secrets
import sys
import tempfile
from pathlib import Path

from scripts.engine.ask import ask
from scripts.facts import load_all
from scripts.twin import twin_of
from scripts.twin.daemon import Twin
from tests.engine.grid_engine_cases import cases


def compare(twin: Twin, scripts: list[str], folder: Path) -> tuple[list[str], list[str]]:
    """Where the two differ, in words, and the page's verdict on each script."""
    decided = ask("gridEngine", [twin.cluster], twin.cluster.key, scripts)
    found, path = [], folder / "job.sh"
    for script, page in zip(scripts, decided, strict=True):
        path.write_text(script, encoding="utf-8")
        said = twin.judge(path)
        if page["verdict"] != "not judged" and (page["verdict"] == "accepted") != (said.returncode == 0):
            what = [each["what"] for each in page["findings"]]
            found.append(f"{script}the page: {page['verdict']} {what}\nthe twin: {said.stdout}{said.stderr}")
    return found, [page["verdict"] for page in decided]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=1500)
    parser.add_argument("--seed", default=secrets.token_hex(8), help="to ask the same again")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="agree-", dir="/tmp") as folder:
        twin = twin_of(load_all()["arc4"], Path(folder))
        try:
            found, verdicts = compare(twin, cases(given.cases, given.seed), Path(folder))
        finally:
            twin.stop()
    print(*found, sep="\n\n")
    left = verdicts.count("not judged")
    print(f"ARC4, {len(verdicts)} cases, seed {given.seed}: {len(found)} differ, {left} not judged.")
    return 1 if found or left > len(verdicts) // 50 else 0


if __name__ == "__main__":
    sys.exit(main())

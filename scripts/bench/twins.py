"""The twins: their start, their memory, a verdict, and the tests of one changed script."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from scripts.bench.timing import say, seconds
from scripts.facts import load_all
from scripts.paths import ROOT
from scripts.twin import twin_of
from scripts.twin.daemon import Twin

SCRIPT = ROOT / "snippets" / "puhti" / "one_gpu.sh"


def bench() -> None:
    clusters = load_all()
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        twins = {key: twin_of(cluster, Path(folder)) for key, cluster in clusters.items()}
        try:
            _starts(twins)
            _verdicts(twins["puhti"])
        finally:
            for twin in twins.values():
                twin.stop()
    command = [sys.executable, "-m", "pytest", "-q", str(SCRIPT), "-k", "parse or judge"]
    say(
        "the tests of one changed script (its text and verdict)",
        seconds(lambda: subprocess.run(command, cwd=ROOT, check=True, capture_output=True), 3),
        "s",
        "< 5 s",
    )


def _starts(twins: dict[str, Twin]) -> None:
    for key in ("puhti", "lumi", "arc4"):
        times = []
        for _ in range(5):
            twins[key].stop()
            times += seconds(twins[key].start, 1)
        say(f"start of one twin, {key}", times, "s", "< 2 s")
    for twin in twins.values():
        twin.stop()
    say(
        f"start of all {len(twins)} twins", seconds(lambda: [twin.start() for twin in twins.values()], 1), "s", "< 10 s"
    )
    memory = sum(process.memory_full_info().pss for twin in twins.values() for process in twin.processes())
    say("memory of all twins together", [memory / 1e6], "MB", "< 300 MB")


def _verdicts(twin: Twin) -> None:
    """A verdict's own time is that of the command, less what the same program needs to print its version."""
    twin.start()

    def ask(*command: str) -> float:
        return statistics.median(
            seconds(lambda: subprocess.run(command, env=twin.environment, capture_output=True, check=True), 20)
        )

    bare = ask("sbatch", "--version")
    own = [1000 * (ask("sbatch", "--test-only", str(SCRIPT)) - bare) for _ in range(5)]
    say("a verdict of Puhti's twin, beyond the client's own start", own, "ms", "< 20 ms")
    say(
        "python -m scripts.check puhti, all of it",
        seconds(
            lambda: subprocess.run(
                [sys.executable, "-m", "scripts.check", "puhti", SCRIPT], cwd=ROOT, capture_output=True
            ),
            5,
        ),
        "s",
        "< 1 s",
    )

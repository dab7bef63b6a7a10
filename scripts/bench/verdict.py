"""The page's answer on a script: the verdict with all its findings, and the same with the edits that mend them.

Node runs the page's own engine. The first answer of a process is the slowest, since nothing is compiled yet; each text
is the first of a process of its own.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from scripts.bench.timing import say
from scripts.engine.data import for_engine
from scripts.facts import load_all
from scripts.jobscript.node import ENGINE, node
from scripts.paths import SNIPPETS

SYSTEM = "kestrel"
TIMES = 30
PROCESSES = 5
FRAME = 16  # ms: what a browser has for a picture
RUN = Path(__file__).with_name("verdict.cjs")
FAULTS = (
    ("#SBATCH --time=", "#SBATCH --time=30-"),
    ("#SBATCH --nodes=1", "#SBATCH --nodes=900 --gpus=a100:3"),
    ("#!/bin/bash\n", "#!/bin/bash\n#SBTACH --mem=10G\n#SBATCH --acount=mine\n"),
)


def texts() -> dict[str, str]:
    """A sound script of the guide, and the same with faults of several kinds."""
    sound = (SNIPPETS / SYSTEM / "one_gpu.sh").read_text(encoding="utf-8")
    faulty = sound
    for right, wrong in FAULTS:
        faulty = faulty.replace(right, wrong, 1)
    return {"sound": sound, "faulty": faulty + 'python3 train.py --out "$SLURM_TMPDIR" &\n'}


def times(text: str) -> dict[str, list[float]]:
    """Milliseconds of `first`, `found` and `judged` in one process; see verdict.cjs."""
    asked = {"engine": str(ENGINE / "index.js"), "times": TIMES, "key": SYSTEM, "texts": {"it": text}}
    asked["data"] = for_engine([load_all()[SYSTEM]])
    done = subprocess.run(
        [node(), str(RUN)], input=json.dumps(asked), check=True, capture_output=True, encoding="utf-8"
    )
    return json.loads(done.stdout)["it"]


def bench() -> None:
    for name, text in texts().items():
        runs = [times(text) for _ in range(PROCESSES)]
        words = {
            "first": ("a page's first verdict", f"< {FRAME} ms"),
            "found": ("a verdict", f"< {FRAME} ms"),
            "judged": ("a verdict and its mends", "not set"),
        }
        for part, (what, aim) in words.items():
            say(f"{what}, {name} script", [value for run in runs for value in run[part]], "ms", aim)

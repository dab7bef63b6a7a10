"""Asks the engine through Node."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterable

from scripts.errors import BadInput
from scripts.facts import Cluster
from scripts.jobscript.data import for_engine
from scripts.paths import DOCS, ROOT, shown

ENGINE = DOCS / "assets/your-script"
COMMAND = ENGINE / "command.js"


def node() -> str:
    """Node's path. Raises BadInput where there is none."""
    places = os.pathsep.join([os.environ.get("PATH", ""), str(ROOT / ".venv/bin")])
    if found := shutil.which("node", path=places):
        return found
    raise BadInput(
        "node", None, "there is no Node here, which runs the page's engine.", "Load or install Node 20 or newer."
    )


def ask(command: str, clusters: Iterable[Cluster], *arguments: object) -> object:
    """The answer of one of the engine's commands (`jobscript.commands`), which knows these clusters.

    Bytes among the arguments reach it as text in which each byte that is no UTF-8 is a lone surrogate.
    """
    asked = {"command": command, "arguments": arguments, "data": for_engine(clusters)}
    done = subprocess.run(
        [node(), str(COMMAND)], input=json.dumps(asked), capture_output=True, encoding="utf-8", errors="replace"
    )
    if done.returncode:
        raise BadInput(shown(COMMAND), None, f"the engine failed: {_reason(done.stderr)}", "Tell the guide's authors.")
    return json.loads(done.stdout)


def _reason(said: str) -> str:
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return next((line for line in lines if "Error" in line), "no reason given").rstrip(".") + "."

"""Asks the engine through Node. One process of it stays as long as this one does, and keeps the facts it was given."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from threading import Lock

from scripts.errors import BadInput
from scripts.facts import Cluster
from scripts.jobscript import data
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


class _Engine:
    """A process that answers one line of JSON with another."""

    def __init__(self, program: str):
        self.said = tempfile.TemporaryFile(mode="w+", encoding="utf-8", errors="replace")
        self.process = subprocess.Popen(
            [program, str(COMMAND)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.said, encoding="utf-8", errors="replace",
        )  # fmt: skip
        self.knows: dict[str, Cluster] = {}
        self.begun = False

    def answer(self, command: str, clusters: list[Cluster], arguments: tuple) -> object:
        """Raises BadInput where the engine fails."""
        new = [cluster for cluster in clusters if self.knows.get(cluster.key) is not cluster]
        asked = {
            "command": command,
            "arguments": arguments,
            "clusters": [cluster.key for cluster in clusters],
            "systems": {cluster.key: data.system(cluster) for cluster in new},
            "data": None if self.begun else data.common(),
        }
        self.begun = True
        self.knows |= {cluster.key: cluster for cluster in clusters}
        try:
            self.process.stdin.write(json.dumps(asked) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if line:
            return json.loads(line)
        self.process.wait()
        self.said.seek(0)
        reason = _reason(self.said.read())
        raise BadInput(shown(COMMAND), None, f"the engine failed: {reason}", "Tell the guide's authors.")


_running: dict[tuple[str, int], _Engine] = {}
_one_at_a_time = Lock()


def ask(command: str, clusters: Iterable[Cluster], *arguments: object) -> object:
    """The answer of one of the engine's commands (`jobscript.commands`), which knows these clusters.

    Bytes among the arguments reach it as text in which each byte that is no UTF-8 is a lone surrogate. Raises BadInput
    where there is no Node, or the engine fails.
    """
    key = (node(), os.getpid())
    with _one_at_a_time:
        engine = _running.get(key)
        if not engine or engine.process.poll() is not None:
            engine = _running[key] = _Engine(key[0])
        return engine.answer(command, list(clusters), arguments)


def _reason(said: str) -> str:
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return next((line for line in lines if "Error" in line), "no reason given").rstrip(".") + "."

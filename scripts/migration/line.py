"""One line of the migration tables, and what several parts of it need."""

import re
from dataclasses import dataclass

from scripts.engine.directives import Option, read
from scripts.errors import BadInput
from scripts.facts.model import Cluster, Gpu
from scripts.families import shared
from scripts.paths import shown


@dataclass(frozen=True)
class Line:
    """One thing of the old system, and what stands in its place.

    what: `job`, `module`, `path`; a table of a page has those of one kind or several.
    old, new: as typed in a script or a terminal. new is empty where nothing is typed instead.
    reason: one or two sentences, in Markdown. lost: all or a part of it is not there any more; the reason says what.
    doubtful: a fact that this rests on is not confirmed.
    """

    what: str
    old: str
    new: str
    reason: str
    lost: bool = False
    doubtful: bool = False


def doubtful(cluster: Cluster, *dotted: str) -> bool:
    """Is one of these facts, a part of it, or the thing that it is a part of, listed under `unconfirmed`?

    A whole group there is a doubt about the names in it, not about each value.
    """
    return any(
        key == path or key.startswith(f"{path}.") or "." in key and path.startswith(f"{key}.")
        for key in cluster.unconfirmed
        for path in dotted
    )


def script(cluster: Cluster, name: str) -> list[str]:
    """The lines of one of the cluster's scripts. Raises BadInput if there is none of this name."""
    path = shared.script(cluster.key, name)
    if not path.is_file():
        what = "this script is missing."
        raise BadInput(shown(path), None, what, "Write it: other scripts, tables and exports take its lines.")
    return path.read_text(encoding="utf-8").splitlines()


def options(cluster: Cluster, name: str = "one_gpu.sh") -> dict[str, Option]:
    """Option name -> the directive of that script that counts. Of Grid Engine's `-l` each resource is one: `h_rt`."""
    found = {}
    for option in read(script(cluster, name), cluster.scheduler.kind):
        resource = re.match(r"\w+(?==)", option.value or "") if option.name == "l" else None
        found[resource[0] if resource else option.name] = option
    return found


def request(gpu: Gpu, number: int | str) -> str:
    """The option that asks for so many; what else it has stays: `--gres=gpu:a100:2 --constraint=a100_80gb`."""
    return re.sub(r"(?<=[:=])\d+(?=\s|$)", str(number), gpu.request, count=1)

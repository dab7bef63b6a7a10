"""Ask the engine about clusters: it is told their facts when it first needs them."""

from __future__ import annotations

from collections.abc import Iterable

from scripts.engine import data
from scripts.engine.host import call
from scripts.errors import BadInput
from scripts.facts import Cluster

_known: dict[str, Cluster] = {}  # what the engine has been told
_common = False


def ask(command: str, clusters: Iterable[Cluster], *arguments: object) -> object:
    """The answer of one of the commands in js/commands.js, which knows these clusters. Raises BadInput as `call`."""
    global _common
    new = {each.key: each for each in clusters if _known.get(each.key) is not each}
    systems = {key: data.system(cluster) for key, cluster in new.items()}
    try:
        answer = call(command, *arguments, systems=systems, data=None if _common else data.common())
    except BadInput:
        _common = False
        _known.clear()  # the host starts a new engine
        raise
    _common = True
    _known.update(new)
    return answer

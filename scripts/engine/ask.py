"""Ask the engine about clusters: it is told their facts when it first needs them."""

from __future__ import annotations

from collections.abc import Iterable

from scripts.engine import data, host
from scripts.facts import Cluster

_known: dict[str, Cluster] = {}  # what the engine has been told
_common = False
_start = 0  # which engine was told


def ask(command: str, clusters: Iterable[Cluster], *arguments: object) -> object:
    """The answer of one of the commands in js/commands.js, which knows these clusters. Raises BadInput as `call`."""
    global _common, _start
    if _start != host.starts:
        _known.clear()
        _common, _start = False, host.starts
    new = {each.key: each for each in clusters if _known.get(each.key) is not each}
    systems = {key: data.system(cluster) for key, cluster in new.items()}
    answer = host.call(command, *arguments, systems=systems, data=None if _common else data.common())
    _common = True
    _known.update(new)
    return answer

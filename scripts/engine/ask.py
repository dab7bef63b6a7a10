"""Ask the engine about clusters: it is told their facts when it first needs them."""

from collections.abc import Iterable
from threading import Lock

from scripts.engine import data, host
from scripts.facts import Cluster

ALONE = {"explain": "messages", "unknown": "messages", "fit": "fit"}  # a command, and what no other looks at
_known: dict[str, Cluster] = {}  # what the engine has been told
_common: set[str] = set()
_start = 0  # which engine was told
_one = Lock()  # a server asks from several threads


def ask(command: str, clusters: Iterable[Cluster], *arguments: object) -> object:
    """The answer of one of the commands in js/commands.js, which knows these clusters. Raises BadInput as `call`."""
    with _one:
        return _asked(command, clusters, *arguments)


def _asked(command: str, clusters: Iterable[Cluster], *arguments: object) -> object:
    global _start
    if _start != host.starts:
        _known.clear()
        _common.clear()
        _start = host.starts
    new = {each.key: each for each in clusters if _known.get(each.key) is not each}
    systems = {key: data.system(cluster) for key, cluster in new.items()}
    parts = data.COMMON.keys() - _common - (set(ALONE.values()) - {ALONE.get(command)})
    answer = host.call(command, *arguments, systems=systems, data={name: data.COMMON[name]() for name in sorted(parts)})
    _common.update(parts)
    _known.update(new)
    return answer


def moved(here: Cluster, there: Cluster, script: str, file: str = "job.sh") -> dict:
    """What `move` answers, with the findings about the new script; it has the placeholder account of that system."""
    (found,) = ask("move", [here, there], [[here.key, there.key, script]])
    judged = ask("found", [there], [[there.key, found["script"], file]]) if found["script"] else []
    told = " ".join(found["impossible"])
    said = [each for answer in judged for each in answer["findings"] if not _is_told(each, told)]
    return found | {"findings": said}


def _is_told(finding: dict, told: str) -> bool:
    """Does `move` say it already, or does the user replace the account anyway?"""
    match finding["rule"]:
        case "account-sample":
            return True
        case "memory-over-share":
            return "A request for more than this share" in told
        case "gpu-vendor":
            return f"`{finding['what'].split()[0]}` is for" in told
    return False


def explained(cluster: Cluster, message: str, script: str = "") -> tuple[dict | None, list[dict]]:
    """A finished job that the message lists, and what the rest of it means there."""
    (ended,) = ask("after", [cluster], [[cluster.key, message, script]])
    (found,) = ask("explain", [cluster], [[cluster.key, ended["rest"] if ended else message]])
    return ended, found

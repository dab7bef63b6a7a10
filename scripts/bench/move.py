"""Tasks to move a script of one system to another, where it can ask for the same."""

from collections.abc import Iterator

from scripts.bench.task import Task, account, drawer, named, say
from scripts.engine.ask import ask
from scripts.facts import Cluster
from scripts.families.shared import script

NUMBER = 4  # from each system
NAMES = ("one_gpu", "several_gpus", "full_node", "more_nodes", "array", "many_cpus")


def tasks(source: Cluster, clusters: dict[str, Cluster], seed: int) -> Iterator[Task]:
    """From one system, which may be retired, to others that run."""
    files = [path for name in NAMES if (path := script(source.key, f"{name}.sh")).exists()]
    there = [cluster for cluster in clusters.values() if cluster.running and cluster is not source]
    pairs = [(path, cluster) for path in files for cluster in there]
    number = 0
    drawer(seed, source, "move", 0).shuffle(pairs)
    for path, target in pairs:
        text = path.read_text(encoding="utf-8")
        (asks,) = ask("asks", [source], [[source.key, text]])
        if not _has_room(target, asks):
            continue
        number += 1
        draw = drawer(seed, source, "move", number)
        wanted = {"gpus": asks["gpus"], "minutes": asks["minutes"], "jobs": asks["jobs"], "program": _program(asks)}
        if own := account(target):
            wanted["account"] = own
        names = ("move", "account", "reply") if own else ("move", "reply")
        request = say(draw, *names, old=source.name, system=target.name, account=own)
        request = f"{request}\n\n```bash\n{text}```"
        name = named(seed, source, "move", number)
        yield Task(name, "move", target.key, request, text, source=source.key, wanted=wanted)
        if number == NUMBER:
            return


def _has_room(target: Cluster, asks: dict) -> bool:
    """Can some GPU of the target run as many GPUs, in the form's sense?"""
    tries = [
        {"gpu": gpu, "gpus": str(each), "nodes": str(asks["gpus"] // each), "time": f"{asks['minutes']}m"}
        for gpu in (target.gpus if asks["gpus"] else ())
        for each in range(1, 9)
        if asks["gpus"] % each == 0 and not target.gpus[gpu].is_slice
    ] or [{"gpu": "none", "time": f"{asks['minutes']}m"}]
    return any(ask("possible", [target], [[target.key, fields] for fields in tries]))


def _program(asks: dict) -> str:
    return [word for words in asks["runs"] for word in words if word.endswith(".py")][-1]

"""The guide's own job scripts in their parts: what the form writes has their form, and no line is written twice."""

from dataclasses import dataclass

from scripts.engine.data.first_scripts import first_script
from scripts.engine.directives import last, read
from scripts.facts import Cluster
from scripts.families.shared import script
from scripts.paths import SNIPPETS

YOUR_OWN = "# Put your own program here"


@dataclass(frozen=True)
class Parts:
    """setup: from `set` on, without the blank lines. command: what runs in the end, one line or several."""

    setup: tuple[str, ...]
    command: tuple[str, ...]


def lines_of(cluster: Cluster, name: str) -> list[str]:
    """The lines of one of a cluster's scripts, `one_gpu`; none where it has no such script."""
    file = script(cluster.key, f"{name}.sh")
    text = file.read_text(encoding="utf-8") if file.is_file() else first_script(cluster, name)
    return (text or "").splitlines()


def directives(cluster: Cluster, name: str) -> dict[str, str]:
    """Option -> value of one of a cluster's scripts."""
    found = last(read(lines_of(cluster, name), cluster.scheduler.kind))
    return {option.name: option.value or "" for option in found.values()}


def parts(cluster: Cluster, name: str) -> Parts | None:
    """None where the cluster has no script of this name."""
    if not (lines := lines_of(cluster, name)):
        return None
    body = lines[next(at for at, line in enumerate(lines) if line.startswith("set ")) :]
    own = next(at for at, line in enumerate(body) if line.startswith(YOUR_OWN))
    setup = tuple(line for line in body[:own] if line and "check_gpu.py" not in line)
    return Parts(setup, tuple(line for line in body[own + 1 :] if line))


def again() -> list[str]:
    """What puts a job back into the queue before its time is over, from the script that shows it."""
    lines = (SNIPPETS / "roihu/requeue.sh").read_text(encoding="utf-8").splitlines()
    return lines[lines.index("again() {") : lines.index("trap again USR1") + 1]

"""Captures of our twins, as if the clusters themselves had answered, and what `guide adopt` makes of them."""

import subprocess
from pathlib import Path

from scripts.engine.data import common, facts
from scripts.engine.host import call, restart
from scripts.facts import Cluster
from scripts.facts.load import load_cluster
from tests.compare.asked import as_the_cluster
from tests.in_process import call as run

DAY = "2026-11-22"


def adopt(folder: Path, name: str, *texts: str, words: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    """The command, with each text in a file of its own."""
    files = [f"{number}.txt" for number, _ in enumerate(texts)]
    for file, text in zip(files, texts, strict=True):
        (folder / file).write_bytes(text if isinstance(text, bytes) else text.encode())
    return run("scripts.adopt", name, *files, "--into", str(folder / "new"), *words, cwd=folder)


def adopted(folder: Path, name: str, *texts: str, words: tuple[str, ...] = ()) -> Cluster:
    """The facts that the command writes."""
    done = adopt(folder, name, *texts, words=words)
    assert (done.returncode, done.stderr) == (0, ""), done
    return load_cluster(folder / "new" / name.lower() / "cluster.yml")


def of_twin(folder: Path, key: str) -> Cluster:
    """The facts that the command makes of a twin's answer."""
    return adopted(folder, key, as_the_cluster(key))


def verdicts(cluster: Cluster, scripts: list[str]) -> list[dict]:
    """The engine's, with its reasons."""
    asked = [[cluster.key, script] for script in scripts]
    found = call("slurm", asked, systems={cluster.key: facts.system(cluster)}, data=common())
    restart()  # the next facts have the same name
    return found

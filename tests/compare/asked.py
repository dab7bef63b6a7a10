"""Captures of the twins: each asked once, by the script that readers run."""

import re
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from scripts.compare.compare import compare
from scripts.compare.read import read
from scripts.compare.rows import Row
from scripts.facts import today
from scripts.paths import SNIPPETS
from tests.clusters import SLURM as CLUSTERS
from tests.twin import kept

SCRIPT = SNIPPETS / "ask_cluster.sh"


@cache
def asked(key: str) -> str:
    """What ask_cluster.sh writes on the twin of a cluster, with one of the guide's job scripts to judge."""
    cluster = CLUSTERS[key]
    with tempfile.TemporaryDirectory() as folder:
        words = ["sh", SCRIPT, cluster.policy.sample_account or "", SNIPPETS / key / "one_gpu.sh"]
        done = kept.twin(cluster).run(words, cwd=folder, capture_output=True, encoding="utf-8")
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        (file,) = Path(folder).iterdir()
        return file.read_text(encoding="utf-8")


def as_the_cluster(key: str) -> str:
    """What ask_cluster.sh writes on a twin, as if the cluster itself had said it, with the version of its facts."""
    version = CLUSTERS[key].scheduler.version
    return re.sub(r"(SLURM_VERSION = ).*", rf"\g<1>{version}", asked(key).replace("# twin: yes\n", ""))


def answer(key: str, *command: str) -> str:
    done: subprocess.CompletedProcess = kept.twin(CLUSTERS[key]).run(command, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout


def rows_of(key: str, text: str, folder: Path, date: str | None = None) -> list[Row]:
    file = folder / "capture.txt"
    file.write_text(text, encoding="utf-8")
    return compare(CLUSTERS[key], read(str(file)), date or today())

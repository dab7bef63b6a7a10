"""Write a ReFrame suite for a cluster from the guide's facts, and run it there or on a simulated scheduler.

    guide reframe kestrel                            writes reframe-kestrel/
    guide reframe kestrel --run --account=myproject  also submits every job script, on a login node of the cluster
    guide reframe kestrel --twin                     the same on this machine, small, with stand-ins for GPUs
    guide reframe kestrel --run -- --name=one_gpu    passes the options after -- to ReFrame

The exit status is ReFrame's: 0 if every test passed.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

from scripts.errors import BadInput, parser_of, run
from scripts.facts import Cluster, load_named
from scripts.paths import ROOT
from scripts.reframe.folder import TESTS, write
from scripts.reframe.settings import system_name
from scripts.twin import twin_of

OWN = ROOT / ".venv/reframe/bin/reframe"
REPORT = "report.json"
NODES = 4  # of each type live on a twin: array.sh has as many jobs, which may take a node each


def reframe() -> str:
    """ReFrame's command: that on PATH, or the one of `make test`. Raises BadInput if there is none."""
    if found := shutil.which("reframe") or (OWN.exists() and str(OWN)):
        return found
    cure = "Load your center's ReFrame module, or run: python3 -m pip install reframe-hpc"
    raise BadInput("reframe", None, "ReFrame is not installed.", cure)


def command(cluster: Cluster, folder: Path, further: list[str]) -> list[str]:
    """What runs the suite in a folder."""
    where = [f"--config-file={folder / 'settings.py'}", f"--checkpath={folder / TESTS}", f"--prefix={folder}"]
    named = [f"--system={system_name(cluster.key)}", f"--report-file={folder / REPORT}"]
    return [reframe(), *where, *named, "--run", *further]


def on_twin(cluster: Cluster, words: list[str], twin=None) -> int:
    """Run it against the twin, one job after the other: few of its nodes can live, and they share this machine.

    Whatever measures a GPU is left out: there is none.
    """
    twin = twin or twin_of(cluster)
    words = [*words, "--exec-policy=serial", "--exclude-tag=validate", "--skip-performance-check"]
    return twin.run(words, nodes=NODES).returncode


def main() -> int:
    ours, further = sys.argv[1:], []
    if "--" in ours:
        ours, further = ours[: ours.index("--")], ours[ours.index("--") + 1 :]
    parser = parser_of("guide reframe", __doc__)
    parser.add_argument("cluster", help="a system, such as kestrel")
    parser.add_argument("--account", help="replaces the placeholder account in the scripts")
    parser.add_argument("--backend", choices=["slurm", "squeue"], help="how to query Slurm: with sacct, or without")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--run", action="store_true", help="run it on this cluster")
    how.add_argument("--twin", action="store_true", help="run it on the simulated scheduler on this machine")
    chosen = parser.parse_args(ours)
    cluster = load_named(chosen.cluster)
    if chosen.run:
        is_here(cluster)
    folder = Path(f"reframe-{cluster.key}").absolute()
    backend = cluster.scheduler.words.reframe
    if backend == "slurm":
        backend = chosen.backend or ("squeue" if chosen.twin else backend)
    number = write(cluster, folder, backend, chosen.account)
    print(f"{number} tests for {cluster.name} are in {folder}", flush=True)
    if not (chosen.run or chosen.twin):
        where, how = ("on a login node", "--run") if cluster.running else ("on this machine", "--twin")
        print(f"Run them {where}: guide reframe {cluster.key} {how}")
        return 0
    words = command(cluster, folder, further)
    (folder / REPORT).unlink(missing_ok=True)
    status = on_twin(cluster, words) if chosen.twin else subprocess.call(words)
    return max(status, ran(folder))


def is_here(cluster: Cluster) -> None:
    """Raises BadInput where no job can be submitted to this cluster itself."""
    submit = cluster.scheduler.words.submit
    if not cluster.running:
        raise BadInput(cluster.key, None, f"{cluster.name} cannot run jobs now.", "Simulate it: --twin")
    if not shutil.which(submit):
        what = f"there is no {submit} here, so this is not a login node of {cluster.name}."
        raise BadInput(submit, None, what, "Log in there, or simulate the scheduler: --twin")


def ran(folder: Path) -> int:
    """0 if ReFrame's report tells of a test that passed. Raises BadInput where none ran: ReFrame is content then.

    Its log comes to lie beside the report.
    """
    report = folder / REPORT
    found = json.loads(report.read_text(encoding="utf-8")) if report.exists() else {}
    for log in found.get("session_info", {}).get("log_files", []):
        shutil.move(log, folder / "reframe.log")
    runs = found.get("runs")  # `session_info` has no counts of these before ReFrame 4.7
    if not runs or runs[0]["num_cases"] <= runs[0]["num_skipped"]:
        raise BadInput(folder, None, "no test has run.", "Check ReFrame's output above, and the tests that you named.")
    return 1 if runs[-1]["num_failures"] or runs[-1]["num_aborted"] else 0


if __name__ == "__main__":
    run(main, status=2)

"""A job script for each system that has an application for GPUs.

Its directives are those of the form, for one GPU and HOURS hours. What comes below is written once for all systems, in
snippets/families/applications/. There @LOAD@ stands for the lines that load the application, @START@ for `srun ` where
the system wants it, and @CORES@ for the cores of each rank. All other marks are in snippets/software/applications.yml.
"""

from __future__ import annotations

import re

from scripts.engine.ask import ask
from scripts.facts import Cluster
from scripts.facts.applications import Application, Installed, Table
from scripts.families import FAMILIES
from scripts.families.marks import fill

HOURS = 4
BODY = re.compile(r"\n\n# Put your own program here:\n(?P<start>.*)\./my_program\n$")
CORES = re.compile(r"(?<=--cpus-per-task=)\d+")


def scripts(clusters: dict[str, Cluster], table: Table) -> dict[str, str]:
    """Name -> text: `gromacs-lumi.sh`."""
    wanted = [
        (key, one, entry, system)
        for key, one in table.applications.items()
        for entry in one.systems
        if entry.state == "gpu"
        for system in entry.on
    ]
    systems = sorted({system for *_, system in wanted})
    asked = [f"cluster={system}&time={HOURS}h&program=own-command" for system in systems]
    found = ask("write", [clusters[system] for system in systems], asked)
    forms = {system: answer["script"] for system, answer in zip(systems, found, strict=True)}
    return {
        f"{key}-{system}.sh": _script(key, one, entry, clusters[system], forms[system])
        for key, one, entry, system in wanted
    }


def _script(key: str, one: Application, entry: Installed, cluster: Cluster, form: str) -> str:
    head, end = form[: (body := BODY.search(form)).start()], body["start"]
    directives, setup = head.split("\nset -euo pipefail")
    directives = re.sub(r"(?<=--job-name=).*", key, directives)
    share = next(iter(cluster.gpus.values())).fair_share
    cores = '"$SLURM_CPUS_PER_TASK"'
    if asked := CORES.search(directives):
        directives = CORES.sub(str(int(asked[0]) // entry.ranks), directives)
        directives = directives.replace("--ntasks=1\n", f"--ntasks={entry.ranks}\n")
    else:
        cores = str(share.cores)
    load = "\n".join([*entry.load, *entry.setup]) + setup
    values = {"KEY": cluster.key, "LOAD": load, "START": end, "CORES": cores}
    file = FAMILIES / "applications" / f"{key}.sh"
    values |= {name: fill(text, values, file, 1) for name, text in entry.marks.items()}
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    text = "".join(fill(line, values, file, number) for number, line in enumerate(lines, 1))
    return f"{directives}\nset -euo pipefail\n{text}"

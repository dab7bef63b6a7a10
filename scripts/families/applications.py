"""A job script for each system that has an application for GPUs.

Its directives are those of the form, for one GPU and HOURS hours, or FIRST for the CPU-only job that some applications
begin with. What comes below is written once for all systems, in snippets/families/applications/. There @LOAD@ stands
for the lines that load the application, @START@ for `srun ` where the system wants it, and @CORES@ for the cores of
each rank. All other marks are in snippets/software/applications.yml.
"""

import re

from scripts.engine.ask import ask
from scripts.facts import Cluster
from scripts.facts.applications import Installed, Table
from scripts.families import FAMILIES
from scripts.families.marks import fill

HOURS = 4
FIRST = "gpu=none&cores=8&memory=64G&time=8h"  # what the Alliance's example gives AlphaFold's search
BODY = re.compile(r"\n\n# Put your own program here:\n(?P<start>.*)\./my_program\n$")
CORES = re.compile(r"(?<=--cpus-per-task=)\d+")


def scripts(clusters: dict[str, Cluster], table: Table) -> dict[str, str]:
    """Name -> text: `gromacs-lumi.sh`."""
    wanted = [
        (key, entry, system)
        for key, one in table.applications.items()
        for entry in one.systems
        if entry.state == "gpu"
        for system in entry.on
    ]
    systems = sorted({system for *_, system in wanted})
    forms = _forms(clusters, systems, f"time={HOURS}h")
    made = {f"{key}-{system}.sh": _script(key, entry, clusters[system], forms[system]) for key, entry, system in wanted}
    both = [each for each in wanted if each[1].before]
    forms = _forms(clusters, sorted({system for *_, system in both}), FIRST)
    for key, entry, system in both:
        first = entry.model_copy(update={"marks": entry.before, "load": entry.cpu or entry.load})
        made[f"{key}-cpu-{system}.sh"] = _script(key, first, clusters[system], forms[system])
    return made


def _forms(clusters: dict[str, Cluster], systems: list[str], wish: str) -> dict[str, str]:
    found = ask(
        "write", [clusters[key] for key in systems], [f"cluster={key}&{wish}&program=own-command" for key in systems]
    )
    return {system: answer["script"] for system, answer in zip(systems, found, strict=True)}


def _script(key: str, entry: Installed, cluster: Cluster, form: str) -> str:
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

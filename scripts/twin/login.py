"""The login node of a twin: a home folder, modules and programs that stand in for what only the real machine has.

Every stand-in says so in what it prints: `stand-in: …`. A script can then run to its end where there is neither GPU nor
container.
"""

import re
import shlex
import sys
from pathlib import Path

from scripts.facts import Cluster

STANDINS = Path(__file__).resolve().parent / "standins"

# Read by the login shells that the job scripts ask for; it comes after /etc/profile, which may set PATH anew.
PROFILE = """export PATH={standins}:$PATH
if [ -n "${{SLURM_JOB_ID:-}}" ]; then
    mkdir -p "$HOME/tmp-$SLURM_JOB_ID"
    export {of_a_job}
fi
export CONTAINERDIR=/containers  # on some clusters a module sets it
"""


def environment(folder: Path) -> dict[str, str]:
    """Variables of whoever is logged in. `TWIN_PYTHON` is the Python that stands behind the stand-in."""
    return {
        "HOME": str(folder / "home"),
        "LMOD_SITE_MODULEPATH": str(folder / "modules"),
        "TWIN_PYTHON": sys.executable,
    }


def exports(folder: Path) -> str:
    """The same as lines of shell."""
    return "\n".join(f"export {name}={shlex.quote(value)}" for name, value in environment(folder).items())


def job_folders(cluster: Cluster) -> set[str]:
    """The variables that a prolog sets to the job's own folder on the node: those of the facts, and SLURM_TMPDIR."""
    of_a_job = [place.path for place in cluster.storage if place.kept == "until the job ends"]
    return {"SLURM_TMPDIR", *(found[1] for path in of_a_job if (found := re.fullmatch(r"\$(\w+)", path)))}


def write(folder: Path, cluster: Cluster) -> None:
    """Write the home folder and the modules that the facts list."""
    (folder / "home").mkdir()
    of_a_job = " ".join(f'{name}="$HOME/tmp-$SLURM_JOB_ID"' for name in sorted(job_folders(cluster)))
    (folder / "home" / ".bash_profile").write_text(
        PROFILE.format(standins=shlex.quote(str(STANDINS)), of_a_job=of_a_job), encoding="utf-8"
    )
    write_modules(folder / "modules", modules(cluster))


def modules(cluster: Cluster) -> list[str]:
    """What jobs load: what the facts list, and what brings the container tool."""
    software = cluster.software
    return [*software.loadable, *software.own_modules, *filter(None, [software.container_module])]


def write_modules(folder: Path, modules: list[str]) -> None:
    """An Lmod modulefile for each name, which does nothing but be there."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in sorted(modules, reverse=True):  # `apptainer/1.4` before `apptainer`
        if not (folder / name).is_dir():
            file = folder / f"{name}.lua"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f'help("Stands in for {name}.")\n', encoding="utf-8")

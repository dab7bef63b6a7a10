"""The `module` lines of every script, run by a real Lmod whose modules are stand-ins for those in the facts.

It finds a module or a path that the facts do not list, a wrong option, a `module use` that is missing, a script
that would go on without its module. It does not find a module that the site has removed: that is the facts' part.
"""

import re
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import pytest

from scripts import facts
from scripts.twin.login import write_modules
from tests.clusters import CLUSTERS
from tests.needs import need
from tests.snippets.sandbox import ROOT

SNIPPETS = ROOT / "snippets"
MODULE_LINE = re.compile(r"^\s*(?:module|ml)\s.*$", re.MULTILINE)
SCRIPTS = [path for path in sorted(SNIPPETS.glob("*/*.sh")) if MODULE_LINE.search(path.read_text(encoding="utf-8"))]


@pytest.fixture
def lmod():
    return need("/etc/profile.d/lmod.sh", "lmod")


def module_part(script: str) -> tuple[str, ...]:
    """What matters of a script here: its first line, its `set` lines and its `module` lines."""
    first, *rest = script.splitlines()
    return first, *(line for line in rest if re.match(r"\s*(set|module|ml)\s", line))


@cache
def run(
    part: tuple[str, ...], modules: tuple[str, ...], paths: tuple[str, ...], compilers: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[str]:
    """Run such a part by its own first line, in a clean login, on a system that has these modules and nothing else.

    Where the facts list folders for `module use`, the modules are in those folders alone, but not the compilers.
    """
    with tempfile.TemporaryDirectory(prefix="lmod-") as home:
        for path in paths or ("/modulefiles",):
            write_modules(Path(home + path), list(modules))
        write_modules(Path(home, "modulefiles"), list(compilers))
        script = Path(home, "job.sh")
        moved = [re.sub(r"^(\s*module use(?: \S+)*? )(?=/)", rf"\1{home}", line) for line in part]
        script.write_text("\n".join([*moved, "module list", ""]), encoding="utf-8")
        script.chmod(0o755)
        environment = {"PATH": "/usr/bin:/bin", "HOME": home, "USER": "reader"}
        environment["LMOD_SITE_MODULEPATH"] = f"{home}/modulefiles"
        return subprocess.run([script], cwd=home, env=environment, capture_output=True, encoding="utf-8", timeout=60)


def facts_for(script: Path) -> facts.Cluster:
    """The script's cluster; for the parts in snippets/software a cluster that has all its modules."""
    if script.parent.name in CLUSTERS:
        return CLUSTERS[script.parent.name]
    wanted = {
        name
        for line in re.findall(r"^\s*module load (.+)$", script.read_text(encoding="utf-8"), re.MULTILINE)
        for name in line.split()
    }
    for cluster in sorted(CLUSTERS.values(), key=lambda cluster: not cluster.running):
        if wanted <= set(cluster.software.loadable):
            return cluster
    pytest.fail(
        f"{script.relative_to(ROOT)}: no cluster's facts list {' and '.join(sorted(wanted))}; "
        "load what one of them has.",
        pytrace=False,
    )


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_the_module_lines_run_and_a_module_that_is_gone_stops_the_job(lmod, script):
    name, text = script.relative_to(ROOT), script.read_text(encoding="utf-8")
    software, part = facts_for(script).software, module_part(text)
    assert re.match(r"\s*set -\w*e", part[1]), f"{name}: write `set -euo pipefail` above the module lines."
    done = run(part, tuple(software.modules), tuple(software.module_paths), (*software.compilers, *software.profilers))
    assert done.returncode == 0, f"{name}: its module lines fail:\n{done.stderr}"
    # Lmod says nothing of a folder that does not exist, so the text is compared.
    for path in re.findall(r"^\s*(?:module|ml) use (?:-\S+ )*(\S+)$", text, re.MULTILINE):
        assert path in software.module_paths, f"{name}: the facts list no module path {path}."

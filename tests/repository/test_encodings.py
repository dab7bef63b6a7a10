"""Nobody's locale matters: all text is read and written as UTF-8; a terminal without its letters meets no traceback."""

import os
import subprocess
import sys

import pytest

from scripts.site.copy import copy_guide
from tests.site.test_serve import change
from tests.tiers import by_day

LOCALES = {
    "C": {"LC_ALL": "C"},
    "Latin-1": {
        "LC_ALL": "C",
        "PYTHONIOENCODING": "latin-1",
    },  # what a Latin-1 terminal is to Python; the locale itself is in no container
}


@pytest.fixture(params=by_day(LOCALES, {"C"}))
def tool(request, tmp_path):
    """tool(name, *arguments): run a tool of a copy of the guide under a locale that lacks most letters."""
    copy_guide(tmp_path)
    environment = os.environ | {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"} | LOCALES[request.param]
    environment.pop("LANG", None)

    def tool(name: str, *arguments: str) -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, "-m", f"scripts.{name}", *arguments], cwd=tmp_path, env=environment, capture_output=True
        )
        said = (done.stdout + done.stderr).decode("utf-8", "replace")
        assert "Traceback" not in said and "Error" not in said, said
        return done.returncode, said

    tool.copy = tmp_path
    return tool


@pytest.mark.nightly
def test_the_site_is_built(tool):
    assert tool("build", "--site-dir", "out")[0] == 0
    assert "é" in (tool.copy / "out/index.html").read_text(encoding="utf-8")
    page = tool.copy / "docs/about/offline.md"
    page.write_text(page.read_text(encoding="utf-8") + "\n```{.bash “quoted”}\nls\n```\n", encoding="utf-8")
    status, said = tool("build", "--site-dir", "out")
    assert status == 1 and "docs/about/offline.md:" in said


def test_the_tools_work_and_faults_are_told(tool):
    assert tool("tables")[0] == 0
    change(tool.copy / "snippets/puhti/cluster.yml", "\nname: Puhti", "\nnäme: Puhti")
    status, said = tool("tables")
    assert status == 1 and "snippets/puhti/cluster.yml:" in said


def test_a_script_with_any_letters_is_checked(tool):
    script = tool.copy / "jöb.sh"
    script.write_text("#!/bin/bash\n#SBATCH —account=project_2001234\necho “hello”\n", encoding="utf-8")
    status, said = tool("check", "puhti", "jöb.sh")
    assert status in (1, 2) and "b.sh:2: " in said
    assert tool("check", "puhti", "--json", "jöb.sh")[0] == status

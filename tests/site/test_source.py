"""The source that the site offers as an archive: a reader unpacks it and has the command `guide`."""

import os
import re
import shlex
import subprocess
import sys
import tarfile

import pytest
import yaml

from scripts.paths import SNIPPETS
from scripts.site.after import source
from scripts.site.config import mkdocs_yml
from scripts.tables import home
from scripts.tables.home import repository
from tests.in_process import call


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    source.write(folder)
    return folder / "gpu-cluster-guide-source.tar.gz"


def test_the_archive_has_what_the_command_needs_with_its_modes(packed):
    with tarfile.open(packed) as archive:
        modes = {entry.name.partition("/")[2]: entry.mode for entry in archive}
    assert modes["guide"] == 0o755 and modes["pyproject.toml"] == 0o644 and modes["snippets/kestrel/cluster.yml"]
    assert not [
        name
        for name in modes
        if name.startswith((".venv", "build/", "site/", ".git", "tests/", "snippets/collections"))
    ]
    assert packed.stat().st_size < 1_300_000, "docs/about/offline.md promises 1.3 MB"


def test_the_same_files_give_the_same_archive(packed, tmp_path):
    source.write(tmp_path)
    assert (tmp_path / packed.name).read_bytes() == packed.read_bytes()


def test_guide_runs_in_the_unpacked_folder(packed, tmp_path):
    subprocess.run(["tar", "-xzf", packed, "-C", tmp_path], check=True)
    command = [sys.executable, "-m", "scripts.engine", "fit", "Llama 3.1 8B", "--system", "roihu"]
    bare = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    folder = tmp_path / "gpu-cluster-guide-source"
    done = subprocess.run(command, cwd=folder, env=bare, capture_output=True, encoding="utf-8")
    assert done.returncode == 0 and "GH200" in done.stdout, done.stderr


def test_the_workflow_for_documents_runs_the_archives_command(packed, tmp_path):
    """Each of its lines, in a repository whose first folder has a wrong script and whose others have a right one."""
    steps = yaml.safe_load((SNIPPETS / "software/check_docs.yml").read_text("utf-8"))["jobs"]["check"]["steps"]
    unpack, *checks = [shlex.split(step["run"]) for step in steps if "run" in step]
    assert unpack == ["tar", "-xzf", f"tools/{packed.name}", "-C", "$RUNNER_TEMP"]
    with tarfile.open(packed) as archive:
        names = archive.getnames()
    ended = []
    for command, *words in checks:
        assert command.removeprefix("$RUNNER_TEMP/") in names and words[0] == "docs"
        (key,) = [word.removeprefix("--system=") for word in words if word.startswith("--system=")]
        script = (SNIPPETS / key / "many_cpus.sh").read_text("utf-8")
        script = script if ended else re.sub(r"--time=\S+", "--time=99-0", script)
        (folder := tmp_path / words[-1]).mkdir(parents=True)
        (folder / "a.md").write_text(f"```\n{script}```\n", "utf-8")
        done = call("scripts.documents", *words[1:], cwd=tmp_path)
        ended.append((done.returncode, f"::error file={words[-1]}/a.md,line=" in done.stdout))
    assert ended == [(1, True), (0, False)]


def test_the_address_of_the_repository_comes_from_mkdocs_yml(monkeypatch):
    assert "does not name a public repository" in repository({})
    config = mkdocs_yml()
    config.data["repo_url"] = "https://example.org/guide"
    monkeypatch.setattr(home, "mkdocs_yml", lambda: config)
    assert "git clone https://example.org/guide\n" in repository({})

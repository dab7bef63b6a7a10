"""The source that the site offers as a zip: a reader unpacks it and has the command `guide`."""

import os
import subprocess
import sys
import zipfile

import pytest

from scripts.site.after import source
from scripts.site.config import mkdocs_yml
from scripts.tables import home
from scripts.tables.home import repository


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    source.write(folder)
    return folder / "gpu-cluster-guide-source.zip"


def test_the_zip_has_what_the_command_needs_with_its_modes(packed):
    with zipfile.ZipFile(packed) as archive:
        modes = {entry.filename.partition("/")[2]: entry.external_attr >> 16 for entry in archive.infolist()}
    assert modes["guide"] == 0o755 and modes["pyproject.toml"] == 0o644 and modes["snippets/kestrel/cluster.yml"]
    assert not [name for name in modes if name.startswith((".venv", "build/", "site/", ".git", "tests/"))]
    assert packed.stat().st_size < 1_500_000, "docs/about/offline.md promises 1 MB"


def test_the_same_files_give_the_same_zip(packed, tmp_path):
    source.write(tmp_path)
    assert (tmp_path / packed.name).read_bytes() == packed.read_bytes()


def test_guide_runs_in_the_unpacked_folder(packed, tmp_path):
    with zipfile.ZipFile(packed) as archive:
        archive.extractall(tmp_path)
    command = [sys.executable, "-m", "scripts.engine", "fit", "Llama 3.1 8B", "--system", "roihu"]
    bare = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    folder = tmp_path / "gpu-cluster-guide-source"
    done = subprocess.run(command, cwd=folder, env=bare, capture_output=True, encoding="utf-8")
    assert done.returncode == 0 and "GH200" in done.stdout, done.stderr


def test_the_address_of_the_repository_comes_from_mkdocs_yml(monkeypatch):
    assert "does not name a public repository" in repository({})
    config = mkdocs_yml()
    config.data["repo_url"] = "https://example.org/guide"
    monkeypatch.setattr(home, "mkdocs_yml", lambda: config)
    assert "git clone https://example.org/guide\n" in repository({})

"""Copier itself makes a center's repository, pip installs the package there, an update keeps what people wrote."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from scripts.paths import ROOT, SNIPPETS, write_whole
from tests.needs import leave_out
from tests.repository.test_package import wheel  # noqa: F401, a fixture
from tests.template.rendered import ANSWERS, COPIER, TEMPLATE, render

pytestmark = pytest.mark.nightly
GIT = {f"GIT_{who}_{what}": "a@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
KEPT = ("PATH", "PIP_CONFIG_FILE", "PIP_FIND_LINKS", "PIP_INDEX_URL")


def run(folder: Path, *words: str | Path) -> str:
    """What a command prints there; it has a home of its own, and no path of ours."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    variables = kept | GIT | {"HOME": str(folder.parent)}
    done = subprocess.run(words, cwd=folder, env=variables, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def commit(folder: Path, *tag: str) -> None:
    if not (folder / ".git").exists():
        run(folder, "git", "init", "--quiet")
    run(folder, "git", "add", "--all")
    run(folder, "git", "commit", "--quiet", "--message", "a state")
    if tag:
        run(folder, "git", "tag", *tag)


def add(file: Path, text: str) -> None:
    write_whole(file, (file.read_text(encoding="utf-8") if file.exists() else "") + text)


@pytest.fixture
def source(tmp_path) -> Path:
    """The part of this repository that Copier reads, with its history."""
    folder = tmp_path / "source"
    shutil.copytree(TEMPLATE, folder / TEMPLATE.name)
    shutil.copy(ROOT / "copier.yml", folder)
    commit(folder, "v1.0.0")
    return folder


@pytest.fixture
def copier() -> str:
    own = ROOT / ".venv/copier/bin/copier"
    return str(own) if own.exists() else shutil.which("copier") or leave_out("copier")


def test_a_center_from_nothing_to_an_update(source, copier, tmp_path, wheel):  # noqa: F811
    centre = tmp_path / "centre"
    answers = ANSWERS | {"example": True, "package": f"gpu-cluster-guide[site] @ {wheel.as_uri()}", "logo": ""}
    (tmp_path / "answers.yml").write_text(yaml.safe_dump(answers), encoding="utf-8")
    run(tmp_path, copier, "copy", "--quiet", "--defaults", "--data-file", "answers.yml", source, centre)
    by_jinja = render(tmp_path / "by_jinja", **answers)
    files = {path.relative_to(by_jinja) for path in by_jinja.rglob("*") if path.is_file()}
    assert files == {path.relative_to(centre) for path in centre.rglob("*") if path.is_file()} and len(files) > 9
    for name in files - {Path(".copier-answers.yml")}:
        assert (centre / name).read_bytes() == (by_jinja / name).read_bytes(), name

    assert "Clusters: 1, " in run(centre, "make", "test") and (centre / "site/clusters/example.html").exists()
    run(centre, "make", "ask")
    assert (centre / "ask_cluster.sh").read_bytes() == (SNIPPETS / "ask_cluster.sh").read_bytes()

    shutil.rmtree(centre / "example")
    facts = (SNIPPETS / "swift/cluster.yml").read_text(encoding="utf-8").replace("centre: nlr", "centre: far")
    add(centre / "zebra/cluster.yml", facts)
    add(centre / "docs/learn/fast.md", "# Go fast\n")
    for name in ("words.yml", "README.md"):
        text = (centre / name).read_text(encoding="utf-8")
        (centre / name).write_text(text.replace("GPUs at ", "Machines of "), encoding="utf-8")
    commit(centre)
    add(source / "template/words.yml.jinja", "# newer: A new word\n")
    add(source / "template/Makefile", "\nnewer:\n\t@echo newer\n")
    (source / "template/example.txt.jinja").write_text("{{ name }}", encoding="utf-8")
    commit(source, "v1.1.0")
    run(centre, copier, "update", "--quiet", "--defaults")

    changed = set(run(centre, "git", "status", "--porcelain").split("\n"))
    assert changed == {" M .copier-answers.yml", " M Makefile", " M words.yml", "?? example.txt", ""}
    words = (centre / "words.yml").read_text(encoding="utf-8")
    assert 'title: "Machines of ' in words and words.endswith("# newer: A new word\n") and "<<<<" not in words
    assert "_commit: v1.1.0\n" in (centre / ".copier-answers.yml").read_text(encoding="utf-8")
    assert run(centre, "make", "newer") == "newer\n"
    run(centre, "make", "test")
    assert not (centre / "site/clusters/example.html").exists() and (centre / "site/learn/fast.html").exists()


def test_without_an_answer_pip_installs_from_the_templates_folder(source, copier, tmp_path):
    run(tmp_path, copier, "copy", "--quiet", "--defaults", "--data=name=Far", "--data=where=Away", source, "new")
    assert (tmp_path / "new/requirements.txt").read_text() == f"gpu-cluster-guide[site] @ {source.as_uri()}\n"


@pytest.mark.parametrize("name, value", [("name", " "), ("key", "Far Away"), ("light", "blue")])
def test_an_answer_that_cannot_be_used_is_refused(source, copier, tmp_path, name, value):
    (tmp_path / "answers.yml").write_text(yaml.safe_dump(ANSWERS | {name: value}), encoding="utf-8")
    command = [copier, "copy", "--defaults", "--data-file", "answers.yml", source, "centre"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode and f"Validation error for question '{name}'" in done.stderr
    assert not (tmp_path / "centre/Makefile").exists() and COPIER[name]

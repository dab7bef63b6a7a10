"""Bad input: one clear line, a non-zero end, and nothing lost."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.errors import BadInput
from scripts.evidence import records as evidence
from scripts.facts import load_all
from scripts.site.copy import copy_guide


@pytest.fixture
def checkout(tmp_path) -> Path:
    """A copy of the guide's sources to spoil."""
    copy = tmp_path / "guide"
    copy_guide(copy)
    return copy


def python(checkout: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", *arguments], cwd=checkout, capture_output=True, encoding="utf-8")


def append(path: Path, text: str) -> None:
    path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")


@pytest.mark.nightly
def test_a_wrong_facts_file_leaves_every_table_as_it_was(checkout):
    assert python(checkout, "scripts.tables").returncode == 0
    append(checkout / "snippets/puhti/cluster.yml", "nonsense: 1\n")
    (checkout / "snippets/lumi/cluster.yml").write_text(
        (checkout / "snippets/lumi/cluster.yml").read_text(encoding="utf-8").replace("name: LUMI", "name: LUMI-X"),
        encoding="utf-8",
    )
    before = {path: path.read_bytes() for path in (checkout / "build").rglob("*.*")}
    result = python(checkout, "scripts.tables")
    assert result.returncode == 1
    assert (
        len(result.stderr.strip().splitlines()) == 1
        and "snippets/puhti/cluster.yml:" in result.stderr
        and "nonsense" in result.stderr
    )
    assert before == {path: path.read_bytes() for path in (checkout / "build").rglob("*.*")} != {}


@pytest.mark.parametrize(
    "line, said",
    [
        ('--8<-- "snippets/puhti/two_gpus.sh"', "snippets/puhti/two_gpus.sh"),
        ('--8<-- "snippets/puhti/one_gpu.sh:body"', "body"),
    ],
    ids=["missing file", "missing section"],
)
def test_a_missing_include_names_page_line_and_file(checkout, line, said):
    append(checkout / "docs/about/how-checked.md", f"\n```bash\n{line}\n```\n")
    number = len((checkout / "docs/about/how-checked.md").read_text(encoding="utf-8").splitlines()) - 1
    result = python(checkout, "scripts.build", "--site-dir", "out")
    assert result.returncode == 1
    assert (
        result.stderr.strip().splitlines()[-1].startswith(f"docs/about/how-checked.md:{number}: ")
        and said in result.stderr
    )
    assert not (checkout / "out").exists()


@pytest.mark.nightly
def test_a_fence_with_an_unknown_option_is_refused(checkout):
    append(checkout / "docs/about/how-checked.md", '\n```console test="skip"\nls\n```\n')
    result = python(checkout, "scripts.build", "--site-dir", "out")
    assert result.returncode == 1 and "option" in result.stderr and "docs/about/how-checked.md:" in result.stderr


@pytest.mark.nightly
def test_windows_line_ends_are_refused(checkout):
    page = checkout / "docs/about/how-checked.md"
    page.write_bytes(page.read_bytes().replace(b"\n", b"\r\n"))
    result = python(checkout, "scripts.build", "--site-dir", "out")
    assert (
        result.returncode == 1
        and "Windows line ends" in result.stderr
        and "docs/about/how-checked.md:1:" in result.stderr
    )


RECORD = '{"a.sh": {"how": "parsed", "detail": "", "date": "2026-11-21", "rests_on": %s}}'


@pytest.mark.parametrize(
    "text",
    ["", "[]", '{"snippets/puhti/one_gpu.sh": {"how": "believed"}}', "{", RECORD % "3", RECORD % '{"twin": 1}'],
)
def test_an_evidence_file_that_holds_something_else_is_refused(tmp_path, text):
    path = tmp_path / "evidence.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match="evidence"):
        evidence.read(path)


def test_evidence_of_an_unknown_kind_is_refused(tmp_path):
    path = tmp_path / "evidence.json"
    path.write_text(
        json.dumps({"a.sh": {"how": "believed", "detail": "", "date": "2026-11-21", "rests_on": {}}}), encoding="utf-8"
    )
    with pytest.raises(BadInput, match="no kind of evidence"):
        evidence.read(path)


def test_an_empty_folder_has_no_clusters(tmp_path):
    with pytest.raises(BadInput, match="no <cluster>/cluster.yml"):
        load_all(tmp_path)

"""Bad input: one clear line, a non-zero end, and nothing lost."""

import shutil
import sys
from pathlib import Path

import pytest

from scripts.errors import BadInput
from scripts.evidence import records as evidence
from scripts.facts import load_all
from scripts.paths import MADE, ROOT, write_whole
from scripts.site.build import check_page
from scripts.site.config import BUILD
from scripts.site.copy import copy_guide
from tests.run import run


def python(checkout: Path, *arguments: str) -> str:
    """What a tool says that must fail."""
    return run(sys.executable, "-m", *arguments, cwd=checkout, status=1).stderr


@pytest.mark.nightly
def test_a_wrong_facts_file_leaves_every_table_as_it_was(tmp_path):
    copy_guide(tmp_path)
    shutil.copytree(MADE, tmp_path / MADE.relative_to(ROOT))
    for key, old, new in (("puhti", "name: Puhti", "nonsense: 1"), ("lumi", "name: LUMI", "name: LUMI-X")):
        facts = tmp_path / f"snippets/{key}/cluster.yml"
        facts.write_text(facts.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    before = {path: path.read_bytes() for path in (tmp_path / MADE.relative_to(ROOT)).rglob("*.*")}
    said = python(tmp_path, "scripts.tables")
    assert said.startswith("snippets/puhti/cluster.yml:") and "nonsense" in said
    assert before == {path: path.read_bytes() for path in (tmp_path / MADE.relative_to(ROOT)).rglob("*.*")} != {}


def test_a_missing_include_names_page_line_and_file_and_nothing_is_built(tmp_path):
    copy_guide(tmp_path)
    page = tmp_path / "docs/about/how-checked.md"
    text = page.read_text(encoding="utf-8") + '\n```bash\n--8<-- "snippets/puhti/two_gpus.sh"\n```\n'
    page.write_text(text, encoding="utf-8")
    said = python(tmp_path, "scripts.build", "--site-dir", "out").strip().splitlines()[-1]
    assert said.startswith(f"docs/about/how-checked.md:{text.count(chr(10)) - 1}: ")
    assert "snippets/puhti/two_gpus.sh" in said and not (tmp_path / "out").exists()
    assert "contains other files" in python(tmp_path, "scripts.build", "--site-dir", "docs")


def test_a_folder_that_cannot_be_made_gets_one_line_and_no_traceback(tmp_path):
    for name, text in (("mkdocs.yml", "site_name: x"), ("docs/index.md", "# x"), ("file", "")):
        write_whole(tmp_path / name, text)
    config, site = tmp_path / "mkdocs.yml", tmp_path / "file/site"
    said = run(sys.executable, *BUILD, "-f", config, "-d", site, status=1).stderr
    assert (
        "Traceback" not in said and said.splitlines()[-1] == f"{site}: Not a directory. Fix the problem, and try again."
    )


@pytest.mark.parametrize(
    "text, said",
    [
        ('```bash\n--8<-- "snippets/puhti/one_gpu.sh:body"\n```\n', ":4: .* has no section `body`"),
        ('```console test="skip"\nls\n```\n', ":3: the fence has an option"),
        ("~~~console\nls\n~~~\n", ":3: a fence of ~~~"),
        ("```console\nls\n", ":3: the fence that opens here is never closed"),
        ('```bash\n--8<-- "snippets/puhti/one_gpu.sh"\nls\n```\n', ":3: the tests pass over what is typed"),
        ("<!-- pytest-codeblocks:skip -->\n", ":3: a comment would let the tests pass over"),
        ("Words.\r\n", ":1: Windows line endings"),
        ("\udcff", ":3: this is not UTF-8 text"),
    ],
)
def test_what_would_vanish_or_break_is_refused_with_its_line(tmp_path, text, said):
    page = tmp_path / "page.md"
    page.write_bytes(f"# A page\n\n{text}".encode("utf-8", "surrogateescape"))
    with pytest.raises(BadInput, match=rf"page\.md{said}"):
        check_page(page)


RECORD = '{"a.sh": {"how": "%s", "detail": "", "date": "2026-11-21", "rests_on": %s}}'


NO_RECORDS = ["", "[]", '{"a.sh": {"how": "parsed"}}', "{", *(RECORD % ("parsed", on) for on in ("3", '{"twin": 1}'))]


@pytest.mark.parametrize(
    "text, said",
    [*((text, "evidence") for text in NO_RECORDS), (RECORD % ("believed", "{}"), "not a kind of evidence")],
)
def test_an_evidence_file_that_holds_something_else_is_refused(tmp_path, text, said):
    path = tmp_path / "evidence.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=said):
        evidence.read(path)


def test_an_empty_folder_has_no_clusters(tmp_path):
    with pytest.raises(BadInput, match="no <cluster>/cluster.yml"):
        load_all(tmp_path)

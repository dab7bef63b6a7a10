"""The site shows the record that lay there when it was built, and nothing else but the commit decides its bytes."""

import json
import re
import sys
from pathlib import Path

import pytest
import yaml

from scripts.evidence.records import EVIDENCE
from scripts.paths import ROOT
from scripts.site.build import commit_time
from scripts.site.copy import copy_guide
from tests.run import run
from tests.site.test_reproducible import files

SCRIPT, PAGE = "snippets/puhti/one_gpu.sh", "clusters/puhti"
RECORD = EVIDENCE.relative_to(ROOT)


def build(folder: Path, record: str) -> dict[str, bytes]:
    """The site that a copy of the guide gives with this record."""
    copy_guide(folder)
    (folder / RECORD).write_text(record, encoding="utf-8")
    build = (sys.executable, "-m", "scripts.build", "--site-dir", folder / "site")
    run(*build, cwd=folder, env={"SOURCE_DATE_EPOCH": commit_time()}, status=0)
    return files(folder / "site")


@pytest.mark.nightly
def test_a_build_shows_the_record_it_was_given(site, tmp_path):
    """Another record, in another folder, changes the pages that show it, and no other byte."""
    record = json.loads(EVIDENCE.read_text(encoding="utf-8"))
    record[SCRIPT] |= {"date": "2031-02-03", "detail": "by a scheduler that is not known here"}
    given, other = files(site), build(tmp_path, json.dumps(record))
    differ = {name for name in given.keys() | other.keys() if given.get(name) != other.get(name)}
    assert {f"{PAGE}.html", f"{PAGE}.md", str(RECORD)} <= differ
    assert {name for name in differ if name.endswith((".html", ".md"))} == {f"{PAGE}.html", f"{PAGE}.md"}
    said = re.sub(r"<[^>]*>", "", other[f"{PAGE}.html"].decode())
    assert "Accepted by a scheduler that is not known here, on February 3, 2031." in said


def test_whoever_builds_may_name_the_date(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "123")
    assert commit_time() == "123"


def test_the_workflow_publishes_the_record_of_its_own_run():
    """One job writes the record anew, and then builds the site; the publishing job takes that site."""
    jobs = yaml.safe_load((ROOT / ".github/workflows/check.yml").read_text(encoding="utf-8"))["jobs"]
    steps = jobs["test"]["steps"]
    commands = [command for step in steps for command in step.get("run", "").splitlines()]
    removed, written, built = (
        next(place for place, command in enumerate(commands) if re.search(wanted, command))
        for wanted in (rf"^rm {RECORD}$", "^make evidence$", "^make test-all .*--keep-site site")
    )
    assert removed < written < built
    later = " ".join(commands[written + 1 :])
    assert not re.search(r"git (checkout|restore|stash|reset|clean)|evidence", later), "the record is left alone"
    kept = next(step["with"] for step in steps if step.get("uses", "").startswith("actions/upload-artifact"))
    taken = next(
        step["with"]
        for step in jobs["publish"]["steps"]
        if step.get("uses", "").startswith("actions/download-artifact")
    )
    assert (kept["name"], kept["path"]) == (taken["name"], taken["path"]) == ("site", "site")

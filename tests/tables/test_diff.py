"""`make tables-diff`: the rows that a changed fact changes, and nothing is left behind."""

import shutil
import sys

import pytest

from scripts.paths import ROOT
from scripts.site.copy import copy_guide
from tests.run import run


@pytest.mark.nightly
def test_a_changed_limit_is_shown_in_the_tables_that_have_it(tmp_path):
    folder = tmp_path / "a guide"

    def said(*words: str) -> str:
        return run(*words, cwd=folder, status=0).stdout

    copy_guide(folder)
    shutil.copyfile(ROOT / "Makefile", folder / "Makefile")
    (folder / ".venv").symlink_to(sys.prefix)
    (folder / ".gitignore").write_text("/.venv\n/build/\n__pycache__/\n", encoding="utf-8")
    said("git", "init", "--quiet")
    said("git", "add", ".")
    said("git", "-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "--quiet", "--message", "x")
    diff = "make", "--silent", "--old-file=.venv/site-installed", "tables-diff"
    assert said(*diff) == ""
    facts = folder / "snippets/puhti/cluster.yml"
    text = facts.read_text(encoding="utf-8")
    facts.write_text(text.replace("max_time: 14-00:00:00", "max_time: 10-00:00:00", 1), encoding="utf-8")
    shown = said(*diff)
    assert "+++ b/after/tables/puhti/partitions.md" in shown
    assert "\n-| `" in shown and "| 14 days |" in shown and "\n+| `" in shown and "| 10 days |" in shown
    assert "lumi" not in shown
    facts.write_text(text.replace("max_time: 14-00:00:00", "max_time: x", 1), encoding="utf-8")
    broken = run(*diff, cwd=folder, status=2)
    assert broken.stderr.startswith("snippets/puhti/cluster.yml:"), broken.stderr
    assert len(said("git", "worktree", "list").splitlines()) == 1
    assert said("git", "status", "--short") == " M snippets/puhti/cluster.yml\n"

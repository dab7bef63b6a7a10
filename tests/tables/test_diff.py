"""`make tables-diff`: the rows that a changed fact changes, and nothing is left behind."""

import subprocess
import sys
from pathlib import Path

import pytest

from scripts.site.copy import copy_guide


def run(folder: Path, *command: str | Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.nightly
def test_a_changed_limit_is_shown_in_the_tables_that_have_it(tmp_path):
    copy_guide(tmp_path)
    (tmp_path / ".gitignore").write_text("/build/\n__pycache__/\n", encoding="utf-8")
    run(tmp_path, "git", "init", "--quiet")
    run(tmp_path, "git", "add", ".")
    run(tmp_path, "git", "-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "--quiet", "--message", "x")
    diff = "bash", "scripts/tables/diff.sh", sys.executable, "HEAD"
    assert run(tmp_path, *diff) == ""
    facts = tmp_path / "snippets/puhti/cluster.yml"
    text = facts.read_text(encoding="utf-8")
    facts.write_text(text.replace("max_time: 14-00:00:00", "max_time: 10-00:00:00", 1), encoding="utf-8")
    shown = run(tmp_path, *diff)
    assert "+++ b/after/tables/puhti/partitions.md" in shown
    assert "\n-| `" in shown and "| 14 days |" in shown and "\n+| `" in shown and "| 10 days |" in shown
    assert "lumi" not in shown
    facts.write_text(text.replace("max_time: 14-00:00:00", "max_time: x", 1), encoding="utf-8")
    broken = subprocess.run(diff, cwd=tmp_path, capture_output=True, encoding="utf-8")
    assert broken.returncode == 1 and broken.stderr.startswith("snippets/puhti/cluster.yml:"), broken.stderr
    assert len(run(tmp_path, "git", "worktree", "list").splitlines()) == 1
    assert run(tmp_path, "git", "status", "--short") == " M snippets/puhti/cluster.yml\n"

"""Build the guide: check what MkDocs would pass over or report without a line, then `mkdocs build --strict`.

Nothing is written into the site folder unless every page is well formed.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

from scripts import changes, csp, evidence, moved, offline, pictures, plain, tables
from scripts.errors import BadInput, run
from scripts.facts import ROOT
from scripts.markdown import INCLUDE

FENCE = re.compile(r"^\s*(?P<ticks>```+|~~~+)(?P<info>.*)$")
INFO = re.compile(r'\s*\w*(\s+title="[^"]*")?\s*')


def check_page(page: Path) -> None:
    """Raise BadInput for the first thing on a page that would vanish, break, or fail without a line."""
    name = page.relative_to(ROOT)
    if b"\r" in page.read_bytes():
        raise BadInput(name, 1, "Windows line ends.", f"Convert the file: sed -i 's/\\r$//' {name}")
    fence = None
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if match := FENCE.match(line):
            if fence is None:
                fence = number
                if match["ticks"].startswith("~"):
                    raise BadInput(name, number, "a fence of ~~~ is not seen by the tests.", "Write ``` instead.")
                if not INFO.fullmatch(match["info"]):
                    raise BadInput(name, number, f"the fence has an option that would break the page: `{match['info'].strip()}`.", 'Leave the language, and at most title="…".')
            else:
                fence = None
        elif match := INCLUDE.match(line):
            target = ROOT / match["path"]
            if not target.is_file():
                raise BadInput(name, number, f"there is no file {match['path']} to include.", "Correct the path, or add the file.")
            if (section := match["section"]) and f"--8<-- [start:{section}]" not in target.read_text():
                raise BadInput(name, number, f"{match['path']} has no section `{section}`.", f"Mark it there with --8<-- [start:{section}] and [end:{section}].")
    if fence:
        raise BadInput(name, fence, "the fence that opens here is never closed.", "Close it with ```.")


def commit_time() -> str:
    """When the commit was made, in seconds since 1970: MkDocs writes it as the build's date, so two builds of one commit are the same."""
    if given := os.environ.get("SOURCE_DATE_EPOCH"):
        return given
    try:
        return subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "0"  # a copy without its history


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m scripts.build", description=__doc__)
    parser.add_argument("--site-dir", default="site", help="where to write (default: %(default)s)")
    folder = parser.parse_args().site_dir
    for page in sorted((ROOT / "docs").rglob("*.md")):
        if not page.is_relative_to(ROOT / "docs" / "snippets"):
            check_page(page)
    evidence.read()
    if old := tables.stale(tables.everything()):
        raise BadInput(f"snippets/tables/{old[0]}", None, f"{len(old)} table(s) differ from the facts.", "Run `make tables`.")
    changes.check()
    if status := subprocess.call([sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", folder], cwd=ROOT, env=os.environ | {"SOURCE_DATE_EPOCH": commit_time()}):
        return status
    for step in (pictures, plain, changes, moved, csp, offline):  # in this order: the policy covers all pages, the zip holds everything
        step.write(ROOT / folder)
    print(f"Open {(ROOT / folder / 'index.html')}")
    return 0


if __name__ == "__main__":
    run(main)

"""Build the guide: check what MkDocs would pass over or report without a line, then `mkdocs build --strict`.

Nothing is written into the site folder unless every page is well formed.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

from scripts.errors import BadInput, parser_of, utf8
from scripts.evidence import records
from scripts.families import shared
from scripts.families.page import lines_of
from scripts.git import commit_time
from scripts.markdown import FENCE, INCLUDE, check_include
from scripts.paths import ROOT, shown
from scripts.site import after, notebook
from scripts.site.after import (
    agents,
    api,
    csp,
    engine,
    feed,
    index,
    lean,
    moved,
    my_account,
    offline,
    pictures,
    plain,
    slides,
    source,
)
from scripts.site.collection import keep_other_files
from scripts.site.config import BUILD
from scripts.site.text import pages
from scripts.tables.made import write_made

# The policy comes after everything that writes pages, the zips after everything.
ORDER = (pictures, index, engine, my_account, api, agents, plain, feed, moved, slides, lean, csp, source, offline)
STEPS: list[after.Step] = [each.write for each in ORDER]

PYTEST_CODEBLOCKS = re.compile(r"<!--\s*pytest")
INFO = re.compile(r'\s*\w*(\s+title="[^"]*")?\s*')


def check_page(page: Path) -> None:
    """Raise BadInput for the first thing on a page that would vanish, break, or fail without a line."""
    if page.suffix == ".ipynb":
        notebook.read(page)
        return
    opened, inside = None, set()
    lines = lines_of(_text(page), page)
    for file in {line.file for line in lines}:
        _text(file)
    for line in lines:
        place = shown(line.file), line.number
        if match := FENCE.match(line.text):
            if opened is None:
                _check_fence(*place, match)
            elif len(inside) > 1:
                what = "the tests pass over what is typed next to an include line in this fence."
                raise BadInput(*opened, what, "Put it into the file, or into a fence of its own.")
            opened, inside = place if opened is None else None, set()
        elif line.text.strip():
            if match := INCLUDE.match(line.text):
                check_include(*place, match)
            inside.add(bool(match))
    if opened:
        raise BadInput(*opened, "the fence that opens here is never closed.", "Close it with ```.")


def _text(page: Path) -> str:
    """The page's text, if the tests and MkDocs will both read all of it."""
    name, data = shown(page), page.read_bytes()
    if b"\r" in data:
        raise BadInput(name, 1, "Windows line endings.", f"Convert the file: sed -i 's/\\r$//' {name}")
    text = utf8(data, name)
    if hidden := PYTEST_CODEBLOCKS.search(text):
        line = text[: hidden.start()].count("\n") + 1
        what = "a comment would let the tests pass over the page's fences."
        raise BadInput(name, line, what, "Remove the comment that names pytest.")
    return text


def _check_fence(file: Path, number: int, fence: re.Match) -> None:
    if fence["ticks"].startswith("~"):
        raise BadInput(file, number, "a fence of ~~~ is not seen by the tests.", "Write ``` instead.")
    if not INFO.fullmatch(fence["info"]):
        what = f"the fence has an option that would break the page: `{fence['info'].strip()}`."
        raise BadInput(file, number, what, 'Leave the language, and at most title="…".')


def main() -> int:
    parser = parser_of("python -m scripts.build", __doc__)
    parser.add_argument("--site-dir", type=Path, default=ROOT / "site", help="where to write (default: %(default)s)")
    folder = parser.parse_args().site_dir.absolute()
    if folder != ROOT / "site":  # where an interrupted build may have left anything
        keep_other_files(folder)
    records.read()
    shared.write()
    write_made()  # first: the pages include it
    for page in pages():
        check_page(page)
    command = [sys.executable, *BUILD, "--site-dir", folder]
    if status := subprocess.call(command, cwd=ROOT, env=os.environ | {"SOURCE_DATE_EPOCH": commit_time()}):
        return status
    after.take(folder, STEPS)
    print(f"Open {folder / 'index.html'}")
    return 0

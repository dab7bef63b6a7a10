"""What each viewer's library copies from a PDF, page by page, nothing mended."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import pypdfium2

from scripts.paths import ROOT
from tests.needs import need

BIN = Path(sys.executable).parent


@cache
def poppler(path: Path) -> list[str]:
    """Evince's, Okular's and pdftotext's, in the order in which the text was written."""
    return pdftotext("-raw", path)


@cache
def poppler_in_columns(path: Path) -> list[str]:
    """The same in the order in which poppler thinks that a page is read; it joins words that hyphens divide."""
    return pdftotext(path)


def pdftotext(*words: str | Path) -> list[str]:
    command = [need("pdftotext", "poppler-utils"), "-enc", "UTF-8", *words, "-"]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout.split("\f")[:-1]


@cache
def pdfium(path: Path) -> list[str]:
    """Chromium's and Edge's."""
    with pypdfium2.PdfDocument(path) as pdf:
        return [page.get_textpage().get_text_range() for page in pdf]


@cache
def pdfjs(path: Path) -> list[str]:
    """Firefox's."""
    if not (ROOT / ".venv/node_modules/pdfjs-dist").exists():
        need("pdfjs-dist", "pdfjs-dist")
    command = [BIN / "node", ROOT / "tests/pdf/pdfjs.mjs", path]
    done = subprocess.run(command, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


KEEPS_BLANKS = (poppler, poppler_in_columns)
ALL = (*KEEPS_BLANKS, pdfium, pdfjs)

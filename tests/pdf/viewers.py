"""What a viewer's library copies from a PDF, page by page, nothing mended."""

import subprocess
from functools import cache
from pathlib import Path

import pypdfium2

from tests.needs import need


@cache
def poppler(path: Path) -> list[str]:
    """What Evince and Okular copy: the text in the order in which it was written, its blanks kept."""
    command = [need("pdftotext", "poppler-utils"), "-enc", "UTF-8", "-raw", path, "-"]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout.split("\f")[:-1]


@cache
def pdfium(path: Path) -> list[str]:
    """What Chromium and Edge copy: one blank of several, and none at the beginning of a line."""
    with pypdfium2.PdfDocument(path) as pdf:
        return [page.get_textpage().get_text_range() for page in pdf]

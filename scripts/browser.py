"""The browser that shows and prints the pages: this machine's Chrome or
Chromium, else the Chromium that Playwright brings.

Ubuntu's `chromium-browser` only leads to a snap, which may not read the folders that tests write: that one is passed
over. `python -m scripts.browser` says which it is; where there is none it lets Playwright fetch its own.
"""

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

from scripts.errors import BadInput, parser_of, run

NAMES = ("chromium", "google-chrome", "google-chrome-stable", "chromium-browser")
OF_PLAYWRIGHT = """from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    print(playwright.chromium.executable_path)
"""


def is_snap(program: str) -> bool:
    """Whether it lies in a snap, or is the script that leads to one."""
    path = Path(program).resolve()
    return path.parts[1] == "snap" or path.name == "snap" or b"/snap/bin" in path.read_bytes()[:4096]


@cache
def find() -> str | None:
    """The path of a browser that starts, or None."""
    for name in NAMES:
        program = shutil.which(name)
        if program and not is_snap(program):
            return program
    asked = subprocess.run(
        [sys.executable, "-c", OF_PLAYWRIGHT], capture_output=True, encoding="utf-8", errors="replace"
    )  # a process, since its loop may run here
    program = asked.stdout.strip()
    starts = Path(program).is_file() and subprocess.run([program, "--version"], capture_output=True).returncode == 0
    return program if starts else None


def browser() -> str:
    """The path of a browser; raises BadInput where there is none."""
    if program := find():
        return program
    what = "neither Chrome nor Chromium is installed, and Playwright has installed neither."
    cure = "Install one: apt-get install chromium, or .venv/bin/playwright install chromium"
    raise BadInput("a browser", None, what, cure)


def main() -> None:
    parser_of("python -m scripts.browser", __doc__).parse_args()
    if not find():
        libraries = ["--with-deps"] if os.getuid() == 0 else []
        subprocess.run([sys.executable, "-m", "playwright", "install", *libraries, "chromium"], capture_output=True)
        find.cache_clear()
    print(f"Browser: {browser()}")


if __name__ == "__main__":
    run(main)

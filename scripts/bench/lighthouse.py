"""Lighthouse (mobile) on the built site: the median of three runs for a
cluster's page, a page to learn from and the home page.

npx, which requirements.txt brings, fetches Lighthouse by name; a Chrome or Chromium shows the pages. Speed depends on
what else the machine does, so this prints and judges nothing. `make site` first.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from scripts.browser import browser
from scripts.errors import BadInput, run
from scripts.paths import ROOT
from scripts.site.server import serve

LIGHTHOUSE = "lighthouse@12.8.2"  # 13 needs Node 22
PATH = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # Node comes with requirements.txt
FLAGS = "--headless=new --no-sandbox --disable-gpu --disable-background-networking"
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
PAGES = ("index.html", "clusters/csc.html", "learn/does-a-gpu-pay.html")


def measure(url: str, npx: str, chromium: str) -> dict:
    """One run; Lighthouse's report."""
    with tempfile.TemporaryDirectory() as profile:
        command = [
            npx,
            "--yes",
            LIGHTHOUSE,
            url,
            "--quiet",
            "--output=json",
            f"--chrome-flags={FLAGS} --user-data-dir={profile}",
        ]
        result = subprocess.run(
            command,
            capture_output=True,
            encoding="utf-8",
            env=os.environ | {"CHROME_PATH": chromium, "PATH": PATH},
            timeout=180,
        )
    if result.returncode:
        raise BadInput(url, None, "Lighthouse ended with an error.", result.stderr.strip()[-300:])
    return json.loads(result.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m scripts.bench.lighthouse", description=__doc__)
    parser.add_argument("pages", nargs="*", default=PAGES, help="pages below site/ (default: %(default)s)")
    pages = parser.parse_args().pages
    npx = shutil.which("npx", path=PATH)
    if not npx:
        raise BadInput("Lighthouse", None, "npx cannot be found.", "Run `make test` once: it installs it.")
    for page in pages:
        if not (ROOT / "site" / page).is_file():
            raise BadInput(f"site/{page}", None, "there is no such page.", "Run `make site`.")
    print(f"{'page':32}" + "".join(f"{name:>16}" for name in CATEGORIES) + f"{'kB':>8}{'shift':>8}")
    with serve(ROOT / "site") as server:
        for page in pages:
            reports = [measure(f"http://127.0.0.1:{server.server_port}/{page}", npx, browser()) for _ in range(3)]
            scores = [
                statistics.median(report["categories"][name]["score"] * 100 for report in reports)
                for name in CATEGORIES
            ]
            audits = reports[0]["audits"]
            weight, shift = (
                audits["total-byte-weight"]["numericValue"] / 1000,
                audits["cumulative-layout-shift"]["numericValue"],
            )
            print(
                f"{page:32}" + "".join(f"{score:16.0f}" for score in scores) + f"{weight:8.0f}{shift:8.3f}", flush=True
            )


if __name__ == "__main__":
    run(main)

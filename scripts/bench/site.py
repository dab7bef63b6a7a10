"""The site: what a page costs to build at this size and at ten times this
size, memory, and the time from saving a page to seeing it.

The larger guide is this one with each page copied nine times under another name, in a folder of its own; MkDocs alone
is timed, without checks. A build's cost is processor time, which other work on the machine hardly changes; the time
of an edit is what passes.
"""

from __future__ import annotations

import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from scripts.bench.timing import say
from scripts.site.copy import copy_guide

TIMES = 10
# Runs a command; prints the processor time it took in seconds, and its peak memory in MB (Linux counts kB).
MEASURE = (
    "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, capture_output=True); "
    "use = resource.getrusage(resource.RUSAGE_CHILDREN); print(use.ru_utime + use.ru_stime, use.ru_maxrss / 1000)"
)


def _multiply(folder: Path, times: int) -> int:
    """Give the guide in `folder` each page `times` times. Returns how many pages that are."""
    config = (folder / "mkdocs.yml").read_text(encoding="utf-8")
    pages = re.findall(r"^ +- (?:.+: )?([\w/-]+\.md)$", config, re.MULTILINE)
    made = []
    for page in pages:
        for copy in range(1, times):
            name = page.replace(".md", f"-{copy}.md")
            shutil.copy(folder / "docs" / page, folder / "docs" / name)
            made.append(f"      - {Path(name).stem}: {name}\n")
    section = "  - Made pages:\n" + "".join(made) if made else ""
    (folder / "mkdocs.yml").write_text(
        re.sub(r"(?m)^(nav:\n(?: .*\n)+)", lambda nav: nav[1] + section, config), encoding="utf-8"
    )
    return len(pages) * times


def _build(folder: Path, repeats: int) -> tuple[list[float], float]:
    """Processor time of each build in seconds, and the peak memory in MB of the largest.

    One process builds, so on an idle machine it takes as long.
    """
    runs = []
    for _ in range(repeats):
        command = [
            sys.executable,
            "-c",
            MEASURE,
            sys.executable,
            "-m",
            "mkdocs",
            "build",
            "--quiet",
            "--site-dir",
            folder / "site",
        ]
        runs.append(
            [
                float(word)
                for word in subprocess.run(
                    command, cwd=folder, check=True, capture_output=True, encoding="utf-8", errors="replace"
                ).stdout.split()
            ]
        )
    return [seconds for seconds, _ in runs], max(memory for _, memory in runs)


@contextmanager
def served(folder: Path, log: IO | int = subprocess.DEVNULL) -> Iterator[tuple[str, Callable[[str, str], float]]]:
    """`make serve` on the guide in `folder`.

    Gives its address and `until(word, page)`, which waits until the page shows the word, and returns the seconds.

    Raises RuntimeError if the server ends, or shows nothing of the kind for a minute. log: where the server's words go.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        place = f"127.0.0.1:{free.getsockname()[1]}"
    server = subprocess.Popen(
        [sys.executable, "-m", "scripts.site.serve", "--address", place], cwd=folder, stdout=log, stderr=log
    )

    def shown(word: str, page: str) -> bool:
        try:
            return word in urllib.request.urlopen(f"http://{place}/{page}.html", timeout=60).read().decode()
        except OSError:
            return False

    def until(word: str, page: str) -> float:
        start = time.perf_counter()
        while not shown(word, page):
            if server.poll() is not None or time.perf_counter() - start > 60:
                raise RuntimeError(f"{page} never showed {word}")
            time.sleep(0.02)
        return time.perf_counter() - start

    try:
        yield f"http://{place}/", until
    finally:
        server.terminate()
        server.wait()


def _edits(folder: Path, repeats: int) -> tuple[list[float], list[float]]:
    """Seconds from saving a page, and from saving a fact, under `make
    serve`, until the server hands out what was saved.
    """
    page, facts = folder / "docs" / "learn" / "gpu-variables.md", folder / "snippets" / "puhti" / "cluster.yml"
    text, known = page.read_text(encoding="utf-8"), facts.read_text(encoding="utf-8")
    pages, tables = [], []
    with served(folder) as (_, until):
        until("GPU", "learn/gpu-variables")
        for number in range(repeats):
            time.sleep(0.5)  # the reload before is over
            page.write_text(f"{text}\nSaved{number}word\n", encoding="utf-8")
            pages.append(until(f"Saved{number}word", "learn/gpu-variables"))
            time.sleep(0.5)
            facts.write_text(re.sub(r"(?m)^operator: .+$", f"operator: Saved{number}operator", known), encoding="utf-8")
            tables.append(until(f"Saved{number}operator", "clusters/puhti"))
    return pages, tables


def bench() -> None:
    a_page = {}
    for times in (1, TIMES):
        with tempfile.TemporaryDirectory(prefix="bench-site-") as name:
            folder = Path(name)
            copy_guide(folder)
            pages = _multiply(folder, times)
            seconds, memory = _build(folder, 3)
            a_page[times] = statistics.median(seconds) / pages
            say(
                f"build of {pages} pages, processor time a page",
                [1000 * value / pages for value in seconds],
                "ms",
                "< 40 ms",
            )
            say(f"build of {pages} pages, peak memory", [memory], "MB", "not set")
            page, fact = _edits(folder, 5)
            say(f"from saving a page to seeing it, among {pages}", page, "s", "< 1 s")
            say(f"from saving a fact to seeing it, among {pages}", fact, "s", "not set")
    say(
        "a page's cost at ten times the size, beside this size",
        [100 * (a_page[TIMES] / a_page[1] - 1)],
        "% more",
        "< 10 %",
    )

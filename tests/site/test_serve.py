"""`make serve`: what is saved is seen on the pages that show it, and a mistake takes nothing away."""

import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest

from scripts.paths import ROOT
from scripts.site.copy import copy_guide
from tests.in_process import call


@contextmanager
def served(folder: Path, log: IO) -> Iterator[tuple[str, Callable[[str, str], None]]]:
    """`make serve` on the guide in `folder`: its address, and `until(word, page)`, which waits for a word on a page."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        place = f"127.0.0.1:{free.getsockname()[1]}"
    command = [sys.executable, "-m", "scripts.site.serve", "--address", place]
    server = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log)

    def shown(word: str, page: str) -> bool:
        try:
            return word in urllib.request.urlopen(f"http://{place}/{page}", timeout=60).read().decode()
        except OSError:
            return False

    def until(word: str, page: str) -> None:
        start = time.monotonic()
        while not shown(word, page):
            assert server.poll() is None and time.monotonic() - start < 120, f"{page} never showed {word}"
            time.sleep(0.05)

    try:
        yield f"http://{place}/", until
    finally:
        server.terminate()
        server.wait()


@pytest.fixture
def live(request, tmp_path):
    """(folder of a copy of the guide, its address and `until`, where the server's words go) while it is served."""
    folder = tmp_path / "live"
    copy_guide(folder)
    if left_out := getattr(request, "param", ""):
        change(folder / "mkdocs.yml", "exclude_docs: |\n", f"exclude_docs: |\n{left_out}")
    log = folder / "serve.log"
    with log.open("w", encoding="utf-8") as out, served(folder, out) as (address, until):
        yield folder, address, until, log


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.mark.nightly
def test_a_saved_page_snippet_fact_and_script_are_seen(live):
    """All saved at once, so that the server builds once."""
    folder, _, until, _ = live
    until("Puhti", "clusters/puhti.html")
    change(folder / "docs/learn/gpu-variables.md", "\n# ", "\nA sentence just saved.\n\n# ")
    change(folder / "snippets/programs/count_threads.py", '"""', '"""Just changed: ')
    change(folder / "snippets/puhti/cluster.yml", "operator: CSC", "operator: Just renamed, CSC")
    change(folder / "scripts/engine/js/page/start.js", "drawWith(", "jobscriptPage.saved = 1\ndrawWith(")
    until("A sentence just saved.", "learn/gpu-variables.html")
    until("Just changed: ", "learn/threads-and-cores.html")
    until("Just renamed, CSC", "clusters/puhti.html")
    until("jobscriptPage.saved", "assets/your-script/joined/page.js")
    until("Kestrel", "assets/your-script/data/kestrel.js")


@pytest.mark.parametrize("live", ["  /about/\n  /learn/\n  /workshop/\n  /wrong/\n"], indirect=True, ids=["systems"])
def test_a_wrong_fact_is_told_in_one_line_and_the_page_stays(live):
    folder, address, until, log = live
    until("Kestrel", "clusters/kestrel.html")
    assert f"Serving on {address}" in log.read_text(encoding="utf-8")
    change(folder / "snippets/kestrel/cluster.yml", "\noperator:", "\noperater:")
    for _ in range(300):
        if "operater" in log.read_text(encoding="utf-8"):
            break
        time.sleep(0.1)
    told = log.read_text(encoding="utf-8")
    wanted = r"^snippets/kestrel/cluster\.yml:\d+: `operater` is not a key.* Did you mean `operator`"
    assert re.search(wanted, told, re.MULTILINE) and "Traceback" not in told
    until("Kestrel", "clusters/kestrel.html")
    change(folder / "snippets/kestrel/cluster.yml", "\noperater:", "\noperator:")


def test_a_place_to_serve_is_a_free_port_of_a_host():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        used = f"127.0.0.1:{taken.getsockname()[1]}"
        for address in (used, "localhost", "127.0.0.1:x", "127.0.0.1:99999", ":8000"):
            done = call("scripts.site.serve", "--address", address, cwd=ROOT)
            said = "the guide cannot be served there: " if address == used else "this is not a host and a port."
            assert done.returncode == 1 and done.stderr.startswith(f"{address}: {said}")

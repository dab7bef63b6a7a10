"""`make serve`: what is saved is seen, on every page that shows it, and a mistake takes nothing away."""

import re
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from scripts.bench.site import copy_guide
from scripts.included import shown
from tests.sandbox import ROOT


@pytest.fixture(scope="module")
def live(tmp_path_factory):
    """(folder of a copy of the guide, its address, where the server's words go) while it is served."""
    folder = tmp_path_factory.mktemp("live")
    copy_guide(folder, 1)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = folder / "serve.log"
    with log.open("w") as out:
        server = subprocess.Popen([sys.executable, "-m", "scripts.serve", "--address", f"127.0.0.1:{port}"], cwd=folder, stdout=out, stderr=out)
    yield folder, f"http://127.0.0.1:{port}", log
    server.terminate()
    server.wait()


def wait_for(word: str, address: str) -> None:
    for _ in range(600):
        try:
            if word in urllib.request.urlopen(address, timeout=60).read().decode():
                return
        except OSError:
            pass
        time.sleep(0.1)
    pytest.fail(f"{word} was never shown at {address}")


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))


def test_a_saved_page_snippet_and_fact_are_seen(live):
    folder, address, _ = live
    wait_for("Puhti", f"{address}/clusters/csc-lumi.html")
    change(folder / "docs/learn/gpu-variables.md", "\n# ", "\nA sentence just saved.\n\n# ")
    wait_for("A sentence just saved.", f"{address}/learn/gpu-variables.html")
    change(folder / "snippets/programs/count_threads.py", '"""', '"""Just changed: ')
    wait_for("Just changed: ", f"{address}/learn/threads-and-cores.html")
    change(folder / "snippets/puhti/cluster.yml", "operator: CSC", "operator: Just renamed, CSC")
    wait_for("Just renamed, CSC", f"{address}/clusters/csc-lumi.html")


def test_a_wrong_fact_is_told_in_one_line_and_the_page_stays(live):
    folder, address, log = live
    wait_for("Kestrel", f"{address}/clusters/nlr.html")
    change(folder / "snippets/kestrel/cluster.yml", "\noperator:", "\noperater:")
    for _ in range(300):
        if "kestrel" in log.read_text():
            break
        time.sleep(0.1)
    assert re.search(r"^snippets/kestrel/cluster\.yml:\d+: `operator` is missing", log.read_text(), re.MULTILINE) and "Traceback" not in log.read_text()
    wait_for("Kestrel", f"{address}/clusters/nlr.html")
    change(folder / "snippets/kestrel/cluster.yml", "\noperater:", "\noperator:")


def test_it_says_where_to_look(live):
    _, address, log = live
    assert f"Serving on {address}/" in log.read_text()


def test_a_page_knows_all_that_it_shows():
    found = {str(path.relative_to(ROOT)) for path in shown(ROOT / "docs/clusters/csc-lumi.md")}
    assert {"docs/clusters/csc-lumi.md", "snippets/roihu/one_gpu.sh"} <= found and any(name.startswith("snippets/tables/") for name in found)


def test_a_taken_port_is_told_in_one_sentence():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        done = subprocess.run([sys.executable, "-m", "scripts.serve", "--address", address], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1 and f"{address}: the guide cannot be served there" in done.stderr and "Traceback" not in done.stderr

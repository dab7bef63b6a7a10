"""The site, built once for all tests that read it."""

import fcntl
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sandbox import ROOT


@pytest.fixture(scope="session")
def site(tmp_path_factory) -> Path:
    """The built site's folder; under xdist the first worker builds it and the others wait."""
    shared = tmp_path_factory.getbasetemp().parent if "popen" in tmp_path_factory.getbasetemp().name else tmp_path_factory.getbasetemp()
    folder, done = shared / "site", shared / "site.done"
    with (shared / "site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            build = subprocess.run([sys.executable, "-m", "scripts.build", "--site-dir", folder], cwd=ROOT, capture_output=True, text=True)
            assert build.returncode == 0, build.stderr[-3000:]
            done.touch()
    return folder

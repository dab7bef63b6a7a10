"""Write every requirements*.txt, with all that it pulls in pinned, from the short files in requirements/; uv resolves.

`python -m scripts.locks` rewrites them and keeps each version that still fits; `--check` writes nothing: it fails if
a file is stale, or cannot be installed from PyPI alone under a Python that the guide promises.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path

from scripts.errors import BadInput, run
from scripts.paths import ROOT

PYTHONS = ("3.11.2", "3.12", "3.13")  # Debian 12, Ubuntu 24.04, Debian 13
ALL = "requirements.txt"
LOCKS = {
    ALL: "test",
    "requirements-gpu.txt": "gpu",
    "requirements-pdf.txt": "pdf",
    "requirements-site.txt": "site",
    "requirements-check.txt": "check",
    "requirements-cuda12.txt": "cuda12",
    "requirements-reframe.txt": "reframe",
}
# Environments of their own; the others agree with requirements.txt.
OWN = {"requirements-cuda12.txt", "requirements-reframe.txt"}
UV = Path(sys.executable).parent / "uv"


def resolve(folder: Path, *arguments: str, config: str | None = None) -> None:
    """Let uv resolve in a folder, from PyPI alone whatever this machine's settings say; raises BadInput."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("UV_")}
    settings = ["--config-file", config] if config else ["--no-config"]
    command = [UV, *settings, "pip", "compile", "--quiet", "--custom-compile-command", "make locks", *arguments]
    done = subprocess.run(
        command,
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        env=environment | {"UV_HTTP_RETRIES": "1"},
    )
    if done.returncode == 0:
        return
    words = " ".join(done.stderr.split())
    if "error sending request" in words:
        raise BadInput(
            "PyPI",
            None,
            "cannot be reached from here, so the requirements are neither resolved nor checked.",
            "Try again with a network.",
        )
    raise BadInput(
        arguments[0],
        None,
        f"uv cannot resolve it: {words[:600]}",
        "Change the versions in requirements/, then `make locks`.",
    )


def write(folder: Path) -> None:
    """Every requirements*.txt below a folder that holds requirements/ and the
    files so far, whose versions are kept where they fit.
    """
    universal = ("--universal", "--python-version", PYTHONS[0])
    for lock, source in LOCKS.items():
        if lock != ALL and lock not in OWN:
            shutil.copy(folder / ALL, folder / lock)
        source = f"requirements/{source}.in"
        if (
            lock == ALL
        ):  # first with all that torch wants, so that the versions go with it; then without what is torch's own affair
            resolve(folder, source, *universal, "-o", lock)
        resolve(folder, source, *universal, "-o", lock, config="requirements/uv.toml")


def fresh() -> dict[str, bytes]:
    """Each requirements*.txt as it follows from requirements/."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(ROOT / "requirements", folder / "requirements")
        for lock in LOCKS:
            if (ROOT / lock).exists():
                shutil.copy(ROOT / lock, folder / lock)
        write(folder)
        return {lock: (folder / lock).read_bytes() for lock in LOCKS}


def installable(lock: str, python: str) -> None:
    """Raise BadInput unless PyPI alone has a built package of everything in the file, for this Python on Linux."""
    with tempfile.TemporaryDirectory() as folder:
        resolve(
            ROOT,
            lock,
            "--python-version",
            python,
            "--python-platform",
            "linux",
            "--only-binary",
            ":all:",
            "-o",
            f"{folder}/resolved.txt",
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m scripts.locks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--check", action="store_true", help="write nothing; fail if a file is stale or cannot be installed"
    )
    check = parser.parse_args().check
    changed = {
        lock: text for lock, text in fresh().items() if not (ROOT / lock).exists() or (ROOT / lock).read_bytes() != text
    }
    if changed and check:
        raise BadInput(", ".join(changed), None, "does not follow from requirements/.", "Run `make locks`.")
    for lock, text in changed.items():
        (ROOT / lock).write_bytes(text)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(installable, *zip(*product(LOCKS, PYTHONS), strict=True)))
    print(f"{len(LOCKS)} files of requirements resolve from PyPI alone for Python {', '.join(PYTHONS)}.")


if __name__ == "__main__":
    run(main)

"""Where the guide keeps its things. Whoever needs a folder asks here."""

import errno
import os
import shutil
import tempfile
from pathlib import Path

from scripts.errors import BadInput

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
SNIPPETS = ROOT / "snippets"
# A collection of systems, each in FACTS/<key>/cluster.yml: ours, or the one that `guide --facts DIR` names.
FACTS = Path(os.environ.get("GPU_GUIDE_FACTS") or SNIPPETS).resolve()
OURS = FACTS == SNIPPETS
INSTALLED = not (ROOT / "requirements-check.txt").exists()  # as a package of Python's, without the repository
PROGRAMS = SNIPPETS / "programs"
MEASURED = SNIPPETS / "measured"
MADE = ROOT / "build/made"  # what `make site` makes of the facts and records, not in git; docs/made links to it


def shown(path: Path) -> Path:
    """The path as a message names it: from the repository's root where it lies below it."""
    return path.relative_to(ROOT) if path.is_relative_to(ROOT) else path


def write_whole(path: Path, text: str | bytes) -> None:
    """Write a file whole or not at all, whatever interrupts it, and whoever else writes it at the same time. One that
    was there keeps its permissions. Raises BadInput for one that cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".part-") as folder:
            scratch = Path(folder, path.name)
            scratch.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
            if path.is_file():
                shutil.copymode(path, scratch)
            scratch.replace(path)
    except OSError as fault:
        what = f"this file cannot be written: {fault.strerror}."
        full = fault.errno in (errno.ENOSPC, errno.EDQUOT)
        cure = "Free some space" if full else "Check the folder's permissions"
        raise BadInput(shown(path), None, what, f"{cure}, or name another one.") from None

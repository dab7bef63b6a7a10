"""Whose twins, and where: folders below the temporary folder that nobody but their owner can enter.

$TMPDIR/gpu-guide-UID/CHECKOUT/CLUSTER      a twin, and beside it CLUSTER.lock while somebody starts or ends it
"""

import fcntl
import hashlib
import os
import pwd
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scripts.errors import BadInput
from scripts.paths import FACTS, OURS, ROOT

CURE = "Set TMPDIR to a folder of your own with a short path, such as one you make in /tmp."
LONGEST_FOLDER = 90  # letters; a Unix socket's path has at most 107, of which the twin's own sockets need the rest


def user() -> str:
    """The name of whoever runs this. LOGNAME and USER may say anything, so they are not asked."""
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        what = f"the user number {os.getuid()} has no name on this machine, and schedulers ask for one."
        raise BadInput("twin", None, what, "Run this as a user that `getent passwd` lists.") from None


def base() -> Path:
    """Where all twins of this user are."""
    return Path(os.environ.get("TMPDIR") or "/tmp").absolute() / f"gpu-guide-{os.getuid()}"


def home() -> Path:
    """Where this checkout's twins of one collection of facts are; of two, the same key may be two systems."""
    return base() / (checkout() if OURS else f"{checkout()}-{_digest(FACTS)[:4]}")


def checkout() -> str:
    """How the names of all folders of this checkout's twins begin."""
    return _digest(ROOT)[:8]


def _digest(folder: Path) -> str:
    return hashlib.sha256(str(folder).encode()).hexdigest()


def private(folder: Path) -> None:
    """Make a folder that only its owner can enter. Raises BadInput if what stands there is anything else."""
    above = _stat(folder.parent.resolve(), "is not a folder that you can use:")
    if above.st_mode & 0o022 and not above.st_mode & stat.S_ISVTX or above.st_uid not in (0, os.getuid()):
        raise BadInput(folder.parent, None, "other users can replace the files in this folder.", CURE)
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
    except FileExistsError:
        pass  # a file or a dangling link: told below
    except OSError as fault:
        raise BadInput(folder, None, f"this folder cannot be created: {fault.strerror}.", CURE) from None
    found = _stat(folder, "cannot be read:")
    if not stat.S_ISDIR(found.st_mode):
        raise BadInput(folder, None, "the twins' folder is a link or a file here.", f"Remove it. {CURE}")
    if found.st_uid != os.getuid():
        raise BadInput(folder, None, f"the twins' folder belongs to another user, number {found.st_uid}.", CURE)
    if found.st_mode & 0o077:
        cure = f"Check who has used it, then run: chmod 700 {folder}"
        raise BadInput(folder, None, "the twins' folder is open to others.", cure)


def _stat(path: Path, fault: str) -> os.stat_result:
    try:
        return path.lstat()
    except OSError as reason:
        raise BadInput(path, None, f"this {fault} {reason.strerror}.", CURE) from None


def usable(folder: Path, longest: int = LONGEST_FOLDER) -> None:
    """Raises BadInput if a scheduler could not have this as the folder of a twin."""
    if (letters := len(str(folder))) > longest:
        what = f"this path is too long for the sockets of a twin: {letters} letters, of at most {longest}."
        raise BadInput(folder, None, what, CURE)
    if not re.fullmatch(r"[A-Za-z0-9_./+-]+", str(folder)):
        raise BadInput(folder, None, "this path has characters that schedulers do not accept.", CURE)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """One process at a time starts, wakes or ends the twin in a folder.

    The lock's file goes with the twin, so whoever gets it looks whether it is still the one.
    """
    path = folder.with_name(f"{folder.name}.lock")
    while True:
        with path.open("a", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if path.exists() and os.path.samestat(path.stat(), os.fstat(lock.fileno())):
                yield
                return

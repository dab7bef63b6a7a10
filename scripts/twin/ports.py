"""Ports of the twins on this machine: each twin claims a block of them, since a node may come to life long after its port was written down.

A claim is a file named by the block's first port that holds the twin's folder; it lapses when that folder is gone.
"""

from __future__ import annotations

import fcntl
import random
import socket
from contextlib import ExitStack
from pathlib import Path

from scripts.errors import BadInput

BOARD = Path("/tmp/gpu-guide-ports")  # one for all users and checkouts, whatever their TMPDIR
BLOCKS = range(20_000, 32_000, 100)  # below the ports that Linux hands out by itself


def claim_ports(folder: Path, number: int) -> int:
    """The first of so many ports in a row, free on loopback and nobody else's. Raises BadInput if there are none."""
    BOARD.mkdir(exist_ok=True)
    _for_everybody(BOARD)
    with (BOARD / "lock").open("a") as lock:
        _for_everybody(BOARD / "lock")
        fcntl.flock(lock, fcntl.LOCK_EX)
        _drop_lapsed(folder)
        for first in random.sample(BLOCKS, len(BLOCKS)):
            claim = BOARD / str(first)
            if not claim.exists() and number <= BLOCKS.step and _free(range(first, first + number)):
                claim.write_text(str(folder))
                return first
    raise BadInput(BOARD, None, f"there are no {number} free ports in a row.", "Stop twins that nobody uses: python -m scripts.twin --stop-all")


def _for_everybody(path: Path) -> None:
    try:
        path.chmod(0o777)
    except PermissionError:  # another user made it, and did this
        pass


def _drop_lapsed(folder: Path) -> None:
    """Take away our own earlier claim, and those of twins that are gone."""
    for claim in BOARD.glob("[0-9]*"):
        owner = Path(claim.read_text())
        if owner == folder or not owner.exists():
            claim.unlink()


def _free(ports: range) -> bool:
    with ExitStack() as stack:
        try:
            for port in ports:
                stack.enter_context(socket.socket()).bind(("127.0.0.1", port))
        except OSError:
            return False
    return True

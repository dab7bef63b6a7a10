"""Ports of a Slurm twin: a block of them, since a node may come to life long after its port was written down.

They are held by sockets that are bound and do not listen. A daemon of ours may listen there beside them, since both
allow it (SO_REUSEADDR); whoever looks for a free port finds these taken.
"""

import random
import socket

from scripts.errors import BadInput

RANGE = range(20_000, 32_000)  # below the ports that Linux hands out by itself


def claim(number: int) -> tuple[int, list[socket.socket]]:
    """The first of so many ports in a row that nobody has on loopback, and the sockets that hold them.

    Raises BadInput if there are none.
    """
    firsts = range(RANGE.start, RANGE.stop - number, number)
    for first in random.sample(firsts, len(firsts)):
        held: list[socket.socket] = []
        try:
            for port in range(first, first + number):
                held.append(socket.socket())
                held[-1].bind(("127.0.0.1", port))
                # after the bind, which so asks for a port of its own
                held[-1].setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            return first, held
        except OSError:
            for each in held:
                each.close()
    cure = "End twins that nobody uses: guide twin --stop-all, in each of your checkouts."
    raise BadInput("twin", None, f"there are no {number} free ports in a row.", cure)

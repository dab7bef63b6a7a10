"""Scripts in which much is wrong, drawn by a seed, so that every run has the same."""

import random
from collections.abc import Iterator

from tests.check.faults import FAULTS
from tests.check.planted import job_scripts

# What a careless editor, a word processor or a broken transfer leaves in a file.
NOISE = [
    *(b"\r\n", b"\r", b"\0", b"\xef\xbb\xbf", b"\xc2\xa0", b"\xe2\x80\x94", b"\xe2\x80\xa8", b"\xff", b"\xe2\x80"),
    *(b"\xf0\x9f\x98\x80", b"\xed\xa0\x80", b"\xc2\x85", b"\x1c", b"\x0b", b"\x0c", b"\t", b"\\", b"\\\n", b"'", b'"'),
    *(b"`", b"$", b"${", b"}", b"#", b"<<END\n", b"END\n", b"((", b" && ", b"|", b" &", b";", b"%", b"=", b"--", b"-"),
    *(b"#SBATCH ", b"#SBATCH hetjob\n", b"#$ ", b"\n\n", b" ", b"\xd9\xa3", b"\xc5\xbf", b"\xe2\x84\xaa"),
]


def spoilt(number: int, kind: str, seed: str) -> Iterator[bytes]:
    """So many scripts with several faults at once, half of them with noise in their bytes besides."""
    draw = random.Random(seed)
    scripts, faults = job_scripts(kind), list(FAULTS[kind].values())
    for place in range(number):
        lines = draw.choice(scripts).read_text(encoding="utf-8").split("\n")
        for fault in draw.sample(faults, draw.randint(1, 4)):
            try:
                after = fault(list(lines), draw)
            except (IndexError, ValueError, TypeError, StopIteration):  # no room for it behind the others
                continue
            lines = after[0] if after else lines
        data = "\n".join(lines).encode()
        yield noisy(data, draw) if place % 2 else data


def noisy(data: bytes, draw: random.Random) -> bytes:
    for _ in range(draw.randint(1, 6)):
        at = draw.randrange(len(data) + 1)
        to = at + draw.choice((0, 0, 0, 1, 2, 8))
        data = data[:at] + draw.choice([*NOISE, data[at:to] * 2]) + data[to:]
    return data

"""What keeps a file from being taken for a script, taken away, so that the rest of it can be judged too."""

from __future__ import annotations

MARK = b"\xef\xbb\xbf"


def without_file_faults(data: bytes) -> bytes:
    """The script without bytes 0, a byte-order mark, Windows line ends; rules/start.yml says what they do."""
    return data.replace(b"\0", b"").removeprefix(MARK).replace(b"\r\n", b"\n")

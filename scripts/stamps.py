"""What takes long to make carries a note of what it was made of, so that staleness shows in a moment."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from scripts.errors import BadInput
from scripts.paths import MEASURED, shown

STAMPS = MEASURED / "plots/stamps.json"


@dataclass(frozen=True)
class Stamped:
    """Files that one command makes of others."""

    name: str
    files: list[Path]
    sources: list[Path]
    command: str

    def stamp(self) -> None:
        """Note that the files have just been made of the sources as they are."""
        stamps = _read() | {self.name: {"of": digest(self.sources), "is": digest(self.files)}}
        STAMPS.write_text(json.dumps(stamps, indent=1, sort_keys=True) + "\n", encoding="utf-8")

    def fault(self) -> BadInput | None:
        """Why the files are not those of today's sources, or None."""
        noted = _read().get(self.name, {})
        first = shown(self.files[0]) if self.files else self.name
        if noted.get("of") != digest(self.sources):
            what = f"this was made before {' or '.join(path.name for path in self.sources)} changed."
        elif noted.get("is") != digest(self.files):
            what = "this, or a file made with it, was changed by hand or is missing."
        else:
            return None
        return BadInput(first, None, what, f"Run `{self.command}`.")


def digest(files: Iterable[Path]) -> str:
    """One hash of these files' names and contents; a missing file counts as empty."""
    whole = hashlib.sha256()
    for path in files:
        data = path.read_bytes() if path.exists() else b""
        whole.update(f"{shown(path)} {len(data)}\n".encode() + data)
    return whole.hexdigest()


def digest_of(path: Path) -> str:
    """The hash of one file's bytes, as `sha256sum` prints it."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _read() -> dict[str, dict[str, str]]:
    try:
        return json.loads(STAMPS.read_text(encoding="utf-8")) if STAMPS.exists() else {}
    except ValueError as fault:
        raise BadInput(
            shown(STAMPS),
            None,
            f"this is not the list of stamps: {fault}.",
            f"Take the committed file: git checkout -- {shown(STAMPS)}",
        ) from None

"""Which entry explains a message, as the engine finds it."""

from __future__ import annotations

from collections.abc import Sequence

from scripts.engine.ask import ask
from scripts.facts import load_all


def explained(texts: Sequence[str]) -> list[str | None]:
    """The key of the entry that explains each text; None where there is none."""
    cluster = load_all()["kestrel"]
    answers = ask("explain", [cluster], [[cluster.key, text] for text in texts])
    return [found[0]["key"] if found else None for found in answers]

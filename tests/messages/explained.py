"""What the engine explains a text by."""

from collections.abc import Sequence

from scripts.engine.ask import ask
from scripts.facts import load_all

ANY = "…"  # in a message: any words


def entries(texts: Sequence[str], cluster: str = "kestrel") -> list[str | None]:
    """The key of the first entry for each text; None if there is none."""
    found = ask("explain", [load_all()[cluster]], [[cluster, text] for text in texts])
    return [each[0]["key"] if each else None for each in found]

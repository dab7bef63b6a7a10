"""Which entry explains what somebody pastes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scripts.messages.load import Entry

ANY = "…"
SPECIAL = re.compile(r"[\\^$.|?*+()\[\]{}]")


def pattern(text: str) -> str:
    """A text as a regular expression of what Python and JavaScript share: whole words; a blank may be a line break."""
    literal = SPECIAL.sub(lambda sign: "\\" + sign[0], text)
    begins, ends = (r"\b" if re.match(r"[A-Za-z0-9]", sign) else "" for sign in (text[0], text[-1]))
    return begins + re.sub(r"\s+", r"\\s+", literal).replace(ANY, ".*?") + ends


@cache
def _compiled(text: str) -> re.Pattern[str]:
    return re.compile(pattern(text))


def explain(said: str, entries: Iterable[Entry]) -> Entry | None:
    """The entry with the longest text in what was said; None if there is none.

    A text that ends with `…` may only stand before another one, so it comes last.
    """
    found = [
        (not text.endswith(ANY), len(text.replace(ANY, "")), entry)
        for entry in entries
        for text in entry.message.texts
        if _compiled(text).search(said)
    ]
    return max(found, key=lambda each: each[:2])[2] if found else None

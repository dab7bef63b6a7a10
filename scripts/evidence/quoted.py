"""Listings of tools that only a cluster has, quoted from public documents: `snippets/listings/*.txt`.

`sources.yml` beside them says of each where and when it was published, and what was changed. Nothing here has run them.
"""

from functools import lru_cache

from pydantic import Field, RootModel

from scripts.errors import BadInput
from scripts.facts.model import Source
from scripts.facts.units import Date, day
from scripts.models import load_model
from scripts.paths import SNIPPETS, shown

FOLDER = SNIPPETS / "listings"
SOURCES = FOLDER / "sources.yml"


class Quoted(Source):
    """Where a listing was published; its date is the listing's own, or the page's."""

    changed: str | None = Field(None, description="What is not as published, in a few words")


class _Sources(RootModel[dict[str, Quoted]]):
    """A listing's name, without `.txt`: its source."""


@lru_cache(maxsize=1)  # pages ask for it one after the other
def sources() -> dict[str, Quoted]:
    """The source of each listing. Raises BadInput with file, line and cure, also for a listing without one."""
    found, lines = load_model(SOURCES, _Sources, "See scripts/evidence/quoted.py.")
    names = {path.stem for path in FOLDER.glob("*.txt")}
    for name in sorted(names - found.root.keys()):
        raise BadInput(shown(SOURCES), None, f"`{name}.txt` has no source.", "Say where it was published, and when.")
    for name in sorted(found.root.keys() - names):
        what = f"there is no {name}.txt."
        raise BadInput(shown(SOURCES), lines[name,], what, "Add the listing, or remove this entry.")
    return found.root


def line(name: str) -> str:
    """What stands under a listing: whose it is, of when, and what was changed."""
    of = sources()[name]
    dated = f", {day(of.dated)}" if of.dated else ""
    changed = f" Our change: {of.changed}." if of.changed else ""
    return f"[{of.title}]({of.url}){dated} (retrieved {Date(of.read).words}).{changed}"

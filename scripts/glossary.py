"""The glossary's terms: `snippets/glossary.yml`."""

import re
from pathlib import Path
from typing import Annotated

from pydantic import Field, RootModel

from scripts.errors import BadInput
from scripts.models import Strict, load_model
from scripts.paths import SNIPPETS, shown

FILE = SNIPPETS / "glossary.yml"


Name = Annotated[str, Field(pattern="^[A-Za-z]")]  # a page's words are looked up by their first letters


class Term(Strict):
    """A term, as prose has it."""

    term: Name = Field(min_length=2)
    also: list[Name] = Field([], description="Other names; they lead to the same entry")
    leads: list[Name] = Field([], description="What is no other name but leads here too, such as an example")
    anchor: str | None = Field(None, description="Its anchor on the page, where the term had another name before")
    means: str = Field(description="One or two plain sentences")
    see: str | None = Field(None, description="A Markdown link to the page that says more")

    @property
    def names(self) -> list[str]:
        return [self.term, *self.also, *self.leads]

    @property
    def id(self) -> str:
        """Its anchor on the page."""
        return self.anchor or re.sub(r"[^a-z0-9]+", "-", self.term.lower()).strip("-")


class Glossary(RootModel[dict[str, list[Term]]]):
    """Topic -> its terms, in alphabetical order."""


def load_glossary(file: Path = FILE) -> dict[str, list[Term]]:
    """The terms by topic. Raises BadInput with file, line and cure, also for a name that two terms have."""
    topics, lines = load_model(file, Glossary, "See scripts/glossary.py.")
    seen: dict[str, Term] = {}
    for topic, terms in topics.root.items():
        for number, term in enumerate(terms):
            line = lines[topic, number]
            if number and term.term.lower() < terms[number - 1].term.lower():
                before = terms[number - 1].term
                what = f"`{term.term}` comes after `{before}`."
                raise BadInput(shown(file), line, what, "Keep the alphabetical order.")
            for name in (*term.names, f"#{term.id}"):
                if (other := seen.setdefault(name.lower(), term)) is not term:
                    both = f"`{other.term}` and `{term.term}`"
                    raise BadInput(shown(file), line, f"`{name}` leads to {both}.", "Keep one.")
    return topics.root

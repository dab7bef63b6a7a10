"""The glossary's terms: `snippets/glossary.yml`."""

import re
from pathlib import Path

from pydantic import Field, RootModel

from scripts.errors import BadInput
from scripts.models import Strict, as_file, load_model
from scripts.paths import MADE, SNIPPETS, shown

FILE = SNIPPETS / "glossary.yml"
SCHEMA = MADE / "glossary.schema.json"


class Term(Strict):
    """A term, as prose has it."""

    term: str = Field(min_length=2)
    also: list[str] = Field([], description="Other names; they lead to the same entry")
    leads: list[str] = Field([], description="What is no other name but leads here too, such as an example")
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
    seen: dict[str, str] = {}
    for topic, terms in topics.root.items():
        for number, term in enumerate(terms):
            line = lines[topic, number]
            if number and term.term.lower() < terms[number - 1].term.lower():
                before = terms[number - 1].term
                raise BadInput(
                    shown(file), line, f"`{term.term}` comes after `{before}`.", "Keep the alphabetical order."
                )
            for name in term.names:
                if (other := seen.setdefault(name.lower(), term.term)) != term.term:
                    raise BadInput(shown(file), line, f"`{name}` leads to `{other}` and `{term.term}`.", "Keep one.")
    return topics.root


def schema_text() -> str:
    return as_file(Glossary.model_json_schema())

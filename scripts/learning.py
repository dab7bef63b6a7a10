"""The learning paths: `snippets/paths.yml`."""

import re
from typing import NamedTuple

from pydantic import Field, RootModel

from scripts.errors import BadInput, refuse
from scripts.models import Strict, load_model
from scripts.paths import DOCS, SNIPPETS, shown
from scripts.site.config import mkdocs_yml

FILE = SNIPPETS / "paths.yml"
ROOM = "learn"
WORDS_PER_MINUTE = 200


class LearningPath(Strict):
    """Lessons for one kind of reader."""

    who: str = Field(description="For whom: a sentence with `you`")
    before: str = Field(description="What to know before: a sentence with `you`")
    lessons: dict[str, str] = Field(
        min_length=2, description="A page of docs/learn/ -> what the reader can do after it"
    )


class Paths(RootModel[dict[str, LearningPath]]):
    """The name of each path -> the path."""


class Step(NamedTuple):
    """Where a page stands in a path; the neighbors are sources such as learn/pytorch.md."""

    path: str
    anchor: str
    number: int
    of: int
    previous: str | None
    next: str | None


def load_paths() -> dict[str, LearningPath]:
    """The paths by their names. Raises BadInput with file, line and fix."""
    paths, lines = load_model(FILE, Paths, "See scripts/learning.py.")
    known, cure = titles(), "Correct the name, or add the page to `nav:`."
    every = {(name, "lessons", lesson): source(lesson) for name, path in paths.root.items() for lesson in path.lessons}
    gone = {lines[at]: f"mkdocs.yml has no page `{page}`." for at, page in every.items() if page not in known}
    refuse([BadInput(shown(FILE), line, what, cure) for line, what in gone.items()])
    return paths.root


def source(lesson: str) -> str:
    return f"{ROOM}/{lesson}.md"


def anchor(name: str) -> str:
    """Its heading's address on the landing page."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def steps(page: str) -> list[Step]:
    """One for each path that this page (learn/pytorch.md) is a lesson of."""
    found = []
    for name, path in load_paths().items():
        sources = [source(lesson) for lesson in path.lessons]
        if page in sources:
            at = sources.index(page)
            before, after = [None, *sources][at], [*sources, None][at + 1]
            found.append(Step(name, anchor(name), at + 1, len(sources), before, after))
    return found


def titles() -> dict[str, str]:
    """The name of each page in the navigation."""
    return {page.source: page.title for page in mkdocs_yml().pages}


def minutes(lessons: list[str]) -> int:
    """How long these pages take to read, without listings and tables, rounded up to five minutes."""
    words = sum(len(_prose((DOCS / source(lesson)).read_text(encoding="utf-8")).split()) for lesson in lessons)
    return -(-words // (5 * WORDS_PER_MINUTE)) * 5


def _prose(text: str) -> str:
    text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)
    text = re.sub(r"(?ms)^([ \t]*)```.*?^\1```", "", text)
    return re.sub(r"(?m)^\s*(?:--8<--|\||<).*$", "", text)

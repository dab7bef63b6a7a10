"""A job script inside a document."""

import re
from dataclasses import dataclass

from scripts.facts.schedulers import WORDS

# An option, or a place for one, behind what is or was meant to be the scheduler's prefix: a word may look like Slurm's.
BEHIND = {"slurm": r"(?=[ \t]+(?:-|\.\.\.|<)|[\w-]*$)", "grid_engine": ""}
DIRECTIVE = {
    kind: re.compile(f"(?:{words.looks_like.pattern.decode()}){BEHIND[kind]}", words.looks_like.flags)
    for kind, words in WORDS.items()
}


@dataclass(frozen=True)
class Script:
    """One script.

    file: the document, as findings call it. text: the script alone, without what stands before it on each line.
    at: the document's line, from 1, of each line of the text. labels: the texts that say what it is for, the nearest
    first: itself, its title, tab, headings, path. around: the whole page. indent: what stands before each of its lines.
    page: the document's line ends are not its own. part: it is only a part of what a job asks for. template: `${NAME}`
    in it is filled in before it is submitted. prose: a sentence says it; beside: the names of the list that has its
    partition's. longest: minutes that the document calls its partition's longest time; 0 if it calls none so.
    """

    file: str
    text: str
    at: tuple[int, ...]
    labels: tuple[str, ...] = ()
    around: str = ""
    indent: str = ""
    page: bool = False
    part: bool = False
    template: bool = False
    prose: bool = False
    beside: tuple[str, ...] = ()
    longest: int = 0

    @property
    def kind(self) -> str | None:
        """The scheduler that its directives are for; None if it has none, and so is no job script."""
        return next((kind for kind, pattern in DIRECTIVE.items() if pattern.search(self.text)), None)

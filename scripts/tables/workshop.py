"""The teacher's tables, of `snippets/workshop.yml`: how long each notebook takes, wrong answers, questions."""

from typing import Literal

from pydantic import Field

from scripts.facts.units import Date
from scripts.learning import titles
from scripts.markdown import table
from scripts.models import Strict, load_model
from scripts.paths import SNIPPETS

FILE = SNIPPETS / "workshop.yml"
LETTERS = "ABCD"


class Measured(Strict):
    read: str
    machine: str


class Wrong(Strict):
    says: str
    reply: str


class Notebook(Strict):
    seconds: int = Field(gt=0, description="All cells once, in the sizes that the notebook has")
    goal: str = Field(description="What a learner can do after it")
    wrong: list[Wrong] = Field(min_length=3, max_length=3)


class Question(Strict):
    ask: str
    answers: list[str] = Field(min_length=4, max_length=4)
    right: Literal["A", "B", "C", "D"]
    reason: str


class Workshop(Strict):
    measured: Measured
    notebooks: dict[str, Notebook]
    questions: list[Question]


def load() -> Workshop:
    """The file. Raises BadInput with file, line and fix."""
    return load_model(FILE, Workshop, "See scripts/tables/workshop.py.")[0]


def _link(notebook: str) -> str:
    page = f"workshop/{notebook}.ipynb"
    return f"[{titles()[page]}](/{page})"


def seconds() -> str:
    found = load()
    rows = [
        (_link(name), each.goal, f"{each.seconds} s", f'<a href="{name}-slides.html">Slides {number}</a>')
        for number, (name, each) in enumerate(found.notebooks.items())
    ]
    how = f"Each time is from one run on {Date(found.measured.read).words}, on {found.measured.machine}."
    return table(("Notebook", "What learners can do afterward", "Time for all cells", "Slides"), rows) + f"\n{how}\n"


def wrong_answers() -> str:
    rows = [
        (_link(name) if not number else "", answer.says, answer.reply)
        for name, each in load().notebooks.items()
        for number, answer in enumerate(each.wrong)
    ]
    return table(("Notebook", "A learner says", "Your reply"), rows)


def questions() -> str:
    parts = []
    for number, each in enumerate(load().questions, 1):
        options = [f"- **{letter}:** {answer}" for letter, answer in zip(LETTERS, each.answers, strict=True)]
        answer = f'??? question "Answer to question {number}"\n\n    **{each.right}.** {each.reason}'
        parts += [f"**{number}. {each.ask}**", "\n".join(options), answer]
    return "\n\n".join(parts) + "\n"


TABLES = {"seconds.md": seconds, "wrong-answers.md": wrong_answers, "questions.md": questions}

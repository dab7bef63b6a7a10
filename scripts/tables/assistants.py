"""How often an assistant's scripts were right, by what it was given: what `guide bench grade --twin` said."""

from collections import Counter

from scripts.markdown import table
from scripts.models import Strict, load_model
from scripts.paths import MEASURED

FILE = MEASURED / "assistants.yml"


class Trial(Strict):
    """One conversation. seed: of the tasks; failures: for each wrong answer, the step and the grader's words."""

    given: str
    seed: int
    tasks: int
    failures: list[str] = []


class Trials(Strict):
    date: str
    model: str
    trials: list[Trial]


def assistants() -> str:
    """A row for each trial."""
    found, _ = load_model(FILE, Trials, "Grade the answers again.")
    rows = []
    for each in found.trials:
        right = each.tasks - len(each.failures)
        words = Counter(text.partition(": ")[2].rstrip(".") for text in each.failures)
        why = "; ".join(f"{text}{f' ({many} times)' * (many > 1)}" for text, many in words.items())
        rows.append((each.given, f"{right} of {each.tasks}", f"{right / each.tasks:.0%}", why or "–"))
    return table(("The assistant has", "Correct", "Share", "Errors"), rows)

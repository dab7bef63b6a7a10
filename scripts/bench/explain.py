"""Tasks to explain a message: one of four meanings is right."""

from collections import Counter
from collections.abc import Iterator

from scripts.bench.task import Task, drawer, named, say
from scripts.engine.ask import ask
from scripts.engine.data.messages import messages
from scripts.facts import Cluster

NUMBER = 4
LETTERS = "ABCD"


def tasks(cluster: Cluster, seed: int) -> Iterator[Task]:
    """Of messages that this system says."""
    own = [each for each in messages() if each["systems"] is None or cluster.key in each["systems"]]
    times = Counter(each["when"] for each in own)
    clear = [
        each
        for each in own
        if each["rank"] is None
        and not each["beside"]
        and "…" not in each["texts"][0]
        and times[each["when"]] >= 2 * len(LETTERS)
    ]
    seen: set[str] = set()
    for number in range(1, NUMBER + 1):
        draw = drawer(seed, cluster, "explain", number)
        right = draw.choice([each for each in clear if each["key"] not in seen])
        seen.add(right["key"])
        others = {each["means"]: each for each in own if each["when"] == right["when"]}
        wrong = draw.sample(sorted(others.keys() - {right["means"]}), len(LETTERS) - 1)
        means = _said_on(cluster, [right, *(others[each] for each in wrong)])
        choices = dict(zip(LETTERS, draw.sample(means, len(means)), strict=True))
        letter = next(letter for letter, text in choices.items() if text == means[0])
        said = say(draw, "explain", system=cluster.name), say(draw, "reply_letter")
        listed = "\n".join(f"{letter}) {text}" for letter, text in choices.items())
        request = f"{said[0]}\n\n    {right['texts'][0]}\n\n{said[1]}\n\n{listed}"
        yield Task(
            named(seed, cluster, "explain", number),
            "explain",
            cluster.key,
            request,
            right["texts"][0],
            choices=choices,
            reply="letter",
            wanted={"choice": letter},
        )


def _said_on(cluster: Cluster, entries: list[dict]) -> list[str]:
    """What the entries mean, in the words of this system's scheduler, and so of the guide's own answer."""
    found = ask("explain", [cluster], [[cluster.key, each["texts"][0]] for each in entries])
    return [
        there[0]["means"] if there and there[0]["key"] == each["key"] else each["means"]
        for each, there in zip(entries, found, strict=True)
    ]

"""A Markdown extension: `<!-- counted -->` on a page becomes what this build can show, in numbers.

They come from the record of the run that the site shows, and from the facts; none is typed.
"""

from markdown import Extension, Markdown
from markdown.preprocessors import Preprocessor

from scripts.evidence import dependencies, records
from scripts.facts import load_all
from scripts.facts.plain import plain
from scripts.messages.load import load_messages
from scripts.paths import MEASURED, ROOT

MARK = "<!-- counted -->"


def counted() -> list[tuple[int, str]]:
    """A number, and what there is so many of."""
    judges = dependencies.judges()
    sound = {
        path: record
        for path, record in records.read().items()
        if (ROOT / path).is_file()
        and not dependencies.changed(record.rests_on, dependencies.rests_on(ROOT / path, judges))
    }
    accepted = sum(path.endswith(".sh") and record.how == "judged" for path, record in sound.items())
    ran = sum(path.endswith(".py") and record.how in ("ran", "simulated", "measured") for path, record in sound.items())
    clusters = load_all()
    measured = len([*MEASURED.glob("*.json")])
    return [
        (accepted, "job scripts accepted by a simulated scheduler"),
        (ran, "programs run on a CPU"),
        (sum(_leaves(plain(cluster)) for cluster in clusters.values()), "sourced and dated facts"),
        (len(load_messages(clusters)), "error messages explained"),
        (measured, "GPU measured" if measured == 1 else "GPUs measured"),
    ]


def _leaves(value: object) -> int:
    if isinstance(value, dict | list):
        return sum(map(_leaves, value.values() if isinstance(value, dict) else value))
    return 1


class Counted(Preprocessor):
    def run(self, lines: list[str]) -> list[str]:
        if MARK not in lines:
            return lines
        told = [f"- **{number:,}** {what}" for number, what in counted() if number]
        return [each for line in lines for each in (told if line == MARK else [line])]


class CountedExtension(Extension):
    def extendMarkdown(self, md: Markdown) -> None:
        md.preprocessors.register(Counted(md), "counted", 35)


def makeExtension(**kwargs) -> CountedExtension:
    return CountedExtension(**kwargs)

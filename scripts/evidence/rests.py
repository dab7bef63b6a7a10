"""What a check rests on, each thing with its hash: when one of them changes, the check no longer counts.

That is the file; what it starts or imports of the guide's own; and for a cluster's script what the twin's writers make
of the facts, with the names it uses from them: account, modules, module paths, images. So a lowered limit counts, and
a new telephone number does not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path

from scripts.errors import BadInput
from scripts.paths import MADE, PROGRAMS, ROOT, shown
from scripts.programs import run_of
from scripts.stamps import digest

TWINS = MADE / "twins.json"
TWIN, NAMES, RUNS = "twin", "names", "runs"  # what a check rests on beside files
WORD = re.compile(r"[\w./-]*\w")
IMPORT = re.compile(r"^[ \t]*(?:from|import)[ \t]+(\w+(?:[ \t]*,[ \t]*\w+)*)", re.MULTILINE)


@dataclass(frozen=True)
class Judge:
    """What judges a cluster's scripts from a day on: its twin's hash, and names of its facts that a script may use."""

    since: str  # a day as 2026-12-01; empty: from the beginning
    twin: str
    names: list[str]

    def __post_init__(self):
        if not all(isinstance(text, str) for text in (self.since, self.twin, *self.names)):
            raise TypeError("a judge is described by text alone")

    def of(self, text: str) -> dict[str, str]:
        """What this script rests on: the twin, and the names that stand in it, a blank between them."""
        whole = r"(?<![\w./-]){}(?!\.?[\w/-])"  # not a part of a longer name
        used = [name for name in self.names if re.search(whole.format(re.escape(name)), text)]
        return {TWIN: self.twin, NAMES: " ".join(used)}


Judges = dict[str, list[Judge]]  # of each cluster, in the order of their days


def judges(path: Path = TWINS) -> Judges:
    """Those of the file; none if there is no such file. Raises BadInput for a file that holds anything else."""
    return _judges(path, path.read_text(encoding="utf-8")) if path.exists() else {}


@lru_cache(maxsize=1)  # pages ask for it one after the other
def _judges(path: Path, text: str) -> Judges:
    try:
        return {key: [Judge(**judge) for judge in found] for key, found in json.loads(text).items()}
    except (ValueError, TypeError, AttributeError) as fault:
        raise BadInput(shown(path), None, f"this is not the list of twins: {fault}.", "Run `make tables`.") from None


def judges_text(known: Judges) -> str:
    """The text of that file."""
    found = {key: [asdict(judge) for judge in judges] for key, judges in known.items()}
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def rests_on(file: Path, known: Judges, day: str) -> dict[str, str]:
    """Name -> hash: files and folders by their path from the root, `twin`; in words `names`, and how programs `runs`.

    day: when it was checked; a change of the facts that comes later does not count yet.
    """
    files = [file, *sorted(started(file))]
    found = {str(shown(path)): digest(files_of(path)) for path in files}
    if runs := [f"{path.name} {run.words}" for path in files if (run := run_of(path.name)).words]:
        found[RUNS] = ", ".join(runs)
    held = [judge for judge in _of(file, known) if judge.since <= day]
    return found | (held[-1].of(file.read_text(encoding="utf-8")) if held else {})


def holds_until(file: Path, known: Judges, day: str) -> str | None:
    """The day of the next coming change of the facts after `day` that ends what was checked then; None if none does."""
    text, held = file.read_text(encoding="utf-8"), None
    for judge in _of(file, known):
        if judge.since > day and held and judge.of(text) != held:
            return judge.since
        held = judge.of(text)
    return None


def _of(file: Path, known: Judges) -> list[Judge]:
    return known.get(file.parent.name, []) if file.suffix == ".sh" else []


def changed(then: dict[str, str], now: dict[str, str]) -> list[str]:
    """Names of what differs, is gone, or has come. What a cluster itself has accepted rests on no twin."""
    if TWIN not in then:
        now = {name: value for name, value in now.items() if name not in (TWIN, NAMES)}
    return sorted(name for name in then.keys() | now.keys() if then.get(name) != now.get(name))


def files_of(path: Path) -> Iterable[Path]:
    """A file, or a folder's programs."""
    return sorted(path.glob("*.py")) if path.is_dir() else [path]


def started(file: Path) -> set[Path]:
    """The files and folders of the guide that a file starts or imports, and what those import in turn."""
    found, todo = {file}, [file]
    while todo:
        new = set(_named(todo.pop())) - found
        found |= new
        todo += new
    return found - {file}


def _named(file: Path) -> Iterator[Path]:
    """Of a script every file that it names, of a program its imports, of an output the program that printed it."""
    if file.suffix == ".out":
        yield from filter(Path.exists, [file.with_suffix(".py")])
    elif file.suffix == ".py":
        names = ",".join(IMPORT.findall(file.read_text(encoding="utf-8"))).split(",")
        yield from filter(Path.exists, (file.with_name(f"{name.strip()}.py") for name in names))
    elif file.suffix == ".sh":
        words = {word.removeprefix("./") for word in WORD.findall(file.read_text(encoding="utf-8"))}
        for word in words:
            if word.startswith("snippets/"):
                yield from filter(Path.exists, [ROOT / word])
            elif "." in word and "/" not in word:
                yield from filter(Path.is_file, [file.with_name(word), PROGRAMS / word])

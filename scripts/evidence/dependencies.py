"""What a check rests on, each thing with its hash: when one of them changes, the check no longer counts.

That is the file; what it starts or imports of the guide's own; and for a cluster's script what the twin's writers make
of the facts, with the names it uses from them: account, modules, module paths, images. So a lowered limit counts, and
a new telephone number does not.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from scripts.digests import digest
from scripts.errors import BadInput
from scripts.facts import Cluster, load_all
from scripts.paths import FACTS, MADE, PROGRAMS, ROOT, shown
from scripts.programs import ON_GPU, run_of
from scripts.twin.written import digest as twin_digest

TWIN, NAMES, RUNS = "twin", "names", "runs"  # what a check rests on beside files
APPLICATIONS = MADE / "applications"  # their scripts, which scripts/families/applications.py writes
SHORT = 16  # hexadecimal digits of a hash: enough to see a change
WORD = re.compile(r"[\w./-]*\w")
IMPORT = re.compile(r"^[ \t]*(?:from|import)[ \t]+(\w+(?:[ \t]*,[ \t]*\w+)*)", re.MULTILINE)


@dataclass(frozen=True)
class Judge:
    """What judges a cluster's scripts: its twin's hash, and names of its facts that a script may use."""

    twin: str
    names: list[str]

    def of(self, text: str) -> dict[str, str]:
        """What this script rests on: the twin, and the names that stand in it, a blank between them."""
        whole = r"(?<![\w./-]){}(?!\.?[\w/-])"  # not a part of a longer name
        used = [name for name in self.names if re.search(whole.format(re.escape(name)), text)]
        return {TWIN: self.twin, NAMES: " ".join(used)}


Judges = dict[str, Judge]  # of each cluster


_known: dict[tuple[int, ...], Judges] = {}  # when the facts files were written: what followed from them


def judges() -> Judges:
    """Those of every cluster, computed again when a facts file has changed.

    Raises BadInput for a wrong facts file, unless this process has read right ones before: `make serve` goes on with
    those until it is mended.
    """
    now = tuple(path.stat().st_mtime_ns for path in sorted(FACTS.glob("*/cluster.yml")))
    if now not in _known:
        try:
            found = {key: judge_of(cluster) for key, cluster in load_all().items()}
        except BadInput:
            if not _known:
                raise
            return next(iter(_known.values()))
        _known.clear()
        _known[now] = found
    return _known[now]


def judge_of(cluster: Cluster) -> Judge:
    software = cluster.software
    names = {*software.loadable, *software.module_paths, *software.images, cluster.policy.sample_account or ""} - {""}
    return Judge(twin_digest(cluster)[:SHORT], sorted(names))


def rests_on(file: Path, known: Judges) -> dict[str, str]:
    """Name -> hash: files and folders by path from the root, `twin`. In words: `names`, and how programs `runs`."""
    files = [file, *sorted(started(file))]
    found = {str(shown(path)): digest(files_of(path))[:SHORT] for path in files}
    runs = [f"{path.name} {run.words}" for path in files if (run := run_of(path.name)).words]
    if runs and file.parent != ON_GPU:
        found[RUNS] = ", ".join(runs)
    judge = known.get(_system(file)) if file.suffix == ".sh" else None
    return found | (judge.of(file.read_text(encoding="utf-8")) if judge else {})


def _system(script: Path) -> str:
    """The folder of its system, or of an application's script the last part of its name: `gromacs-lumi.sh`."""
    return script.stem.rsplit("-", 1)[-1] if script.parent == APPLICATIONS else script.parent.name


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
        yield from filter(Path.exists, [PROGRAMS / file.with_suffix(".py").name])
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

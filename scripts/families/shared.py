"""The job scripts of every system. Those that a family shares are written for each of its systems; git ignores these.

They lie where a system's own would, `snippets/fir/one_gpu.sh`: pages, tests, twins and evidence see no difference.
"""

import os
from functools import cache
from pathlib import Path

from scripts.errors import BadInput, did_you_mean
from scripts.facts import load_named
from scripts.families import FAMILIES
from scripts.families.marks import fill, of_gpu
from scripts.models import Strict, load_model
from scripts.paths import FACTS, OURS, shown
from scripts.yaml_lines import Lines

READ_ONLY = 0o444
elsewhere: dict[str, Path] = {}  # system -> its folder, where that is not in snippets/: one that was made up


class Family(Strict):
    """The systems of a family, and of each the values of marks that its facts do not give."""

    systems: dict[str, dict[str, str | int]]


def scripts(key: str) -> list[Path]:
    """A system's job scripts, by name, as they are now."""
    _write(key)
    return sorted(elsewhere.get(key, FACTS / key).glob("*.sh"))


def script(key: str, name: str) -> Path:
    """One of them, `one_gpu.sh`; the system may have none of this name."""
    _write(key)
    return elsewhere.get(key, FACTS / key) / name


def write() -> list[Path]:
    """Write the scripts of all families that are older than what they are made of. Returns them."""
    return [path for key in sorted(_families()) for path in _write(key)]


def source(path: Path) -> Path:
    """The file to edit: the family's, where the family has written this one; else the file itself."""
    file = _families().get(path.parent.name) if path.parent.parent == FACTS else None
    return _sources(file, path.parent.name).get(path.name, path) if file else path


def _families() -> dict[str, Path]:
    """System -> its family's file. Another collection than ours has none."""
    files = sorted(FAMILIES.glob("*/family.yml")) if OURS else []
    return {key: file for file in files for key in _read(file, _changed(file))[0].systems}


@cache  # every script is asked for by itself
def _read(file: Path, changed: int) -> tuple[Family, Lines]:
    return load_model(file, Family, f"See {shown(FAMILIES)}/README.md.")


def _sources(file: Path, key: str) -> dict[str, Path]:
    """Name -> the family's script, or the one that it has for this system alone."""
    return {path.name: path for folder in (file.parent, file.parent / key) for path in sorted(folder.glob("*.sh"))}


def _write(key: str) -> list[Path]:
    if not (file := _families().get(key)):
        return []
    sources, folder, own = _sources(file, key), FACTS / key, file.parent / key
    for path in folder.glob("*.sh"):
        if path.name not in sources:
            what = f"{shown(file.parent)} has no script of this name, and all of {key}'s come from there."
            raise BadInput(shown(path), None, what, f"Move it to {shown(own)}, or delete it.")
    # A folder changes when a script is taken out of it.
    rests_on = [file, file.parent, own, folder / "cluster.yml", *Path(__file__).parent.glob("*.py")]
    newest = max(map(_changed, rests_on))
    old = {name: path for name, path in sources.items() if _changed(folder / name) <= max(_changed(path), newest)}
    if not old:
        return []
    values = _values(file, key)
    for name, path in old.items():
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        _put(folder / name, "".join(fill(line, values, path, number) for number, line in enumerate(lines, 1)))
    return [folder / name for name in old]


def _changed(path: Path) -> int:
    """When, in nanoseconds; 0 if there is no such file."""
    return path.stat().st_mtime_ns if path.exists() else 0


def _values(file: Path, key: str) -> dict[str, str]:
    """Mark -> value: what family.yml gives, and what the facts say of the GPU and the slice that it names."""
    family, lines = _read(file, _changed(file))
    cluster, given = load_named(key), family.systems[key]
    found = {"KEY": key}
    for mark in ("GPU", "SLICE"):
        if (name := given.get(mark)) is None:
            continue
        if name not in cluster.gpus:
            what = f"{cluster.name}'s facts have no GPU `{name}`."
            raise BadInput(shown(file), lines["systems", key, mark], what, did_you_mean(str(name), list(cluster.gpus)))
        found |= of_gpu(cluster, name)
    return found | {mark: str(value) for mark, value in given.items()}


def _put(path: Path, text: str) -> None:
    """At once, so that nobody reads half of it. Read-only: the next change of the family's script overwrites it."""
    scratch = path.with_suffix(f".{os.getpid()}.part")
    try:
        scratch.write_text(text, encoding="utf-8")
        scratch.chmod(READ_ONLY)
        scratch.replace(path)
    except OSError as fault:
        cure = "Let the owner of this checkout run `make tables`."
        raise BadInput(shown(path), None, f"it cannot be written: {fault.strerror}.", cure) from None

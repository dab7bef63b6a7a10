"""Give the page "Write or check a job script" its engine and its facts: classic scripts in `assets/your-script/`.

`joined/` has the engine's parts in a few files, by when the page needs them; `data/` has a file for each system. A
page that a browser opens as a file may neither fetch nor take modules, so each is a script of its own. Lines that
are a comment are left out of what is joined.
"""

from __future__ import annotations

import re
from pathlib import Path

from scripts.errors import BadInput
from scripts.facts import load_all
from scripts.jobscript import data
from scripts.jobscript.node import ENGINE

FOLDER = "assets/your-script"
PAGE = ("element", "parts", "bytes", "editor", "give", "address", "verdict", "page", "modes", "write", "start")
# When a part of the engine is needed, by the first word of its name; any other with the rules.
WHEN = {
    "page": ("form", "cost", "address", "write"),
    "verdict": ("values", "read", "slurm", "fit", "grid", "judge"),
    "move": ("move",),
    "explain": ("explain",),
}
# And what all systems share.
DATA = {"verdict": ("options",), "explain": ("messages",)}
NAMED = re.compile(r"^const PARTS = \[(?P<names>[^]]*)\]", re.MULTILINE)
COMMENT = re.compile(r"^[ \t]*(?://[^\n]*|/\*\*(?:[^*]|\*(?!/))*\*/[ \t]*)\n", re.MULTILINE)


def parts() -> dict[str, list[str]]:
    """File of `joined/` -> the parts of the engine that it holds, in the engine's order."""
    named = NAMED.search((ENGINE / "index.js").read_text(encoding="utf-8"))
    found: dict[str, list[str]] = {"page": [], "verdict": [], "rules": [], "move": [], "explain": []}
    for part in re.findall(r'"([\w-]+)"', named["names"] if named else ""):
        first = re.split("[-_]", part)[0]
        found[next((name for name, firsts in WHEN.items() if first in firsts), "rules")].append(part)
    found["page"] += [f"page/{name}" for name in PAGE]
    return found


def joined(names: list[str], given: list[str]) -> str:
    """One file's text: what it needs to know, then its parts."""
    files = [ENGINE / f"{name}.js" for name in names]
    texts = [COMMENT.sub("", file.read_text(encoding="utf-8")) for file in files if file.is_file()]
    return "".join([*given, *texts])


def write(site: Path) -> None:
    """Raises BadInput where the engine is not among what was built."""
    folder = site / FOLDER
    if not folder.is_dir():
        raise BadInput(folder, None, "the engine is not there.", "Leave docs/assets/your-script where it is.")
    clusters = load_all()
    found = data.files(clusters.values())
    for place in ("data", "joined"):
        (folder / place).mkdir(exist_ok=True)
    for key in clusters:
        (folder / "data" / f"{key}.js").write_text(found[f"{key}.js"], encoding="utf-8")
    shared = {name: found[f"{name}.js"] for name in data.COMMON}
    own = {name: [shared.pop(each) for each in given if each in shared] for name, given in DATA.items()}
    own["rules"] = list(shared.values())
    for name, names in parts().items():
        (folder / "joined" / f"{name}.js").write_text(joined(names, own.get(name, [])), encoding="utf-8")

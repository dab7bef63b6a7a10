"""Give the page "Write or check a job script" its engine and its facts: classic scripts in `assets/your-script/`.

A page that a browser opens as a file may neither fetch nor take modules, so each is a script of its own. `joined/` has
the engine's parts in a few files, by when the page needs them; `data/` has two files for each system: what its form
needs, and what a verdict or a move needs besides.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from scripts.errors import BadInput
from scripts.facts import load_all
from scripts.jobscript import data
from scripts.jobscript.node import ENGINE
from scripts.site.after import lean

FOLDER = "assets/your-script"
# The page's own parts: what its first view needs, and what waits until its reader does something.
PAGE = {
    "page": ("element", "parts", "editor", "address", "verdict", "page", "write", "start"),
    "more": ("bytes", "give", "finding", "ask", "take", "modes"),
}
# When a part of the engine is needed, by the first word of its name; any other with the rules. `verdict` decides as
# the scheduler does, with its reason in the scheduler's words; the rules bring the guide's.
WHEN = {
    "page": ("wish", "plan", "body", "cost", "address", "form"),
    "more": ("rewrite",),
    "verdict": ("values", "read", "slurm", "fit", "gres", "policy"),
    "grid": ("grid",),
    "move": ("move",),
    "explain": ("explain",),
}
# And what all systems share.
DATA = {"verdict": ("options",), "grid": ("grid_options",), "move": ("move",), "explain": ("messages",)}
FORM = ("key", "name", "kind", "form")
NAMED = re.compile(r"^const PARTS = \[(?P<names>[^]]*)\]", re.MULTILINE)


def parts() -> dict[str, list[str]]:
    """File of `joined/` -> the parts of the engine that it holds, in the engine's order, then the page's."""
    named = NAMED.search((ENGINE / "index.js").read_text(encoding="utf-8"))
    found: dict[str, list[str]] = {name: [] for name in (*WHEN, "rules")}
    for part in re.findall(r'"([\w-]+)"', named["names"] if named else ""):
        first = re.split("[-_]", part)[0]
        found[next((name for name, firsts in WHEN.items() if first in firsts), "rules")].append(part)
    for file, names in PAGE.items():
        found[file] += [f"page/{name}" for name in names]
    return found


def joined(names: list[str], given: list[str]) -> str:
    """One file's text: what it needs to know, then its parts, each below its name for whoever follows an error."""
    parts = [f"// {name}.js\n{lean.script((ENGINE / f'{name}.js').read_text(encoding='utf-8'))}" for name in names]
    return ";\n".join([*map(lean.script, given), *parts]) + "\n"


def of_system(key: str, facts: dict) -> dict[str, str]:
    """Name -> text of a system's two files; the second adds to what the first has said."""
    halves = [{name: value for name, value in facts.items() if (name in FORM) == first} for first in (True, False)]
    first, second = (json.dumps(half, ensure_ascii=False, separators=(",", ":")) for half in halves)
    return {
        f"{key}.js": lean.script(f"((globalThis.jobscript ??= {{}}).systems ??= {{}}).{key} = {first}"),
        f"{key}-more.js": lean.script(f"Object.assign(jobscript.systems.{key}, {second})"),
    }


def write(site: Path) -> None:
    """Raises BadInput where the engine is not among what was built."""
    folder = site / FOLDER
    if not folder.is_dir():
        raise BadInput(folder, None, "the engine is not there.", "Leave docs/assets/your-script where it is.")
    clusters = load_all()
    for place in ("data", "joined"):
        (folder / place).mkdir(exist_ok=True)
    for key, cluster in clusters.items():
        for name, text in of_system(key, data.system(cluster)).items():
            (folder / "data" / name).write_text(text, encoding="utf-8")
    texts = data.files([])
    shared = {name: texts[f"{name}.js"] for name in data.COMMON}
    own = {name: [shared.pop(each) for each in given if each in shared] for name, given in DATA.items()}
    own["rules"] = list(shared.values())
    for name, names in parts().items():
        (folder / "joined" / f"{name}.js").write_text(joined(names, own.get(name, [])), encoding="utf-8")

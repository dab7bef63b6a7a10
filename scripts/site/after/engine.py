"""Give the page "Write or check a job script" its engine and its facts: classic scripts in `assets/your-script/`.

A page that a browser opens as a file may neither fetch nor load modules, so each is a script of its own. `joined/` has
the engine in chunks, by when the page needs them; `data/` has two files for each system: what its form needs, and what
a verdict or a move needs besides.
"""

import json
from pathlib import Path

from scripts.engine import data
from scripts.engine.bundle import GLOBAL, JS, Chunk, joined, numbered
from scripts.facts import load_all
from scripts.site.after import lean

FOLDER = "assets/your-script"
# Scripts of other pages: their place in the site -> module.
PAGES = {
    "assets/fit.js": JS / "fit/fit_page.js",
    "assets/job-cost.js": JS / "form/job_cost_page.js",
    "assets/judge-record.js": JS / "measure/judge_record_page.js",
    "assets/limits.js": JS / "measure/limits_page.js",
    "assets/old-facts.js": JS / "facts/old_facts_page.js",
}
# And what all systems share: chunk or script -> names in `jobscript.data`.
DATA = {
    "assets/fit.js": ("fit",),
    "assets/job-cost.js": ("limits",),
    "page": ("limits",),
    "more": ("levels",),
    "verdict": ("refusals",),
    "rules": ("advice", "limit_words", "programs"),
    "move": ("move",),
    "explain": ("messages", "own_lines", "listings"),
}
FORM = ("key", "name", "kind", "form")


def chunks() -> dict[str, Chunk]:
    """The scripts of `joined/`. A page loads what a chunk needs before it."""
    page = Chunk(JS / "page/start.js")
    more = Chunk(JS / "page/more.js", [page])
    verdict = Chunk(JS / "schedulers/slurm/decide.js", [page, more])
    rules = Chunk(JS / "page/judging.js", [page, more, verdict])
    grid = Chunk(JS / "schedulers/grid_engine/scheduler.js", [page, more, verdict, rules])
    move = Chunk(JS / "migrate/move.js", [page, more, verdict, rules])
    explain = Chunk(JS / "page/explaining.js", [page, more])
    return {
        "page": page, "more": more, "verdict": verdict, "rules": rules, "grid": grid, "move": move, "explain": explain,
    }  # fmt: skip


def texts() -> dict[str, str]:
    """Chunk -> its text, with the data that belong to it."""
    found = chunks()
    numbers = numbered(found)
    return {
        name: f"{_given(name)}{joined(chunk.modules(), numbers)}"
        f"({GLOBAL}.chunks ??= {{}}).{name} = {GLOBAL}.modules.{numbers[chunk.entry]}\n"
        for name, chunk in found.items()
    }


def _given(name: str) -> str:
    held = f"(({GLOBAL} ??= {{}}).data ??= {{}})"
    return "".join(f"{held}.{each} = {_json(data.COMMON[each]())};\n" for each in DATA.get(name, ()))


def of_system(key: str, facts: dict) -> dict[str, str]:
    """Name -> text of a system's two files; the second adds to what the first has said."""
    first, second = (
        _json({name: value for name, value in facts.items() if (name in FORM) == wanted}) for wanted in (True, False)
    )
    return {
        f"{key}.js": lean.script(f"(({GLOBAL} ??= {{}}).systems ??= {{}}).{key} = {first}"),
        f"{key}-more.js": lean.script(f"Object.assign({GLOBAL}.systems.{key}, {second})"),
    }


def write(site: Path) -> None:
    folder = site / FOLDER
    for place in ("data", "joined"):
        (folder / place).mkdir(parents=True, exist_ok=True)
    for key, cluster in load_all().items():
        for name, text in of_system(key, data.system(cluster)).items():
            (folder / "data" / name).write_text(text, encoding="utf-8")
    for name, text in texts().items():
        (folder / "joined" / f"{name}.js").write_text(lean.script(text), encoding="utf-8")
    for place, entry in PAGES.items():
        alone = Chunk(entry)
        text = _given(place) + joined(alone.modules(), numbered({place: alone}))
        (site / place).write_text(lean.script(text), encoding="utf-8")


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

"""All that the engine knows: what it needs of each system, and what is the same everywhere.

Whoever adds a part of the engine adds the function that writes its data here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable

from scripts.check.report import LEVELS
from scripts.engine.data import advice, facts, fit, form, grid_engine, known_programs, limits, messages, move, refusal
from scripts.facts import Cluster

# What stands under a name in `jobscript.systems.<cluster>`. The facts stand there themselves, without a name.
PARTS: dict[str, Callable[[Cluster], object]] = {
    "form": form.form,
    "move": move.system,
    "here": messages.here,
    "taught": messages.taught,
    "grid_engine": grid_engine.grid_engine,
    "advice": advice.advice,
    "why": refusal.why,
}
# What stands under a name in `jobscript.data`.
COMMON: dict[str, Callable[[], object]] = {
    "limits": limits.compared,
    "levels": lambda: LEVELS,
    "refusals": limits.refusals,
    "limit_words": limits.words,
    "move": move.common,
    "messages": messages.messages,
    "listings": messages.listings,
    "advice": advice.common,
    "programs": known_programs.programs_told,
    "fit": fit.fit,
}

HEAD = ";(jobscript => {\n"
TAIL = "\n})(globalThis.jobscript ??= {})\n"


def system(cluster: Cluster) -> dict:
    return facts.system(cluster) | {name: part(cluster) for name, part in PARTS.items()}


def common() -> dict:
    return {name: part() for name, part in COMMON.items()}


def files(clusters: Iterable[Cluster]) -> dict[str, str]:
    """Name -> text of the data files of a page: classic scripts, one for each system and each common part."""
    found = {f"{cluster.key}.js": _file("systems", cluster.key, _json(system(cluster))) for cluster in clusters}
    return found | {f"{name}.js": _file("data", name, _json(part)) for name, part in common().items()}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _file(group: str, name: str, text: str) -> str:
    return f"{HEAD}(jobscript.{group} ??= {{}}).{name} = {text}{TAIL}"

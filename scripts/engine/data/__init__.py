"""All that the engine knows: what it needs of each system, and what is the same everywhere.

Whoever adds a part of the engine adds the function that writes its data here.
"""

from collections.abc import Callable

from scripts.check.report import LEVELS
from scripts.engine.data import advice, facts, fit, form, grid_engine, limits, messages, move, refusal
from scripts.facts import Cluster
from scripts.facts.programs import programs
from scripts.messages.own_lines import own_lines

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
FOR_PEOPLE = {"version", "source", "read"}  # of what is known of a program
# What stands under a name in `jobscript.data`.
COMMON: dict[str, Callable[[], object]] = {
    "limits": limits.compared,
    "levels": lambda: LEVELS,
    "refusals": limits.refusals,
    "limit_words": limits.words,
    "move": move.common,
    "messages": messages.messages,
    "own_lines": own_lines,
    "listings": messages.listings,
    "advice": advice.common,
    "programs": lambda: [each.model_dump(exclude=FOR_PEOPLE, exclude_unset=True) for each in programs()],
    "fit": fit.fit,
}


def system(cluster: Cluster) -> dict:
    return facts.system(cluster) | {name: part(cluster) for name, part in PARTS.items()}


def common() -> dict:
    return {name: part() for name, part in COMMON.items()}

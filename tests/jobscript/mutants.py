"""Break the engine at one place at a time, or one number of the facts, and see which case notices.

A number is broken by one, less and more. What cannot be noticed is explained: places one by one in equal.yml, numbers
that others hide by the rules of hidden.py.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from scripts.jobscript.node import ENGINE, node
from scripts.jobscript.options import tables
from tests.jobscript.agreement import PARTS
from tests.jobscript.hidden import hidden_by
from tests.jobscript.small import small_systems

RECORDED = Path(__file__).with_name("recorded.json")
EQUAL = Path(__file__).with_name("equal.yml")
BREAKER = Path(__file__).with_name("mutants.cjs")


@dataclass(frozen=True)
class Broken:
    """What was broken, and the number of the case that noticed; None if there was none.

    `key`: the line of code with `«»` around the place, or the number's path with `+` or `-` before it.
    `hidden`: why a number changes no verdict.
    """

    key: str
    to: str
    case: int | None
    hidden: str | None = None

    def __str__(self) -> str:
        return f"{self.key} -> {self.to}"


def recorded() -> dict:
    """`systems`: the facts of that day.

    `cases`: [cluster, script, did the twin accept it]; None: the engine leaves it to the twin.
    """
    return json.loads(RECORDED.read_text(encoding="utf-8"))


def break_it(
    systems: dict,
    cases: Sequence[Sequence[str]],
    places: Sequence[int | str] | None = None,
    facts: Sequence[int] | None = None,
) -> dict:
    """`places` of the engine and `facts`, each Broken once. `truth`: the verdict on each case. `keys`: of all places.

    The numbers, or the keys of places, name some of them; None: all.
    """
    asked = {
        "folder": str(ENGINE),
        "parts": PARTS,
        "systems": systems,
        "data": {"options": tables()},
        "cases": [case[:2] for case in cases],
        "made": list(small_systems()),
    }
    asked |= {name: list(some) for name, some in (("places", places), ("facts", facts)) if some is not None}
    done = subprocess.run([node(), str(BREAKER)], input=json.dumps(asked), capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout)
    return {
        "truth": found["truth"],
        "keys": found["keys"],
        "places": [Broken(each["key"], each["to"], each["case"]) for each in found["places"]],
        "facts": [_broken_number(systems, **each) for each in found["facts"]],
    }


def _broken_number(systems: dict, path: list[str], way: int, to: int, case: int | None) -> Broken:
    key = f"{'+' if way > 0 else '-'}{'.'.join(path)}"
    return Broken(key, str(to), case, hidden_by(systems[path[0]], path[1:], way))


@cache
def equal() -> dict[str, str]:
    """What changes no verdict -> why: keys of places."""
    reasons = yaml.safe_load(EQUAL.read_text(encoding="utf-8"))["places"]
    return {key: reason for reason, keys in (reasons or {}).items() for key in keys}


def explained(each: Broken) -> bool:
    """Is it said why this changes no verdict?"""
    return each.key in equal() or each.hidden is not None


def wrongly_hidden(broken: Sequence[Broken]) -> list[str]:
    """Numbers that are said to be hidden, and some case notices."""
    return [f"{each} is noticed, but: {each.hidden}" for each in broken if each.hidden and each.case is not None]


def unnoticed(broken: Sequence[Broken]) -> list[Broken]:
    """What nothing notices, and nothing explains."""
    return [each for each in broken if each.case is None and not explained(each)]


def share(broken: Sequence[Broken]) -> float:
    """The part that was noticed of what can be, from 0 to 1."""
    there = [each for each in broken if each.case is not None or not explained(each)]
    return sum(each.case is not None for each in there) / len(there)

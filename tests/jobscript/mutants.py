"""Break the engine at one place at a time, or one number of the facts, and see which case notices.

A number is broken by one, less and more. Where other numbers hide that (a node's 40 cores behind the 24 that a job may
have), it is broken by the least power of four that some case notices; record.py finds it. What cannot be noticed at all
is explained, place by place or kind by kind, in equal.yml.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from scripts.jobscript.node import ENGINE, node
from scripts.jobscript.options import tables
from tests.jobscript.agreement import PARTS
from tests.jobscript.small import small_systems

RECORDED = Path(__file__).with_name("recorded.json")
EQUAL = Path(__file__).with_name("equal.yml")
BREAKER = Path(__file__).with_name("mutants.cjs")


@dataclass(frozen=True)
class Broken:
    """What was broken, and the number of the case that noticed; None if there was none.

    `key`: the line of code with `«»` around the place, or the number's path with `+` or `-` before it.
    `by`: how much a number was broken, None if no step is noticed.
    """

    key: str
    to: str
    case: int | None
    by: int | None = None

    def __str__(self) -> str:
        return f"{self.key} -> {self.to}"


def recorded() -> dict:
    """`systems`: the facts of that day. `steps`: path of a number -> [less, more], where it is not broken by one.

    `cases`: [cluster, script, did the twin accept it]; None: the engine leaves it to the twin.
    """
    return json.loads(RECORDED.read_text(encoding="utf-8"))


def break_it(
    systems: dict,
    cases: Sequence[Sequence[str]],
    steps: dict | None = None,
    places: Sequence[int | str] | None = None,
    facts: Sequence[int] | None = None,
) -> dict:
    """`places` of the engine and `facts`, each Broken once. `truth`: the verdict on each case. `keys`: of all places.

    The numbers, or the keys of places, name some of them; None: all. Without `steps` the steps are sought.
    """
    asked = {
        "folder": str(ENGINE),
        "parts": PARTS,
        "systems": systems,
        "data": {"options": tables()},
        "cases": [case[:2] for case in cases],
        "made": list(small_systems()),
        "hidden": list(hidden()),
        "steps": steps,
    }
    asked |= {name: list(some) for name, some in (("places", places), ("facts", facts)) if some is not None}
    done = subprocess.run([node(), str(BREAKER)], input=json.dumps(asked), capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout)
    return {
        "truth": found["truth"],
        "keys": found["keys"],
        "places": [Broken(each["key"], each["to"], each["case"]) for each in found["places"]],
        "facts": [
            Broken(f"{'+' if each['way'] > 0 else '-'}{each['path']}", str(each["to"]), each["case"], each["step"])
            for each in found["facts"]
        ],
    }


@cache
def equal() -> dict[str, str]:
    """What changes no verdict -> why: keys of places."""
    reasons = yaml.safe_load(EQUAL.read_text(encoding="utf-8"))["places"]
    return {key: reason for reason, keys in (reasons or {}).items() for key in keys}


@cache
def hidden() -> dict[str, str]:
    """Patterns of numbers that no verdict depends on -> why."""
    return yaml.safe_load(EQUAL.read_text(encoding="utf-8"))["facts"]


def explained(each: Broken) -> bool:
    """Is it written down why this changes no verdict?"""
    return each.key in equal() or any(re.fullmatch(pattern, each.key) for pattern in hidden())


def unnoticed(broken: Sequence[Broken]) -> list[Broken]:
    """What nothing notices, and nothing explains."""
    return [each for each in broken if each.case is None and not explained(each)]


def share(broken: Sequence[Broken]) -> float:
    """The part that was noticed of what can be, from 0 to 1."""
    there = [each for each in broken if each.case is not None or not explained(each)]
    return sum(each.case is not None for each in there) / len(there)

"""Break the engine at one place at a time, or one number of the facts, and see which case notices."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from scripts.jobscript.node import ENGINE, node
from scripts.jobscript.options import tables
from tests.jobscript.agreement import PARTS

RECORDED = Path(__file__).with_name("recorded.json")
BREAKER = Path(__file__).with_name("mutants.cjs")


@dataclass(frozen=True)
class Broken:
    """What was broken, in words, and the number of the case that noticed; None if there was none."""

    what: str
    case: int | None


def recorded() -> dict:
    """`systems`: the facts of that day. `cases`: [cluster, script, did the twin accept it]."""
    return json.loads(RECORDED.read_text(encoding="utf-8"))


def break_it(
    systems: dict,
    cases: Sequence[Sequence[str]],
    places: Sequence[int] | None = None,
    facts: Sequence[int] | None = None,
) -> dict:
    """`places` of the engine and `facts`, each Broken once; `truth`: the engine's verdict on each case.

    The numbers name some of them; None: all.
    """
    asked = {
        "folder": str(ENGINE),
        "parts": PARTS,
        "systems": systems,
        "data": {"options": tables()},
        "cases": [case[:2] for case in cases],
    }
    asked |= {name: list(some) for name, some in (("places", places), ("facts", facts)) if some is not None}
    done = subprocess.run([node(), str(BREAKER)], input=json.dumps(asked), capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout)
    return {
        "truth": found["truth"],
        "places": [
            Broken(f"{each['part']}.js:{each['line']}: `{each['from']}` -> `{each['to']}`", each["case"])
            for each in found["places"]
        ],
        "facts": [Broken(f"{each['path']} -> {each['to']}", each["case"]) for each in found["facts"]],
    }


def share(broken: Sequence[Broken]) -> float:
    """The part that was noticed, from 0 to 1."""
    return sum(each.case is not None for each in broken) / len(broken)

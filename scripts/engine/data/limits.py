"""The table of limits for the engine: what it compares, and, for those who explain a refusal, in what words."""

from __future__ import annotations

from pydantic import BaseModel

from scripts.facts.limits import TABLE, Group, Limit, limits, rows

GROUPS = ("partitions", "gpus", "qos", "policy")


def compared() -> dict:
    """Group -> key -> what decides. `slurm`: Slurm itself keeps it of jobs that name one partition."""
    return {group: {key: _compared(row) for key, row in rows(group).items()} for group in GROUPS}


def _compared(row: Limit) -> dict:
    found = {"quantity": row.quantity, "test": row.test, "only": row.only, "refusal": row.refusal}
    return {name: value for name, value in found.items() if value} | ({"slurm": True} if row.slurm_conf else {})


def words() -> dict:
    """Group -> key -> what is said; and of each quantity its unit, and the options that can be at fault."""
    said = {group: {key: _words(row) for key, row in rows(group).items()} for group in GROUPS}
    return said | {"quantities": {key: each.model_dump() for key, each in TABLE.quantities.items()}}


def _words(row: Limit) -> dict:
    found = {"finding": row.finding, "says": row.says, "cure": row.cure}
    return found | ({"unsaid": row.unsaid.model_dump()} if row.unsaid else {})


def numbers(group: Group, part: BaseModel) -> dict[str, int]:
    """The limits that a part of the facts has, by their keys: in minutes, in MiB, or counts."""
    return {key: number for key, _, number in limits(group, part)}

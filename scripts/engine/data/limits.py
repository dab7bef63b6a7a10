"""The table of limits for the engine: what it compares, and, for those who explain a refusal, in what words."""

from pydantic import BaseModel

from scripts.facts.limits import TABLE, Group, Limit, limits, rows

GROUPS = ("partitions", "gpus", "qos", "policy")


def compared() -> dict:
    """Group -> key -> what is compared, and of which jobs."""
    part = {"include": {"quantity", "test", "only"}, "exclude_none": True}
    return {group: {key: row.model_dump(**part) for key, row in rows(group).items()} for group in GROUPS}


def refusals() -> dict:
    """Group -> key -> what the plugin says. `several`: only where a job names several partitions, else Slurm does."""
    return {
        group: {
            key: {"says": row.refusal} | ({"several": True} if row.slurm_conf else {})
            for key, row in rows(group).items()
            if row.refusal
        }
        for group in GROUPS
    }


def words() -> dict:
    """Group -> key -> what is said; and of each quantity its unit, and the options that can be at fault."""
    said = {group: {key: _words(row) for key, row in rows(group).items()} for group in GROUPS}
    return said | {"quantities": {key: each.model_dump(exclude={"groups"}) for key, each in TABLE.quantities.items()}}


def _words(row: Limit) -> dict:
    found = {
        "finding": row.finding,
        "says": row.says,
        "cure": row.cure or ("Request less" if row.unit in ("MiB", "minute") else "Request fewer"),
    }
    return found | ({"unsaid": row.unsaid.model_dump()} if row.unsaid else {})


def numbers(group: Group, part: BaseModel) -> dict[str, int]:
    """The limits that a part of the facts has, by their keys: in minutes, in MiB, or counts."""
    return {key: number for key, _, number in limits(group, part)}

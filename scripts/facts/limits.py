"""The table of limits, limits.yml: what each limit is of, who enforces it, and every sentence about it.

The facts' model, the twin's slurm.conf and plugin, the engine, the tables and the tests all read these rows.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, Field, ValidationInfo, create_model, model_validator

from scripts.facts.units import Count, Memory, Walltime
from scripts.models import Strict, load_model

Group = Literal["partitions", "gpus", "qos", "policy"]
Test = Literal["at_least", "at_most"]
TYPES = {"minute": Walltime, "MiB": Memory}  # units of those quantities that are no counts
SEVERAL_PARTITIONS = "several_partitions"


class Quantity(Strict):
    """A number that every job has: what it asks for of one thing."""

    unit: str = Field(description="In the singular; `minute` and `MiB` are written as times and sizes in the facts")
    options: list[str] = Field(description="Which options can be at fault, the likeliest first")
    groups: list[Group] = Field(list(Group.__args__), description="Those in whose tests both places compute it")


class Unsaid(Strict):
    """What the engine says where the job asks for none at all: the partition's option is then at fault."""

    finding: str
    says: str
    cure: str


class Limit(Strict):
    """A row.

    Sentences may hold `{limit}`, as number, time or size; `{amount}`, the same with its unit; `{asked}`, what the job
    asks for; `{where}`, the partition or the system; and `{name}`, the GPU or the QOS. In `refusal` times are in
    minutes, and sizes in MiB.
    """

    description: str | None = Field(None, description="For whoever writes the facts, where the key does not say it")
    quantity: str = Field(description="A key of `quantities`")
    test: Test = "at_most"
    fixed: int | None = Field(None, description="The limit of a key that is true or false in the facts")
    only: Literal["several_gpus", "no_allocation"] | None = Field(None, description="Which jobs it is for")
    slurm_conf: str | None = Field(None, description="Slurm's own word for it, in the line of a partition")
    qos: str | None = Field(
        None, description="sacctmgr's word in a QOS, where the database of a twin that keeps accounts keeps it"
    )
    refusal: str | None = Field(
        None,
        description="What the job_submit plugin says: the operator's words where they are known. With `slurm_conf` "
        "the plugin keeps it for jobs that name several partitions, Slurm for all others",
    )
    finding: str = Field(description="The kind of the engine's finding")
    says: str = Field(description="What the engine says, behind the option that is at fault")
    cure: str | None = Field(None, description="What to do, if not to request less, or fewer")
    unsaid: Unsaid | None = None
    label: str | None = Field(None, description="The row of a table that it has for itself")
    cell: str | None = Field(None, description="Its words in a table; none where a column of its own shows it")

    @model_validator(mode="after")
    def _is_enforced(self):
        if not (self.slurm_conf or self.refusal):
            raise ValueError("nobody enforces it; add `slurm_conf:`, or the plugin's `refusal:`")
        return self

    @property
    def unit(self) -> str:
        return TABLE.quantities[self.quantity].unit

    def number(self, value: int | Walltime | Memory) -> int:
        """A value of the facts as the schedulers have it: in minutes, in MiB, or a count."""
        if self.fixed is not None:
            return self.fixed
        return int(getattr(value, {"minute": "minutes", "MiB": "mib"}.get(self.unit, "real")))

    def in_table(self, value: int | Walltime | Memory) -> str:
        """The words of a table's cell for a value of the facts."""
        limit = value.words if isinstance(value, Walltime) else value
        number = f"{limit:,}" if isinstance(limit, int) else limit
        cell = self.cell.removeprefix("up to ") if limit == 1 else self.cell
        return cell.format(limit=limit, amount=f"{number} {self.unit}{'' if limit == 1 else 's'}")


def _is_computed(row: Limit, info: ValidationInfo) -> Limit:
    """Nobody enforces a limit of a quantity that is not computed there."""
    quantities: dict[str, Quantity] | None = info.data.get("quantities")
    if not quantities:
        return row  # what is wrong with them is told
    if row.quantity not in quantities:
        raise ValueError(f"`{row.quantity}` is not a quantity; choose from {', '.join(quantities)}")
    groups = quantities[row.quantity].groups
    if info.field_name not in groups:
        under = " and ".join(f"`{group}:`" for group in groups)
        raise ValueError(
            f"`{row.quantity}` is computed only under {under}; move the row, or compute the quantity in quantities.lua "
            f"and quantities.js for `{info.field_name}:` too, and add that to its `groups:`"
        )
    return row


Rows = dict[str, Annotated[Limit, AfterValidator(_is_computed)]]


class Table(Strict):
    quantities: dict[str, Quantity]
    partitions: Rows
    gpus: Rows
    qos: Rows
    policy: Rows


TABLE, _ = load_model(Path(__file__).with_name("limits.yml"), Table, "See scripts/facts/limits.py.")


def rows(group: Group) -> Rows:
    return getattr(TABLE, group)


def with_limits(group: Group) -> Callable[[type[BaseModel]], type[BaseModel]]:
    """Gives a part of the facts' model a key for each row of its group."""

    def extended(model: type[BaseModel]) -> type[BaseModel]:
        fields = {key: _field(row) for key, row in rows(group).items()}
        same = {"__module__": model.__module__, "__doc__": model.__doc__}
        return create_model(model.__name__, __base__=model, **same, **fields)

    return extended


def _field(row: Limit) -> tuple:
    """Type and default."""
    most = {"at_most": "Maximum", "at_least": "Minimum"}[row.test]
    of = "" if row.unit in TYPES else "number of "
    words = row.description or f"{most} {of}{row.quantity.replace('_', ' ').replace('gpus', 'GPUs')} of one job"
    if row.fixed is not None:
        return Annotated[bool, Field(description=words)], False
    if row.unit in TYPES:
        return Annotated[TYPES[row.unit] | None, Field(description=words)], None
    unit = {"unit": f"{row.unit}s"}
    return Annotated[Count | None, Field(description=words, json_schema_extra=unit)], None


def limits(group: Group, part: BaseModel) -> Iterator[tuple[str, Limit, int]]:
    """The limits that a part of the facts has: key, row, and the number that schedulers compare with."""
    for key, row in rows(group).items():
        value = getattr(part, key)
        if value not in (None, False):
            yield key, row, row.number(value)


def strictest(part: BaseModel, quantity: str, test: Test) -> int | None:
    """The limit that a partition sets to a quantity of a job of any account; None where it sets none."""
    of_any = (None, "no_allocation")
    found = [
        n
        for _, row, n in limits("partitions", part)
        if (row.quantity, row.test) == (quantity, test) and row.only in of_any
    ]
    return (min(found) if test == "at_most" else max(found)) if found else None

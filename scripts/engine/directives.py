"""The options of a script's directives, as the engine reads them."""

from collections.abc import Iterable
from dataclasses import dataclass

from scripts.engine.host import call


@dataclass(frozen=True)
class Option:
    """An option of a live directive.

    name: the long name without dashes, `cpus-per-task`; Grid Engine's `l`, `pe`; of an unknown one what was written.
    written: the words as they stand, `-t 5`. value: what the scheduler gets, without quotes; None if there is none.
    """

    line: int
    name: str
    written: str
    value: str | None


def read(lines: Iterable[str], kind: str) -> list[Option]:
    """All options of the live directives, in their order. `kind` is slurm or grid_engine."""
    (found,) = call("options", [[kind, "\n".join(lines)]])
    return [Option(each["line"], each["name"], each["written"], each["value"]) for each in found]


def last(options: list[Option]) -> dict[str, Option]:
    """The option that counts for each name: the last one."""
    return {option.name: option for option in options}

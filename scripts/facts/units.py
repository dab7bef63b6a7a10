"""Quantities as the facts files write them: memory, walltime, dates. The unit is in the value."""

import datetime
import re
from typing import Annotated, Any

from pydantic import AfterValidator, Field, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema

_MIB = {"MB": 1e6 / 2**20, "GB": 1e9 / 2**20, "TB": 1e12 / 2**20, "MiB": 1, "GiB": 2**10, "TiB": 2**20}


Count = Annotated[int, Field(strict=True, gt=0)]  # strict: `yes` would be 1


def _of_a_scheduler(name: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9_.+:-]+", name):
        raise ValueError(f"`{name}` is not a name that schedulers accept; use letters, digits and `_.+:-` only")
    return name


Name = Annotated[str, AfterValidator(_of_a_scheduler)]  # of a partition, a GPU, a feature


class _Text(str):
    """A string with a fixed form. Subclasses give the pattern, an example, and what the schema names as unit."""

    pattern: str
    example: str
    unit: str

    def __new__(cls, text: str):
        if not isinstance(text, str) or not re.fullmatch(cls.pattern, text):
            raise ValueError(f"{text!r} is not a {cls.__name__.lower()}; write it like {cls.example}")
        return super().__new__(cls, text)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(
            cls, serialization=core_schema.plain_serializer_function_ser_schema(str)
        )

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {"type": "string", "pattern": f"^(?:{cls.pattern})$", "examples": [cls.example], "unit": cls.unit}


class Memory(_Text):
    """Memory or disk, as published: `373 GiB`, `510000 MiB`, `1.5 TB`. `.mib` is the size in MiB (float)."""

    pattern = r"[0-9]+(\.[0-9]+)? (MB|GB|TB|MiB|GiB|TiB)"
    example = "'373 GiB'"
    unit = "in the value"

    @property
    def mib(self) -> float:
        number, unit = self.split()
        return float(number) * _MIB[unit]


class Walltime(_Text):
    """A time limit in Slurm's long form, `days-hours:minutes:seconds`. `.minutes` is its length (float)."""

    pattern = r"(?!0+-00:00:00)[0-9]+-([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"
    example = "'3-00:00:00' (days-hours:minutes:seconds)"
    unit = "days-hours:minutes:seconds"

    @property
    def minutes(self) -> float:
        days, clock = self.split("-")
        hours, minutes, seconds = map(int, clock.split(":"))
        return int(days) * 1440 + hours * 60 + minutes + seconds / 60

    @property
    def words(self) -> str:
        """The same for a reader: `3 days`, `36 hours`, `15 minutes`."""
        total = round(self.minutes * 60)
        for size, unit in ((86400, "day"), (3600, "hour"), (60, "minute"), (1, "second")):
            if total % size == 0 and (total // size > 1 or unit != "day"):
                return f"{total // size} {unit}{'s' if total // size > 1 else ''}"
        raise AssertionError("every whole number of seconds has a form")


class Day(_Text):
    """A date as exact as it is known: `2026-07-31`, `2026-07`, or `2026`."""

    pattern = r"20[0-9]{2}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?"
    example = "'2026-07-31' (or '2026-07', if the day is not known)"
    unit = "date"

    def __new__(cls, text: str | int):
        date = super().__new__(cls, str(text) if type(text) is int else text)  # a year
        try:
            datetime.date.fromisoformat(f"{date}-01-01"[:10])
        except ValueError:
            raise ValueError(f"{text!r} is not a day of the calendar; write it like {cls.example}") from None
        return date


class Date(Day):
    """A day of the calendar, `2026-12-01`. `.words` is the same for a reader."""

    pattern = r"20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
    example = "'2026-12-01'"

    @property
    def words(self) -> str:
        date = datetime.date.fromisoformat(self)
        return f"{date:%B} {date.day}, {date.year}"


def day(date: str) -> str:
    """A date for readers: `July 31, 2026`, or `July 2026` where the day is not known, or the year."""
    return Date(date).words if date[7:] else Date(f"{date}-01").words.replace(" 1,", "") if date[4:] else date


def today() -> Date:
    return Date(datetime.date.today().isoformat())

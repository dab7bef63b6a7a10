"""How pages spell a fact's number: `3-00:00:00` is `3 days` or `72 hours` there, `373 GiB` may be `373G`."""

from __future__ import annotations

import datetime
import re
from functools import cache

WALLTIME = re.compile(r"(?:(\d+)-)?(\d+):(\d\d):(\d\d)$")
MEMORY = re.compile(r"(\d+(?:\.\d+)?) ([KMGTP])(i?)B$")
DAY = re.compile(r"\d{4}-\d\d-\d\d$")
NUMBER = re.compile(r"(?<![\w.])\d[\d.:/-]*\d|(?<![\w.])\d{2,}")
THOUSANDS = re.compile(r"(?<=\d)[,\u202f\u2009' ](?=\d{3}(?!\d))")
MINUTES = {"minutes?": 1, "min": 1, "m": 1, "hours?": 60, "hrs?": 60, "h": 60, "days?": 1440, "d": 1440}
SIZES = "KMGTP"


def plain(line: str) -> str:
    """The line with `247,000` as `247000`."""
    return THOUSANDS.sub("", line)


def holds(line: str, value: str) -> bool:
    """Does the line spell this value of a fact? A value in words is there if one of its numbers is."""
    return bool((pattern := _pattern(value)) and pattern.search(plain(line)))


@cache
def _pattern(value: str) -> re.Pattern[str] | None:
    ways = spellings(value)
    if not ways:
        return None
    return re.compile(rf"(?<![\w.,:-])(?:{'|'.join(ways)})(?![\w:]|[.,-]\d)", re.IGNORECASE)


def spellings(value: str) -> list[str]:
    """Patterns, one for each way in which a page may write this value; none where it has no number."""
    if found := WALLTIME.match(value):
        days, hours, minutes, seconds = (int(part or 0) for part in found.groups())
        return _times((days * 24 + hours) * 60 + minutes, seconds)
    if found := MEMORY.match(value):
        return _sizes(float(found[1]), SIZES.index(found[2]), bool(found[3]))
    if DAY.match(value):
        return _days(datetime.date.fromisoformat(value))
    if re.fullmatch(r"\d+", value):
        return [value]
    return [re.escape(number) for number in NUMBER.findall(plain(value))]


def _times(minutes: int, seconds: int) -> list[str]:
    hours, rest = divmod(minutes, 60)
    days = hours // 24
    ways = [rf"0*{hours}:{rest:02}:{seconds:02}", rf"0*{days}-0*{hours % 24}(?::{rest:02}(?::{seconds:02})?)?"]
    if not seconds:
        ways += [f"{minutes // size}[ -]?{unit}" for unit, size in MINUTES.items() if minutes % size == 0]
    return ways


def _sizes(number: float, scale: int, binary: bool) -> list[str]:
    """In this unit and its neighbours, with `iB` or without, as pages have it; and bare, as in a column."""
    step, ways = 1024 if binary else 1000, []
    for other in range(len(SIZES)):
        if (same := number * float(step) ** (scale - other)) == int(same) and 1 <= same < 10_000_000:
            ways.append(rf"{int(same)}[ -]?{SIZES[other]}(?:i?B)?")
    return [*ways, *([f"{number:g}"] if number >= 10 else [])]


def _days(day: datetime.date) -> list[str]:
    month = f"(?:{day:%B}|{day:%b}\\.?)"
    year = rf"(?:,? {day.year})?"
    return [
        day.isoformat(),
        rf"{day.day}(?:st|nd|rd|th)? (?:of )?{month}{year}",
        rf"{month} {day.day}(?:st|nd|rd|th)?{year}",
    ]

"""Records that are a table: a CSV file, a row each. What is empty has its default."""

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from scripts.models import Strict

Row = TypeVar("Row", bound=Strict)


def read_rows(path: Path, model: type[Row]) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as file:
        return [model(**{key: value for key, value in row.items() if value}) for row in csv.DictReader(file)]


def write_rows(path: Path, rows: Sequence[Strict]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, type(rows[0]).model_fields, lineterminator="\n")
        writer.writeheader()
        writer.writerows(row.model_dump() for row in rows)

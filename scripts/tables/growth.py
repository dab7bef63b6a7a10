"""How a site grows with the number of its systems: what `python -m tests.site.growth` measured."""

from statistics import median

from pydantic import Field

from scripts.markdown import table
from scripts.models import Strict, load_model
from scripts.paths import MEASURED


class Size(Strict):
    """A site of so many made-up systems: the processor's seconds in each round, and bytes."""

    systems: int
    build: list[float] = Field(description="Build, processor time")
    check: list[float] = Field(description="Check of one script, processor time")
    server: list[float] = Field(description="Server for assistants: start and list of systems, processor time")
    answer: int = Field(description="Size of that list of systems")
    page: int = Field(description="First view of a system's page, compressed")
    tool: int = Field(description="First view of the job script tool, compressed")
    verdict: int = Field(description="The tool with its first verdict, compressed")
    search: int = Field(description="First search, compressed")
    api: int = Field(description="The whole API")


class Growth(Strict):
    sizes: list[Size]


def growth() -> str:
    """A column for each number of systems, with the median of the rounds."""
    found, _ = load_model(MEASURED / "growth.yml", Growth, "Measure again: python -m tests.site.growth.")

    def cell(value: list[float] | int) -> str:
        return f"{median(value):.1f} s" if isinstance(value, list) else f"{value / 1000:,.0f} kB"

    words = {name: field.description for name, field in Size.model_fields.items() if name != "systems"}
    rows = [(words[name], *(cell(getattr(each, name)) for each in found.sizes)) for name in words]
    return table(("Quantity", *(f"{each.systems} systems" for each in found.sizes)), rows)

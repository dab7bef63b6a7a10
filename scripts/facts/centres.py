"""Those who run the systems: `snippets/centres.yml`, in the guide's order."""

from pathlib import Path

from pydantic import Field, RootModel

from scripts.models import Strict, load_model
from scripts.paths import FACTS, OURS

NAME = "centres.yml"
FILE = FACTS / NAME


class Centre(Strict):
    """A centre, as readers know it."""

    name: str = Field(description="In lists and in the navigation")
    where: str = Field(description="State or country")


class Centres(RootModel[dict[str, Centre]]):
    """Key (the name of its page) -> centre."""


def load_centres(file: Path = FILE) -> dict[str, Centre]:
    """Every centre by key; none if a collection does not list its own. Raises BadInput with file, line and cure."""
    if (not OURS or file != FILE) and not file.exists():
        return {}
    return load_model(file, Centres, "Each line is `key: {name: …, where: …}`.")[0].root

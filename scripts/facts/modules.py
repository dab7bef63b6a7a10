"""Names of modules that are alike on many systems, in `modules.yml`."""

from pathlib import Path

from scripts.models import Strict, load_model

FILE = Path(__file__).with_name("modules.yml")


class Modules(Strict):
    """Names, as `modules.yml` explains them; those of a row are apart by blanks."""

    common: str
    inside: str
    builds: dict[str, str]
    toolchains: dict[str, str]
    unmounted: dict[str, str]
    archives: dict[str, str]
    stacks: dict[str, str]
    variables: dict[str, str]
    licensed: str
    open_mpi: str
    same: list[str]
    interfaces: dict[str, str]
    pins: dict[str, str]


def load_modules() -> Modules:
    """Raises BadInput as load_model."""
    return load_model(FILE, Modules, "Compare with another row.")[0]

"""What the guide knows of its programs beside their text: how the tests run them, which packages they need.

It stands in `snippets/programs/programs.yml`, so that readers copy programs without lines for our tests.
`python -m scripts.programs matmul.py` prints the arguments for a run at small size.
"""

import ast
import re
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Literal

from scripts.errors import BadInput, parser_of, refuse, run
from scripts.models import Strict, load_model
from scripts.paths import PROGRAMS, shown

FILE = PROGRAMS / "programs.yml"
OMITTED = "…"  # in a shown output, where a time would show nothing, or the opposite of the lesson
TIME = re.compile(r"[\d.,]+(?= (?:s|ms|us|TFLOP/s|GB/s|samples/s|pictures/s)\b)|(?<=Take )\d+")
ON_GPU = PROGRAMS / "gpu"  # what the programs print at full size on a GPU
TORCHRUN = ["torchrun", "--standalone", "--nproc-per-node"]


class Run(Strict):
    """How the tests run a program: at small size, and with what in place of what is not there.

    full: its arguments on a GPU.
    """

    arguments: str = ""
    full: str = ""
    needs: list[Literal["gpu", "simulator", "torchvision", "cifar10", "torchrun", "compiler", "language_model"]] = []

    @property
    def starter(self) -> list[str]:
        """What a reader types before the program's name, to run it as the tests do."""
        return [*TORCHRUN, "2"] if "torchrun" in self.needs else ["python3"]

    @property
    def words(self) -> str:
        return " ".join([self.arguments, *(f"({need})" for need in self.needs)]).strip()


class Programs(Strict):
    runs: dict[str, Run]
    packages: dict[str, str]


def load(path: Path = FILE) -> Programs:
    """The file. Raises BadInput for every fault, also for a run of a program that is not there."""
    return _load(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=1)  # pages ask for it one after the other
def _load(path: Path, changed: int) -> Programs:
    found, lines = load_model(path, Programs, "See scripts/programs.py for what may stand here.")
    gone = [name for name in found.runs if not path.with_name(name).is_file()]
    cure = "Remove the line."
    refuse([BadInput(shown(path), lines["runs", name], f"there is no program {name}.", cure) for name in gone])
    return found


def run_of(program: str) -> Run:
    """How the tests run the program of this file name; as it stands, if nothing is said."""
    return load().runs.get(program, Run())


def packages(program: Path) -> list[str]:
    """The packages that a program imports beside Python's own and its neighbours, in the order of their names.

    Raises BadInput for an import whose package is not known.
    """
    known, found = load().packages, set()
    for name, line in _imports(program):
        top, parts = name.partition(".")[0], name.split(".")
        if top in sys.stdlib_module_names or program.with_name(f"{top}.py").is_file():
            continue
        if top not in known:
            what = f"no package is known for `import {top}`."
            raise BadInput(shown(program), line, what, f"Add it to {shown(FILE)}.")
        found |= {known[part] for end in range(len(parts)) if (part := ".".join(parts[: end + 1])) in known}
    return sorted(found)


def _imports(program: Path) -> Iterator[tuple[str, int]]:
    """Dotted names that a program imports, with their lines; `from a import b` gives `a.b`."""
    for node in ast.walk(ast.parse(program.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from ((f"{node.module}.{alias.name}", node.lineno) for alias in node.names)


def main() -> None:
    parser = parser_of("python -m scripts.programs", __doc__)
    parser.add_argument("program", help="a file name")
    print(run_of(parser.parse_args().program).arguments)


if __name__ == "__main__":
    run(main)

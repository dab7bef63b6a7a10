"""The scripts that install all the programs' packages: nothing is left out but what the page says."""

import re

import pytest

from scripts.paths import DOCS, SNIPPETS
from scripts.programs import load

SOFTWARE = SNIPPETS / "software"
PAGE = (DOCS / "learn/everything.md").read_text(encoding="utf-8")
GIVEN = {"torch", "torchvision", "numpy"}  # by the module or the container below
NOT_IN_IT = {
    "conda_everything.sh": set(),
    "wheelhouse_everything.sh": set(),
    "module_everything.sh": GIVEN | {"jax"},
    "container_everything.sh": GIVEN | {"numba", "numba-cuda", "cupy", "nvidia-ml-py"},
    "everything.def": GIVEN | {"jax"},
}


def installed(script: str) -> set[str]:
    """What the script's installing command names, by the names of programs.yml."""
    text = re.sub(r"(?m)#.*$", "", (SOFTWARE / script).read_text(encoding="utf-8")).replace("\\\n", " ")
    command = re.findall(r"(?m)(?:conda create|pip install)\s+(.*)$", text)[-1]
    names = {re.split(r"[\[=]", word.strip('"'))[0] for word in command.split()}
    same = {"pytorch-gpu": "torch", "cupy-cuda12x": "cupy", "cupy-cuda${cuda}x": "cupy"}
    return {same.get(name, name) for name in names}


@pytest.mark.parametrize("script", NOT_IN_IT)
def test_every_package_of_the_programs_is_installed(script):
    assert {*load().packages.values()} - installed(script) == NOT_IN_IT[script]


def test_no_script_is_forgotten():
    assert {path.name for path in SOFTWARE.glob("*everything*")} == set(NOT_IN_IT)


@pytest.mark.parametrize("script", [name for name in NOT_IN_IT if name.endswith(".sh")])
def test_the_page_says_what_is_not_in_it(script):
    part = next(part for part in PAGE.split("\n## ") if f"snippets/software/{script}" in part)
    address = re.search(r"\{ (#[\w-]+)", part.partition("\n")[0])[1]
    (row,) = [line for line in PAGE.splitlines() if line.startswith("|") and f"({address})" in line]
    named = re.sub(r"numba's kernels", "numba numba-cuda", row.lower())
    missing = {name for name in NOT_IN_IT[script] - GIVEN if not re.search(rf"\b{name}\b", named)}
    assert missing == set(), f"say in the table that {script} does not install it"

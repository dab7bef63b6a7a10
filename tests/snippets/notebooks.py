"""Run a notebook as its reader would, from the first cell to the last: empty folder, clean environment, time limit."""

import tempfile
from base64 import b64decode, b64encode
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from PIL import Image

from tests.snippets.sandbox import LIMIT_SECONDS, environment_in, normalised

KEPT = ("tags", "alt")  # of a cell's metadata; the rest is a run's, such as its times


class CellFailed(Exception):
    """A cell ends in an error; the message says which cell, and what it said."""


def run(page: Path):
    """The notebook with the outputs of a run, tidied. Raises CellFailed."""
    notebook = nbformat.read(page, as_version=4)
    with tempfile.TemporaryDirectory(prefix="notebook-") as folder:
        client = NotebookClient(
            notebook,
            timeout=LIMIT_SECONDS,
            kernel_name="python3",
            coalesce_streams=True,
            resources={"metadata": {"path": folder}},
        )
        environment = environment_in(Path(folder), notebook.metadata.guide.get("needs", ""))
        try:
            client.execute(env=environment)
        except CellExecutionError as fault:
            raise CellFailed(f"cell {_failed(notebook)}: {fault.ename}: {fault.evalue}") from None
    return tidied(notebook)


def _failed(notebook) -> int:
    errors = [any(output.output_type == "error" for output in cell.get("outputs", [])) for cell in notebook.cells]
    return errors.index(True) + 1


def tidied(notebook):
    """Without what differs from run to run: counters, times of the run, and the outputs of cells that print times."""
    for cell in notebook.cells:
        cell.metadata = {name: value for name, value in cell.metadata.items() if name in KEPT}
        if cell.cell_type == "code":
            cell.execution_count = None
            for output in cell.outputs:
                if "image/png" in output.get("data", {}):
                    output.data.pop("image/jpeg", None)  # the same picture again
                    output.data["image/png"] = light(output.data["image/png"])
                if output.output_type == "execute_result":
                    output.execution_count = None
            if "times" in cell.metadata.get("tags", []):
                cell.outputs = []
    notebook.metadata.language_info = {"name": "python"}
    return notebook


def light(png: str) -> str:
    """The picture (base64) in 64 colours: a plot needs no more, and its page is a third as heavy."""
    packed = BytesIO()
    picture = Image.open(BytesIO(b64decode(png))).convert("RGB")
    picture.quantize(64, dither=Image.Dither.NONE).save(packed, "PNG", optimize=True)
    return b64encode(packed.getvalue()).decode()


def differs(shown, now) -> str | None:
    """What the page shows other than a run gives, numbers and pictures' points aside; None if they agree."""
    for number, (old, new) in enumerate(zip(shown.cells, now.cells, strict=True), 1):
        if old.cell_type == "code" and (first := [*_told(old)]) != (second := [*_told(new)]):
            return f"cell {number}: the page shows {first}, a run gives {second}"
    return None


def _told(cell) -> Iterator[str]:
    for output in cell.outputs:
        if output.output_type == "stream":
            yield f"{output.name}: {normalised(output.text)}"
        else:
            for kind, data in sorted(output.get("data", {}).items()):
                yield f"{kind}: {normalised(data)}" if kind.startswith("text/") else kind

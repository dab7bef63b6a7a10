"""Make the notebook page from its source: run every cell, keep the output.

`snippets/notebooks/NAME.py` (jupytext's percent format) becomes `docs/learn/NAME.ipynb`, which readers download, and
from that `snippets/made/notebooks/NAME.md`, which `docs/learn/NAME.md` includes: a page like any other, so building
the site runs nothing and needs nothing of Jupyter. `--check` runs nothing either: it fails if the cells are not those
of the source, or the page not the notebook's.
"""

from __future__ import annotations

import argparse
import os
import re
import tempfile
from pathlib import Path

from scripts.errors import BadInput, run
from scripts.paths import DOCS, MADE, ROOT, SNIPPETS
from scripts.tables import made

SOURCES = SNIPPETS / "notebooks"
PARTS = MADE / "notebooks"
PAGES = DOCS / "learn"


def read(source: Path):
    """The notebook of a source, not yet run, with ids that stay the same from run to run."""
    import jupytext

    notebook = jupytext.read(source)
    for number, cell in enumerate(notebook.cells, 1):
        cell["id"], cell["metadata"] = f"cell-{number}", {}
    notebook["metadata"] = {
        "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
        "language_info": {"name": "python"},
    }
    notebook["nbformat"], notebook["nbformat_minor"] = 4, 5
    return notebook


def differs(source: Path, page: Path) -> bool:
    """Are the page's cells other than the source's? Outputs are not compared."""
    import nbformat

    if not page.exists():
        return True
    shown = nbformat.read(page, as_version=4)
    return [(c.cell_type, c.source) for c in shown.cells] != [(c.cell_type, c.source) for c in read(source).cells]


def as_markdown(notebook) -> str:
    """The cells as a part of a page.

    The title is the page's own; links between pages end with .md there; output stands below its cell.
    """
    parts = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            text = re.sub(r"\A# .*\n+", "", cell.source).replace("<details>", "<details markdown>")
            parts.append(re.sub(r"(\]\((?!\w+:)[^)]*)\.html", r"\1.md", text))
        else:
            parts.append(f"```python\n{cell.source}\n```")
            if output := "".join(output.get("text", "") for output in cell.outputs):
                parts.append(f"```text\n{output.rstrip()}\n```")
    return "\n\n".join(parts) + "\n"


def execute(notebook) -> None:
    """Run all cells in an empty folder. Raises nbclient's CellExecutionError for the first that fails."""
    from nbclient import NotebookClient

    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    with tempfile.TemporaryDirectory() as folder:
        NotebookClient(notebook, timeout=240, kernel_name="python3", resources={"metadata": {"path": folder}}).execute()
    for cell in notebook.cells:
        cell["metadata"] = {}  # time stamps of the run


def main() -> int:
    import nbformat

    parser = argparse.ArgumentParser(prog="python -m scripts.site.notebook", description=__doc__)
    parser.add_argument("--check", action="store_true", help="run nothing; fail if a page differs from its source")
    check = parser.parse_args().check
    for source in sorted(SOURCES.glob("*.py")):
        page, part = PAGES / f"{source.stem}.ipynb", PARTS / f"{source.stem}.md"
        if check:
            if differs(source, page):
                raise BadInput(
                    page.relative_to(ROOT),
                    None,
                    f"its cells are not those of {source.relative_to(ROOT)}.",
                    "Run `make notebook`.",
                )
            if not part.exists() or part.read_text(encoding="utf-8") != as_markdown(nbformat.read(page, as_version=4)):
                raise BadInput(
                    part.relative_to(ROOT),
                    None,
                    f"it is not what {page.relative_to(ROOT)} shows.",
                    "Run `make notebook`.",
                )
            continue
        notebook = read(source)
        execute(notebook)
        nbformat.write(notebook, page)
        part.write_text(as_markdown(notebook), encoding="utf-8")
        made.notebook(source).stamp()
        print(f"wrote {page.relative_to(ROOT)} and {part.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    run(main)

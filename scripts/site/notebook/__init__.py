"""A notebook as a page: `docs/**/*.ipynb` is the source, run by the tests, shown by mkdocs-jupyter.

The plugin's own template brings half a megabyte of styles, and leaves the guide's Markdown extensions out. Ours, in
mkdocs_html/ beside this, gives the page's Markdown instead, and hook.py lets MkDocs render that like any other page's.

What a notebook says for the guide: `metadata.guide.description`, and `metadata.guide.unrun`, what the tests cannot run;
a cell's tag `times` (what it prints differs from run to run, so its output is not kept); `metadata.alt` of a cell that
draws, the picture in words. A cell that is an include line holds what is made of the facts, also when it is downloaded.
"""

import base64
import json
import re
from functools import cache
from html import unescape
from pathlib import Path
from struct import unpack

from markdown import Markdown

from scripts.errors import BadInput
from scripts.markdown import INCLUDE
from scripts.paths import MADE, ROOT, shown

TEMPLATES = Path(__file__).parent
TITLE = re.compile(r"\A# .+")
ATTACHED = re.compile(r"!\[(?P<alt>[^\]]*)\]\(attachment:(?P<name>[^)]+)\)")
RELATIVE = re.compile(r"\]\((?!https://|attachment:|#)(?P<address>[^)]*)\)")
TIMES = "*The times depend on the machine. Run this cell to see your own times.*"
WORDS_CELL, CODE_CELL = " cell of words ", " cell of code "  # comments on the page, by which it becomes slides
BUTTON = "{: .md-button .md-button--primary }"
PICTURE = re.compile(r"!\[(?P<alt>[^\]]*)\]\(data:[^)]*\)(\{[^}]*\})?")


class Unfit(ValueError):
    """What a page cannot show; the message says what, the cure what to do."""

    def __init__(self, what: str, cure: str):
        super().__init__(what)
        self.cure = cure


def read(page: Path):
    """The notebook. Raises BadInput for a file that is none, and for what its page would lose or could not show."""
    import nbformat

    try:
        notebook = nbformat.read(page, as_version=4)
        nbformat.validate(notebook)
    except (ValueError, nbformat.ValidationError, nbformat.reader.NotJSONError) as fault:
        what = f"this is not a notebook: {str(fault).splitlines()[0]}"
        raise BadInput(shown(page), None, what, "Save it again with Jupyter.") from None
    try:
        _check_whole(notebook)
    except Unfit as fault:
        raise BadInput(shown(page), 1, str(fault), fault.cure) from None
    for number, cell in enumerate(notebook.cells, 1):
        try:
            _fill(cell)
            cell_of(cell)
        except Unfit as fault:
            raise BadInput(shown(page), _line(page, cell), f"cell {number}: {fault}", fault.cure) from None
    return notebook


def _check_whole(notebook) -> None:
    if not notebook.metadata.get("guide", {}).get("description"):
        raise Unfit("it does not say what it is about.", "Write `guide: {description: …}` into its metadata.")
    if not notebook.cells or not TITLE.match(notebook.cells[0].source):
        raise Unfit("its first cell has no title.", "Begin it with `# Title`.")


def _fill(cell) -> None:
    """Put what an include line names into the cell, so that it is there when the notebook is downloaded, too."""
    if cell.cell_type == "markdown" and (include := INCLUDE.fullmatch(cell.source)):
        if not (file := ROOT / include["path"]).is_file():
            raise Unfit(f"there is no file {include['path']} to include.", "Correct the path, or run `make tables`.")
        cell.source, cell.metadata["made"] = file.read_text(encoding="utf-8").strip(), True


def _line(page: Path, cell) -> int | None:
    lines = page.read_text(encoding="utf-8").splitlines()
    return next((number for number, line in enumerate(lines, 1) if f'"id": "{cell.get("id")}"' in line), None)


def words(cell) -> str:
    """A cell of Markdown, its attached pictures in it. What is closed in Jupyter is closed on the page."""

    def attached(picture: re.Match) -> str:
        held = cell.get("attachments", {}).get(picture["name"], {})
        if "image/png" not in held:
            raise Unfit(f"the picture {picture['name']} is not attached as a PNG.", "Drop the file into the cell.")
        if not picture["alt"]:
            raise Unfit(
                f"the picture {picture['name']} has no words for those who cannot see it.", "Write ![words](…)."
            )
        return _png(held["image/png"], picture["alt"])

    text = ATTACHED.sub(attached, cell.source).strip()
    if alone := RELATIVE.search(cell.source):
        what = f"`{alone['address']}` leads nowhere after the notebook is downloaded."
        raise Unfit(what, "Attach the picture, or name the guide's page in words.")
    text = text.replace("<details><summary>Answer", '<details class="question"><summary>Answer')
    return text.replace("<details", "<details markdown")


def output_of(output, cell) -> str:
    """One output as Markdown: text, a table, or a picture. Raises Unfit for any other."""
    if output.output_type == "stream" and output.name == "stdout":
        return _text(output.text)
    if output.output_type not in ("execute_result", "display_data"):
        what = {"stream": "it writes a warning", "error": "it ends in an error"}[output.output_type]
        raise Unfit(f"{what}, which a page does not show.", "Correct the cell, then run `make outputs`.")
    data = output.data
    if "text/markdown" in data:
        return _joined(data["text/markdown"])
    if "text/html" in data:
        return _table(_joined(data["text/html"]))
    if "image/png" in data:
        if not cell.metadata.get("alt"):
            raise Unfit("its picture has no words for those who cannot see it.", "Write them as `alt` in its metadata.")
        return _png(_joined(data["image/png"]), cell.metadata.alt)
    if set(data) == {"text/plain"}:
        return _text(_joined(data["text/plain"]))
    raise Unfit(f"its output is {', '.join(sorted(data))}, which a page cannot show.", "Show text, a table or a PNG.")


def _joined(text: str | list[str]) -> str:
    return text if isinstance(text, str) else "".join(text)


def _text(text: str) -> str:
    ticks = "`" * max(3, *(len(found) + 1 for found in re.findall("`+", text)), 3)
    return f"{ticks}text\n{text.rstrip()}\n{ticks}"


def _png(data: str, alt: str) -> str:
    """With its size, so that nothing on the page moves when it is drawn."""
    data = "".join(data.split())
    width, height = unpack(">II", base64.b64decode(data)[16:24])
    return f'![{alt}](data:image/png;base64,{data}){{ width="{width}" height="{height}" }}'


def _table(html: str) -> str:
    from bs4 import BeautifulSoup

    from scripts.markdown import table

    soup = BeautifulSoup(html, "html.parser")
    tables = soup.find_all("table")
    if len(tables) != 1 or soup.select("[colspan], [rowspan], img, table table"):
        raise Unfit("its output in HTML is not one plain table.", "Show text, a table or a PNG.")
    for style in soup.find_all("style"):
        style.decompose()
    if [*soup.stripped_strings] != [*tables[0].stripped_strings]:
        raise Unfit("its output in HTML has text beside its table, which would be lost.", "Print that text.")
    rows = [[cell.get_text(" ", strip=True) for cell in row.select("th, td")] for row in tables[0].select("tr")]
    return table(rows[0], rows[1:])


def download(page: Path) -> str:
    """What stands below the title: the file, and how it was checked."""
    from scripts.evidence import records
    from scripts.evidence.line import EvidenceLines

    line, trust = EvidenceLines(Markdown(), records.read()).line(str(shown(page)))
    checked = line.rpartition("[")[0].strip()
    told = f"\n{checked}\n{{: .evidence {trust}}}\n" if checked else ""
    return f"[Download this notebook]({page.name}){BUTTON}\n{told}"


def cell_of(cell) -> list[str]:
    """A cell as Markdown, in parts that an empty line divides. Raises Unfit for what a page cannot show."""
    if cell.cell_type == "markdown" and "made" in cell.metadata:
        # In a <section>, since the search's plugin ends what it leaves out at the first end of the same tag.
        return ["<section markdown data-search-exclude>", words(cell), "</section>"]
    if cell.cell_type == "markdown":
        return [words(cell)]
    if cell.cell_type != "code":
        raise Unfit(f"a page shows no {cell.cell_type} cell.", "Make it Markdown or code.")
    times = [TIMES] if "times" in cell.metadata.get("tags", []) else []
    return [f"```python\n{cell.source}\n```", *(output_of(output, cell) for output in cell.outputs), *times]


def _marked(cell) -> list[str]:
    return [f"<!--{CODE_CELL if cell.cell_type == 'code' else WORDS_CELL}-->", *cell_of(cell)]


def use_template() -> None:
    """Tell mkdocs-jupyter where our template is, and the template its filter; there are no options for them."""
    from mkdocs_jupyter.config import settings
    from nbconvert.exporters.templateexporter import default_filters

    settings.templates_dir = str(TEMPLATES)
    default_filters["guide_page"] = lambda about: as_markdown(
        Path(about["path"] or ".", f"{about['name']}.ipynb").resolve()
    )


def from_template(html: str) -> str:
    """The Markdown in what mkdocs-jupyter made of a notebook; it adds a <style> of its own at the end."""
    return unescape(html.partition("<style>")[0]).strip() + "\n"


def as_markdown(page: Path) -> str:
    """The whole page, its front matter too, as a page in Markdown would be written. Raises BadInput as read() does."""
    stamp = MADE.with_suffix(".lock")  # as old as what was made
    return _as_markdown(page, page.stat().st_mtime_ns, stamp.stat().st_mtime_ns if stamp.exists() else 0)


@cache
def _as_markdown(page: Path, changed: int, made: int) -> str:
    notebook = read(page)
    title, *cells = (_marked(cell) for cell in notebook.cells)
    told = json.dumps(notebook.metadata.guide.description, ensure_ascii=False)
    parts = [f"---\ndescription: {told}\n---", *title[1:], download(page), *(part for cell in cells for part in cell)]
    return "\n\n".join(parts) + "\n"


def plain(text: str, name: str) -> str:
    """For a copy in plain Markdown: no button, and of a picture what it shows, in words, and where it is."""
    text = text.replace(BUTTON, "").replace(f"<!--{WORDS_CELL}-->\n\n", "").replace(f"<!--{CODE_CELL}-->\n\n", "")
    return PICTURE.sub(lambda picture: f"*Picture, in [the notebook]({name}): {picture['alt']}*", text)

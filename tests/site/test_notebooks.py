"""Notebooks as pages: whole when downloaded, nothing of them lost on the page, and what a page cannot show refused."""

import ast
import base64
import re

import nbformat
import pytest
from nbformat import v4

from scripts import facts
from scripts.errors import BadInput
from scripts.paths import DOCS, SNIPPETS
from scripts.site import notebook
from scripts.site.after import pictures
from scripts.site.listings import FileNames
from tests.site.pages import NOTEBOOKS, TEXT, html_of
from tests.snippets import notebooks

each_notebook = pytest.mark.parametrize("page", NOTEBOOKS, ids=lambda page: page.stem)
WORKSHOP = [page for page in NOTEBOOKS if page.parent.name == "workshop"]
PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes([0, 0, 0, 30, 0, 0, 0, 20]) + b"rest").decode()
ROWS = "<thead><tr><th></th><th>a</th></tr></thead><tr><th>0</th><td>1</td></tr>"
TABLE = f"<div><style>.x {{}}</style><table>{ROWS}</table></div>"


def planted(folder, *cells, **guide):
    book = v4.new_notebook(cells=[v4.new_markdown_cell("# A title"), *cells])
    book.metadata = {"kernelspec": {"name": "python3", "display_name": "x"}, "guide": {"description": "It."} | guide}
    for number, cell in enumerate(book.cells, 1):
        cell["id"] = f"cell-{number}"
    path = folder / "planted.ipynb"
    path.write_text(nbformat.writes(book), encoding="utf-8")
    return path


def shows(*outputs, **metadata):
    return v4.new_code_cell("1", outputs=list(outputs), metadata=metadata)


def data(**kinds):
    return v4.new_output("display_data", {name.replace("_", "/"): text for name, text in kinds.items()})


def test_pictures_keep_their_place_and_those_of_a_notebook_become_files(tmp_path):
    (tmp_path / "a.svg").write_text('<svg viewBox="0 0 300.4 200">', encoding="utf-8")
    page = tmp_path / "x.html"
    page.write_text(f'<img alt="a" src="a.svg"><img src="data:image/png;base64,{PNG}">' * 2, encoding="utf-8")
    pictures.write(tmp_path)
    html = page.read_text(encoding="utf-8")
    assert html.count('<img alt="a" width="300" height="200" src="a.svg">') == 2
    assert re.findall(r'src="(x.*?)"', html) == ["x-1.png", "x-2.png"]
    assert (tmp_path / "x-2.png").read_bytes() == base64.b64decode(PNG)


@pytest.mark.parametrize("name, titled", [("a.sh", True), ("a.py", True), ("a.yml", True), ("a.out", False)])
def test_a_file_is_shown_with_its_name(name, titled):
    fence, include = "```text", f'--8<-- "snippets/x/{name}"'
    assert FileNames(None).run([fence, include, "```"])[0] == fence + f' title="{name}"' * titled
    assert FileNames(None).run(['```text title="b"', include, "```"])[0] == '```text title="b"'


def test_one_line_installs_what_the_certificate_needs():
    """The line for a learner's own machine, and Jupyter with it."""
    page = (DOCS / "learn/everything.md").read_text("utf-8")
    (line,) = re.findall(r"^pip install (torch .*)", page.partition("## Your own machine, without a GPU")[2], re.M)
    program = (SNIPPETS / "programs/certificate.py").read_text("utf-8")
    needed = ast.literal_eval(re.search(r"^needed = (.*)", program, re.M)[1])
    assert {*needed, "jupyterlab"} <= {*line.split()}


@pytest.mark.parametrize("page", WORKSHOP, ids=lambda page: page.stem)
def test_what_only_linux_has_is_guarded(page):
    """Learners' laptops have macOS and Windows: `sched_getaffinity` in a `try`, a fork only where workers are."""
    code = "\n".join(cell.source for cell in notebook.read(page).cells if cell.cell_type == "code")
    code = re.sub(r"^try:\n.*sched_getaffinity.*\nexcept AttributeError:.*\n", "", code, flags=re.M)
    assert not re.search(r"sched_getaffinity|os\.fork|/proc/|import resource", code)
    assert '"fork"' not in code or 'workers = NUM_WORKERS if sys.platform == "linux" else 0' in code


@each_notebook
def test_each_output_stands_on_the_page(page, pages):
    """Every line of text, every table with its caption, every picture with its words and its size."""
    built = pages[html_of(page)]
    codes = [code.text_content() for code in built.cssselect("article pre > code")]
    pictures = [picture.get("alt") for picture in built.cssselect("article img")]
    for cell in notebook.read(page).cells:
        if cell.cell_type == "code":
            assert cell.source + "\n" in codes
        for output in cell.get("outputs", []):
            if output.output_type == "stream":
                assert output.text.rstrip() + "\n" in codes
            elif "image/png" in output.data:
                assert cell.metadata.alt in pictures
            elif "text/markdown" in output.data:
                assert built.cssselect("article table caption")
    assert all(picture.get("width") and picture.get("height") for picture in built.cssselect("article img"))


@each_notebook
def test_a_notebooks_page_is_as_light_as_others(page, pages, site):
    """Without the styles and scripts that Jupyter's own HTML brings."""
    built = pages[html_of(page)]
    assert not built.cssselect("article style, article script, [style], [class*=jp-]")
    (link,) = built.cssselect(f'article a[href="{page.name}"][download]')
    assert link.text_content() == "Download this notebook"
    assert nbformat.read(site / page.relative_to(DOCS), as_version=4) == notebook.read(page)


@pytest.mark.parametrize("page", WORKSHOP, ids=lambda page: page.stem)
def test_a_workshops_notebook_has_tasks_with_closed_answers(page):
    text = TEXT[page]
    asked = len(re.findall(r"(?m)^\*\*(?:Try|Ask yourself)", text))
    assert asked >= 2 and text.count('<details markdown class="question"><summary>Answer</summary>') == asked


@each_notebook
def test_no_time_is_shown_that_a_clock_of_ours_gave(page):
    """Such a cell has the tag `times`, and no output. A limit that is worked out is no clock's."""
    for cell in notebook.read(page).cells:
        if "times" in cell.metadata.get("tags", []):
            assert cell.outputs == []
        for output in cell.get("outputs", []):
            if re.search(r"\d (?:[mu]?s|images/s)\b", output.get("text", "")):
                assert "bytes/s" in cell.source and "perf_counter" not in cell.source, cell.source


def test_every_system_that_runs_has_its_way_into_jupyter():
    clusters = facts.load_all()
    page = DOCS / "workshop/set-up.ipynb"
    for cluster in clusters.values():
        assert (f"<summary>{cluster.name}</summary>" in TEXT[page]) == cluster.running, cluster.key


def test_what_a_page_can_show_is_shown_as_it_is(tmp_path):
    code = v4.new_code_cell("a = 1 < 2 & 3\n\n\nb = '&lt;'")
    more = shows(data(text_html=TABLE), data(image_png=PNG), v4.new_output("stream", text="```\n<b>"), alt="A plot")
    timed = v4.new_code_cell("print(1)", metadata={"tags": ["times"]})
    text = notebook.as_markdown(planted(tmp_path, code, more, timed))
    assert '---\ndescription: "It."\n---\n' in text and "[Download this notebook](planted.ipynb)" in text
    assert "```python\na = 1 < 2 & 3\n\n\nb = '&lt;'\n```" in text
    assert "|  | a |\n| --- | --- |\n| 0 | 1 |" in text
    assert f'![A plot](data:image/png;base64,{PNG}){{ width="30" height="20" }}' in text
    assert "````text\n```\n<b>\n````" in text
    assert text.count("The times depend on the machine") == 1
    assert "*Picture, in [the notebook](x.ipynb): A plot*" in notebook.plain(text, "x.ipynb")


attached = v4.new_markdown_cell("![Words](attachment:x.png)", attachments={"x.png": {"image/jpeg": PNG}})
REFUSED = {
    "a warning": (shows(v4.new_output("stream", name="stderr", text="old")), "it writes a warning"),
    "an error": (shows(v4.new_output("error", ename="E", evalue="v", traceback=[])), "it ends in an error"),
    "a script": (shows(data(application_javascript="x")), "application/javascript, which a page cannot show"),
    "other HTML": (shows(data(text_html="<p>x</p>")), "not one plain table"),
    "text beside a table": (shows(data(text_html=TABLE + "<p>5 rows</p>")), "would be lost"),
    "no words": (shows(data(image_png=PNG)), "no words"),
    "a relative link": (v4.new_markdown_cell("[x](../index.html)"), "`../index.html` leads nowhere"),
    "a picture that is not there": (v4.new_markdown_cell("![x](x.png)"), "`x.png` leads nowhere"),
    "no PNG": (attached, "not attached as a PNG"),
    "a raw cell": (v4.new_raw_cell("x"), "no raw cell"),
}


@pytest.mark.parametrize(("cell", "said"), REFUSED.values(), ids=REFUSED)
def test_what_a_page_cannot_show_is_refused_with_cell_and_line(cell, said, tmp_path):
    path = planted(tmp_path, cell)
    with pytest.raises(BadInput) as told:
        notebook.read(path)
    lines = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    line = next(number for number, text in lines if '"id": "cell-2"' in text)
    assert f"planted.ipynb:{line}: cell 2: " in str(told.value) and said in str(told.value)


def test_what_is_no_notebook_is_refused(tmp_path):
    path = planted(tmp_path, description="")
    with pytest.raises(BadInput, match="does not say what it is about"):
        notebook.read(path)
    path.write_text("{", encoding="utf-8")
    with pytest.raises(BadInput, match="not a notebook"):
        notebook.read(path)


def test_a_cell_that_fails_is_named(tmp_path):
    with pytest.raises(notebooks.CellFailed, match="cell 3: ZeroDivisionError: division by zero"):
        notebooks.run(planted(tmp_path, v4.new_code_cell("1"), v4.new_code_cell("1 / 0")))


def test_a_page_that_shows_other_than_a_run_gives_is_noticed(tmp_path):
    """Words and kinds of output count, numbers do not; a cell that prints times shows none."""
    path = planted(
        tmp_path, v4.new_code_cell("print('time', 3)"), v4.new_code_cell("print(1)", metadata={"tags": ["times"]})
    )
    now = notebooks.run(path)
    assert now.cells[1].outputs[0].text == "time 3\n" and now.cells[2].outputs == []
    same, other = nbformat.from_dict(now), nbformat.from_dict(now)
    same.cells[1].outputs[0].text = "time 4\n"
    assert notebooks.differs(same, now) is None
    other.cells[1].outputs = [data(image_png=PNG)]
    assert "cell 2: the page shows ['image/png'], a run gives ['stdout: time N']" in notebooks.differs(other, now)

"""What is copied from the PDF is what stands on the page; and the files in it."""

import re
from pathlib import Path

import pikepdf
import pypdfium2
import pytest

from scripts.evidence.dependencies import started
from scripts.paths import ROOT, SNIPPETS
from scripts.pdf.offer import GUIDE
from tests.pdf import viewers
from tests.pdf.pdf_reader import flat, sheets
from tests.pdf.test_pdf import planted
from tests.site.pages import PAGES, html_of, included

each_viewer = pytest.mark.parametrize(
    "viewer",
    [viewers.poppler, pytest.param(viewers.pdfium, marks=pytest.mark.nightly)],
    ids=lambda viewer: viewer.__name__,
)
SHARED = {"languages", "programs", "software"}
WIDE = 160  # letters: a line of a recorded output that no paper is wide enough for


def kept(line: str, viewer) -> str:
    """A line as this viewer can copy it: poppler keeps all blanks but a single one at the beginning."""
    return re.sub(r"^ (?! )", "", line.rstrip()) if viewer is viewers.poppler else re.sub(r" +", " ", line.strip())


def code_lines(article) -> list[str]:
    """All lines of all blocks of code of a built page, but the empty ones, and what a difference does not change."""
    return [
        line
        for block in article.select("pre")
        for line in block.get_text().splitlines()
        if line.strip() and not (block.select(".gi, .gd") and line.startswith(" "))
    ]


def copied(path: Path, first: int, last: int, viewer) -> list[str]:
    """The lines that the viewer copies from these pages, counted from 1."""
    return [line.rstrip() for page in viewer(path)[first - 1 : last] for line in page.splitlines()]


def assert_in_order(wanted: list[str], lines: list[str]) -> None:
    at = 0
    for line in wanted:
        if len(line) > WIDE:
            start = next(n for n, each in enumerate(lines[at:], at) if each and line.startswith(each))
            words = (" ".join(each.strip() for each in lines[start : start + n]) for n in (2, 3))
            assert line.strip() in words, f"goes on elsewhere: {line!r}"
            at = start + 2
            continue
        assert line in lines[at:], f"not copied as it stands, or not in order: {line!r}"
        at = lines.index(line, at) + 1


@each_viewer
def test_every_line_of_code_is_copied_as_it_stands(viewer, book):
    count = 0
    for page, (first, last) in book.spans.items():
        wanted = [kept(line, viewer) for line in code_lines(book.articles[page])]
        assert_in_order(wanted, copied(book.guide, first, last, viewer))
        count += len(wanted)
    assert count > (2000 if book.whole else 400)
    for path, page in book.own.items():
        wanted = [kept(line, viewer) for line in code_lines(book.articles[page])]
        assert_in_order(wanted, copied(path, 3, len(viewer(path)), viewer))


@each_viewer
def test_code_in_sentences_and_tables_keeps_its_hyphens(viewer, book):
    """Where it goes on in a second line, too: only white space may come between."""
    checked = 0
    for page, (first, last) in book.spans.items():
        text = re.sub(r"\s", "", "".join(viewer(book.guide)[first - 1 : last]))
        for code in book.articles[page].select(":not(pre) > code"):
            if not code.find_parent("caption") and not code.find_parent(class_="evidence"):
                for word in code.get_text().split():
                    assert word in text, (page, word)
                    checked += "-" in word
    assert checked > (500 if book.whole else 50)


def files_of(page: str) -> set[str]:
    """Every script and program that a page shows, and those that they start: read from its source, not as built."""
    (source,) = [path for path in PAGES if html_of(path) == page]
    files = {ROOT / name for name in included(source)}
    files |= {path for file in files for path in started(file)}
    return {
        str(path.relative_to(ROOT))
        for path in files
        if path.is_relative_to(SNIPPETS) and path.suffix not in (".out", ".txt", ".json", ".md")
    }


def test_every_script_and_program_is_attached_under_a_name_of_its_own(book):
    for pdf_path, pages in book.pdfs.items():
        wanted = {}
        for path in sorted(set().union(*map(files_of, pages))):
            folder, file = path.split("/")[-2:]
            wanted[file if folder in SHARED else f"{folder}-{file}"] = (ROOT / path).read_bytes()
        with pikepdf.open(pdf_path) as pdf:
            assert {key: spec.get_file().read_bytes() for key, spec in pdf.attachments.items()} == wanted
            assert all(spec.filename == key and spec.description for key, spec in pdf.attachments.items())
        assert pdf_path.name != GUIDE or len(wanted) > (90 if book.whole else 10)


def test_the_page_names_what_is_attached_and_the_title_page_says_how_many(book):
    for path in book.pdfs:
        with pypdfium2.PdfDocument(path) as pdf, pikepdf.open(path) as opened:
            pages = [page.get_textpage().get_text_range() for page in pdf]
            named = set(re.findall(r"Attached as ([\w.-]+\.\w+)", " ".join(pages[1:]).replace("\r\n", " ")))
            assert named <= set(opened.attachments)
            if opened.attachments:
                assert named and flat(f"are attached to this PDF: {len(opened.attachments)} files.") in flat(pages[0])
            else:
                assert "attached" not in pages[0]


COMMAND = "sbatch " + " ".join(f"--option-{n}=some-value-{n}" for n in range(8))


@each_viewer
def test_a_line_that_cannot_fit_goes_on_between_two_options(viewer, browser, tmp_path):
    path = planted(browser, tmp_path, f"<pre><code>first\n{COMMAND}\n    last</code></pre>")
    lines = copied(path, 3, 3, viewer)
    start = next(n for n, line in enumerate(lines) if line.startswith("sbatch"))
    parts = lines[start : lines.index(kept("    last", viewer))]
    assert len(parts) > 1 and " ".join(part.strip() for part in parts) == COMMAND


def test_where_a_line_goes_on_an_arrow_is_drawn(browser, tmp_path):
    """Before the first letter of its second and third part, and not before the line below; no text, so not copied."""
    path = planted(browser, tmp_path, f"<pre><code>{COMMAND}\n    last</code></pre>")
    parts = [line for line in copied(path, 3, 3, viewers.pdfium) if line.startswith("--")]
    with pypdfium2.PdfDocument(path) as pdf:
        text, scale = pdf[2].get_textpage(), 4
        picture = pdf[2].render(scale=scale).to_pil().convert("L")

        def darkest_before(words: str) -> int:
            """In the room of two letters before these words."""
            left, bottom, _, top = text.get_charbox(text.search(words).get_next()[0])
            height = picture.height / scale
            room = (left - 9, height - top, left - 1, height - bottom)
            return picture.crop([round(side * scale) for side in room]).getextrema()[0]

        assert len(parts) == 2 and [darkest_before(part) < 150 for part in parts] == [True, True]
        assert darkest_before("last") > 200


@each_viewer
def test_a_line_of_120_letters_is_made_to_fit(viewer, browser, tmp_path):
    line = COMMAND[:-1].ljust(120, "-")[:120]
    path = planted(browser, tmp_path, f"<pre><code>first\n    {line[:116]}\n{line}</code></pre>")
    lines = copied(path, 3, 3, viewer)
    assert kept("    " + line[:116], viewer) in lines and line in lines
    assert max(right for _, _, right, _ in sheets(path)[2].boxes) < sheets(path)[2].width - 50


def test_indentation_of_a_program_is_copied_by_poppler(browser, tmp_path):
    """The program runs as copied; its empty lines are all that is lost."""
    program = "def double(x):\n    if x:\n        return 2 * x  # two blanks before\n\n    return 0\nprint(double(21))"
    text = viewers.poppler(planted(browser, tmp_path, f"<pre><code>{program}</code></pre>"))[2]
    assert program.replace("\n\n", "\n") in text

"""The PDFs as made from the built site: whole, linked, numbered, tagged; and the faults that must stop the export."""

import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pikepdf
import pypdfium2
import pytest
from bs4 import BeautifulSoup

from scripts.errors import BadInput
from scripts.facts import load_all
from scripts.paths import write_whole
from scripts.pdf import __main__ as exporter
from scripts.pdf import attached
from scripts.pdf import book as printed_book
from scripts.pdf.offer import GUIDE, offer
from scripts.pdf.shapes import keep_together, shape
from tests.needs import need_browser
from tests.pdf.pdf_reader import FOOT, SIDE, elements, flat, outline, read, said, sheets
from tests.run import run
from tests.site.pages import CENTRE_PAGES, NAMES

CENTRES = {f"clusters/{key}.html" for key in CENTRE_PAGES}  # shorter than a system's


def test_a_file_of_a_system_is_called_by_its_system_too():
    assert attached.name("snippets/lumi/one_gpu.sh") == "lumi-one_gpu.sh"
    assert attached.name("snippets/programs/matmul.py") == "matmul.py"
    assert attached.name("snippets/software/condarc.yml") == "condarc.yml"


def test_a_caption_for_screen_readers_is_not_printed():
    page = "<article><h1>A</h1><div class=kinds>C</div><table><caption>A: B</caption><tr><th>B</th></tr></table>"
    article = BeautifulSoup(page, "html.parser").article
    shape(SimpleNamespace(article=article), 1)
    assert article.table and article.get_text() == "AB"


def test_a_line_may_end_after_a_slash_and_in_what_is_long_but_never_after_a_hyphen():
    article = BeautifulSoup(f"<p><code>{'a-b/' * 30 + '-' * 60}</code></p>", "html.parser")
    keep_together(article)
    assert str(article).count("<wbr") == 30 and "-<wbr" not in str(article)


def test_a_running_head_may_hold_quotes_and_backslashes():
    chapter = SimpleNamespace(prefix="a", title='The "\\r" of a PC')
    style = printed_book.running_heads([chapter], printed_book.Edition("", "", "", "", None))
    assert '@top-left { content: "The \\"\\\\r\\" of a PC" }' in style


def test_a_pdf_is_offered_once_however_often_it_is_made(tmp_path):
    page = "<article><h1>A</h1><p>Words.</p></article><footer></footer>"
    (tmp_path / "index.html").write_text(page, encoding="utf-8")
    for _ in range(2):
        ((file, text),) = offer(tmp_path, {GUIDE: 2_000_000}).items()
        file.write_text(text, encoding="utf-8")
    assert text.count(GUIDE) == 2 and text.count('class="pdf-link"') == 2, "below the introduction, and in the footer"


def body(path: Path, first: int, last: int) -> tuple[str, list[int]]:
    """The text of these pages as one, and the page of each of its characters."""
    text, pages = "", []
    for number in range(first, last + 1):
        part = read(path)[number - 1].body
        text, pages = text + part, pages + [number] * len(part)
    return text, pages


def find_all(article, text: str) -> list[tuple[str, object, int]]:
    """(words, node, place in text) of all that the page says; fails at the first that is missing or out of order."""
    at, found = 0, []
    for words, node in said(article):
        place = text.find(words, at)
        assert place >= 0, f"missing after …{text[max(0, at - 80) : at]}: {words}"
        assert place - at < 500, f"much stands between …{text[max(0, at - 80) : at]} and {words}"
        found.append((words, node, place))
        at = place + len(words)
    return found


def test_all_that_a_page_says_is_in_the_guide_in_order(book):
    """Prose, collapsed blocks, code, outputs, tables, evidence."""
    for page, span in book.spans.items():
        text, _ = body(book.guide, *span)
        assert len(find_all(book.articles[page], text)) > 20, page


def test_all_that_a_cluster_page_says_is_in_its_own_pdf(book):
    for path, page in book.own.items():
        text, _ = body(path, 3, len(read(path)))
        assert len(find_all(book.articles[page], text)) > (30 if page in CENTRES else 300), page


def test_a_short_listing_stands_on_one_page_with_its_files_name(book):
    named = 0
    for page, span in book.spans.items():
        text, pages = body(book.guide, *span)
        places = {id(node): place for _, node, place in find_all(book.articles[page], text)}
        for listing in book.articles[page].select("div.highlight:has(pre)"):
            if len(listing.pre.get_text().strip("\n").splitlines()) <= 24:
                on = {pages[places[id(node)]] for _, node in said(listing)}
                assert len(on) == 1, (page, listing.get_text()[:80], on)
                named += bool(listing.select_one(".filename"))
    assert named > (50 if book.whole else 10)


def test_no_text_leaves_the_column(book):
    for path in book.pdfs:
        for number, sheet in enumerate(read(path), 1):
            assert sheet.boxes, (path, number)
            for left, bottom, right, top in sheet.boxes:
                inside = left > SIDE - 1 and right < sheet.width - SIDE + 1 and 0 < bottom and top < sheet.height
                assert inside, (path, number, left, bottom, right, top)


def test_every_page_is_numbered_and_says_where_it_is_from(book):
    edition = printed_book.edition()
    origin = {flat(edition.date), flat(edition.commit)}
    for path in book.pdfs:
        pages = read(path)
        for number, sheet in enumerate(pages[1:], 2):
            assert sheet.foot.endswith(f"{number}of{len(pages)}"), (path, number)
            assert all(words in sheet.foot for words in origin), (path, number)
        assert all(words in pages[0].body for words in origin) and not pages[0].foot


def test_running_heads_name_the_page(book):
    for page, (first, last) in book.spans.items():
        title = "".join(text for text, _ in said(book.articles[page].h1))
        assert {sheet.head for sheet in read(book.guide)[first - 1 : last]} == {title}


def test_outline_holds_sections_pages_and_all_headings_in_order(book):
    """Depth: section, page in it, its headings; an entry that leads nowhere has page 0."""
    found = [(entry.depth, flat(entry.title)) for entry in outline(book.guide)]
    assert all(entry.page for entry in outline(book.guide))
    at, section = found.index((0, "Contents")), None
    for under, page in book.nav:
        if under and under != section:
            at = found.index((0, flat(under)), at)
        section = under
        for heading in book.articles[page].find_all(["h1", "h2", "h3"]):
            depth = int(heading.name[1]) - 1 + bool(under)
            at = found.index((depth, "".join(text for text, _ in said(heading))), at + 1)


def test_each_page_number_in_the_contents_is_right(book):
    """Each line of the contents against the outline, which Chromium writes by itself, and against the page's text."""
    for path, pages in book.pdfs.items():
        entries = iter([entry for entry in outline(path) if entry.title != "Contents"])
        first = next(number for number, sheet in enumerate(read(path), 1) if sheet.head)
        lines = []
        with pypdfium2.PdfDocument(path) as pdf:
            for number in range(1, first - 1):
                sheet, height = pdf[number].get_textpage(), pdf[number].get_size()[1]
                lines += sheet.get_text_bounded(0, FOOT - 1, 10_000, height).splitlines()
        text = flat(" ".join(line for line in lines if line.strip() != "Contents"))
        checked = 0
        while text:
            entry = next(entries)
            wanted = flat(entry.title) + str(entry.page)
            if text.startswith(wanted):
                text = text[len(wanted) :]
                assert flat(entry.title) in read(path)[entry.page - 1].body
                checked += 1
        assert checked >= (4 if pages[0] in CENTRES else 8) and (path != book.guide or checked > 5 * len(pages))


def test_links_jump_within_the_file_or_go_to_the_web(book):
    for path, pages in book.pdfs.items():
        inside = web = 0
        with pikepdf.open(path) as pdf:
            there = {page.objgen for page in pdf.pages}
            for annotation in (note for page in pdf.pages for note in page.get("/Annots", [])):
                if "/Dest" in annotation:
                    assert pdf.Root.Dests[annotation.Dest][0].objgen in there
                    inside += 1
                else:
                    address = str(annotation.A.URI)
                    assert re.match(r"https?://(?!guide\.invalid|localhost|127\.)|mailto:", address), address
                    web += 1
        wanted = {link["href"] for page in pages for link in book.articles[page].select("a[href^=http]")}
        assert inside >= (4 if pages[0] in CENTRES else 8) and web >= len(wanted) > 0, path


def test_a_link_to_another_page_jumps_to_its_heading(book):
    """To `#one-gpu` of each running system's page, by the destinations alone."""
    with pikepdf.open(book.guide) as pdf:
        number = {page.objgen: index for index, page in enumerate(pdf.pages, 1)}
        running = [f"clusters/{key}" for key, cluster in load_all().items() if cluster.running]
        systems = [name for name in running if f"{name}.html" in book.pages]
        for name in systems:
            first, last = book.spans[f"{name}.html"]
            target = number[pdf.Root.Dests[f"/{name.replace('/', '-')}--one-gpu"][0].objgen]
            assert first <= target <= last and "Single-GPUjob" in read(book.guide)[target - 1].body
    assert systems


def test_fonts_are_embedded_and_none_is_type_3(book):
    for path in book.pdfs:
        fonts = 0
        with pikepdf.open(path) as pdf:
            for font in pdf.objects:
                if isinstance(font, pikepdf.Dictionary) and font.get("/Type") == "/Font":
                    assert font.Subtype != "/Type3"
                    for descendant in font.get("/DescendantFonts", [font]):
                        keys = set(descendant.FontDescriptor.keys())
                        assert {"/FontFile", "/FontFile2", "/FontFile3"} & keys, font.BaseFont
                    fonts += 1
        assert fonts >= 3, path


def test_tags_language_title_and_alt_texts(book):
    for path, pages in book.pdfs.items():
        articles = [book.articles[page] for page in pages]
        alts = sorted(picture["alt"] for article in articles for picture in article.find_all("img"))
        own = "".join(articles[0].h1.find_all(string=True, recursive=False))
        with pikepdf.open(path) as pdf:
            assert pdf.Root.MarkInfo.Marked and pdf.Root.Lang == "en" and pdf.Root.ViewerPreferences.DisplayDocTitle
            title = "GPU Cluster Guide" if path == book.guide else f"{own} – GPU Cluster Guide"
            assert pdf.docinfo.Title == title
            assert all(page.Tabs == "/S" for page in pdf.pages), "the Tab key follows the tags"
            tags = list(elements(pdf))
            assert sorted(str(tag.Alt) for tag in tags if tag.S == "/Figure") == alts
            for tag in tags:
                if re.fullmatch("/H[1-6]", str(tag.S)):
                    assert "/K" in tag
            tables = sum(tag.S == "/Table" for tag in tags)
            assert tables >= sum(len(article.find_all("table")) for article in articles)


def test_light_colours_and_something_on_every_page(book):
    with pypdfium2.PdfDocument(book.guide) as pdf:
        for number, page in enumerate(pdf, 1):
            picture = page.render(scale=0.25).to_pil().convert("L")
            corners = [(x, y) for x in (1, picture.width - 2) for y in (1, picture.height - 2)]
            assert min(map(picture.getpixel, corners)) > 250, number
            light = sum(picture.histogram()[240:]) / (picture.width * picture.height)
            assert light > 0.6 and picture.getextrema()[0] < 160, number


def test_all_are_small(book):
    assert book.guide.stat().st_size < 13_000 * len(read(book.guide))
    assert max(path.stat().st_size for path in book.own) < 1_000_000


def test_the_pdfs_are_linked_once_made_and_not_before(site, book):
    for file in site.rglob("*.html"):
        html = file.read_text(encoding="utf-8")
        assert 'class="pdf-link"' not in html and GUIDE not in html
    for name in NAMES:
        file = book.folder / name
        links = re.compile(r'<p class="pdf-link"><a href="([^"]+)">[^<]*</a> \((\S+) MB\)')
        sizes = {(file.parent / link).resolve(): said for link, said in links.findall(file.read_text(encoding="utf-8"))}
        assert sizes == {path: f"{path.stat().st_size / 1e6:.1f}" for path in sizes}, name
        article, footer = (
            [(file.parent / link).resolve() for link, _ in links.findall(part)]
            for part in file.read_text(encoding="utf-8").split("<footer", 1)
        )
        own = book.guide if name == "index.html" else book.folder / name.replace(".html", ".pdf")
        assert footer == [book.guide] and article == ([own] if own in book.pdfs else [])
    assert all(path.read_bytes().startswith(b"%PDF") for path in book.pdfs)


# Planted pages, printed by the exporter itself.

EDITION = printed_book.Edition("Planted", "A page with everything.", "2026-01-02", "abc1234", None)


def planted(browser, folder: Path, content: str, edition: printed_book.Edition = EDITION) -> Path:
    (folder / "planted.html").write_text(
        f'<!doctype html><html><body><article><h1 id="top">Planted page</h1>{content}</article></body></html>',
        encoding="utf-8",
    )
    (folder / "planted.pdf").write_bytes(exporter.export(browser, [(None, "planted.html")], folder, edition))
    return folder / "planted.pdf"


@pytest.mark.parametrize(
    "content, fault",
    [
        ('<p><a href="#nowhere">go</a></p>', "#nowhere leads to no heading or anchor"),
        ('<p><a href="gone.html">go</a></p>', "gone.html leads to no file"),
        ('<p><a href="#top"></a></p>', "has no text"),
        ('<p><img src="gone.png" alt="A plot"></p>', "there is no picture gone.png"),
        ('<p><img src="data:image/png;base64,AAAA" alt="A plot"></p>', 'the picture "A plot" cannot be shown'),
        ('<p><img src="data:image/png;base64,AAAA"></p>', "has no alt text"),
        ('<p><img src="https://example.org/a.png" alt="A plot"></p>', "there is no picture https://example.org/a.png"),
        ('<div style="overflow: hidden; height: 1em"><p>one</p><p>two</p></div>', 'what does not fit into it: "one'),
        (
            '<pre style="x"></pre><div style="overflow-x: hidden"><div style="width: 2000px">wide words</div></div>',
            'what does not fit into it: "wide words',
        ),
        ('<div style="width: 2000px">wide words</div>', 'wider than the paper: "wide words'),
        ('<p style="display: none">secret</p>', 'a part is hidden: "secret'),
        ("<pre class='mermaid'>graph TD</pre>", "<pre> is drawn by a program"),
        ('<iframe src="planted.html"></iframe>', "<iframe> is drawn by a program"),
        ('<div style="background: url(https://example.org/a.png)">words</div>', "another host"),
    ],
)
def test_a_planted_fault_stops_the_export(content, fault, browser, tmp_path):
    with pytest.raises(BadInput, match=re.escape(fault)):
        planted(browser, tmp_path, content)
    assert not (tmp_path / "planted.pdf").exists()


def export(folder: Path, *pages: str) -> subprocess.CompletedProcess[str]:
    """In a process of its own: a worker has one browser already."""
    return run(sys.executable, "-m", "scripts.pdf", "--site-dir", folder, *pages)


def test_a_fault_is_one_sentence_and_nothing_is_written(site, tmp_path):
    """The whole command, with a dead anchor on the second of two real pages."""
    need_browser()
    pages = ("clusters/csc.html", "about/offline.html")
    for page in ("index.html", *pages):
        (tmp_path / page).parent.mkdir(exist_ok=True)
        text = (site / page).read_text(encoding="utf-8")
        text = re.sub(r"(<article.*?</h1>).*?</article>", r"\1</article>", text, flags=re.DOTALL)
        (tmp_path / page).write_text(text, encoding="utf-8")
    gone = tmp_path / pages[1]
    text = gone.read_text(encoding="utf-8")
    text = text.replace("</article>", '<p><a href="../index.html#gone">gone</a></p></article>')
    gone.write_text(text, encoding="utf-8")
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    done = export(tmp_path, *pages)
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert re.search(rf"{pages[1]}:\d+: the link to \.\./index\.html#gone leads to no heading", done.stderr)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


def test_an_unbuilt_site_and_an_unknown_page_are_one_sentence(tmp_path):
    need_browser()
    for pages, words in ([(), "has not been built. Run `make site` first."], [("a.html",), "a.html: is not a page of"]):
        done = export(tmp_path, *pages)
        assert done.returncode == 1 and words in done.stderr and done.stderr.count("\n") == 1


DETAILS = """<details><summary>Closed block</summary><p>closed words</p>
<details><summary>Inner block</summary><h2 id="inner">Inner heading</h2></details></details><p>words below</p>"""


def test_collapsed_blocks_are_open_in_order_and_in_the_outline(browser, tmp_path):
    path = planted(browser, tmp_path, DETAILS)
    assert sheets(path)[2].body.endswith("ClosedblockclosedwordsInnerblockInnerheadingwordsbelow")
    entries = [(entry.depth, entry.title) for entry in outline(path)]
    assert entries == [(0, "Contents"), (0, "Planted page"), (1, "Inner heading")]


def test_a_long_line_is_wrapped_whole(browser, tmp_path):
    long = "x" * 500 + "end-of-line"
    code = f'<span class="c1">{long}\nsecond</span>'
    path = planted(browser, tmp_path, f'<div class="highlight"><pre><code>{code}</code></pre></div><p>Below.</p>')
    text = sheets(path)[2]
    assert text.body.endswith(flat(f"{long}second Below."))
    assert max(right for _, _, right, _ in text.boxes) < text.width - SIDE + 1


def test_a_wide_table_lies_across_and_is_whole(browser, tmp_path):
    head = "".join(f"<th>A-wide-column-{n}</th>".replace("-", "") for n in range(12))
    row = "".join(f"<td>cell{n}</td>" for n in range(12))
    path = planted(
        browser,
        tmp_path,
        f"<p>before</p><table><thead><tr>{head}</tr></thead><tbody><tr>{row}</tr></tbody></table><p>after</p>",
    )
    pages = sheets(path)
    across = [sheet for sheet in pages if sheet.width > sheet.height]
    assert len(across) == 1 and all(
        f"cell{n}" in across[0].body and f"Awidecolumn{n}" in across[0].body for n in range(12)
    )
    assert across[0].head == "Plantedpage" and "before" in pages[2].body and "after" in pages[4].body
    assert all(SIDE - 1 < left and right < across[0].width - SIDE + 1 for left, _, right, _ in across[0].boxes)


def test_links_out_of_the_pdf_go_to_the_web_where_the_site_is_known(browser, tmp_path):
    write_whole(tmp_path / "snippets/lumi/a.sh", "true\n")
    (tmp_path / "other.html").write_text('<h2 id="part">Part</h2>', encoding="utf-8")
    content = (
        '<p class="evidence"><a href="snippets/lumi/a.sh">Download</a></p>'
        '<p><a href="other.html#part">Part</a> <a href="#top">Top</a></p>'
    )

    def targets(path: Path) -> list[str]:
        with pikepdf.open(path) as pdf:
            return [str(note.A.URI) if "/A" in note else str(note.Dest) for note in pdf.pages[2].Annots]

    at = printed_book.Edition("Planted", "", "2026-01-02", "abc1234", "https://guide.example/v1/")
    assert targets(planted(browser, tmp_path, content, at)) == [
        "https://guide.example/v1/snippets/lumi/a.sh",
        "https://guide.example/v1/other.html#part",
        "/planted--top",
    ]
    path = planted(browser, tmp_path, content)
    assert targets(path) == ["/planted--top"] and "Attachedaslumi-a.sh" in sheets(path)[2].body


def test_the_same_page_gives_the_same_text_and_pictures_again(browser, tmp_path):
    first = planted(browser, tmp_path, DETAILS).read_bytes()
    assert planted(browser, tmp_path, DETAILS).read_bytes() == first

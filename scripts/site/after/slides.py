"""Write the slides of each notebook beside its page: `workshop/regression-slides.html`.

A heading begins a slide, and so does each cell, except that code joins the words before it. So its metadata does not
know of slides. A slide is a part of the page, as high as the screen or higher: without a script it is scrolled to.
"""

from html import escape
from pathlib import Path

from bs4 import BeautifulSoup, Comment, Tag

from scripts.errors import BadInput
from scripts.paths import DOCS
from scripts.site import notebook
from scripts.site.text import pages

ONLY_ON_THE_PAGE = ".headerlink, .order, .page-links, p:has(> .md-button)"
HEADINGS = ("h1", "h2", "h3", "h4")
BODY = 'dir="ltr" data-md-color-scheme="default" data-md-color-primary="teal" data-md-color-accent="teal"'


def split(article: Tag) -> list[list[Tag]]:
    """The parts of a notebook's page, slide by slide."""
    slides, code, begin = [], False, True
    for part in list(article.children):
        if isinstance(part, Comment) and part in (notebook.WORDS_CELL, notebook.CODE_CELL):
            is_code = part == notebook.CODE_CELL
            begin = not is_code or code  # a second cell of code does not join the words
            code = is_code
        elif isinstance(part, Tag):
            if begin or part.name in HEADINGS:
                slides.append([])
            slides[-1].append(part)
            begin = False
    return slides


def _section(parts: list[Tag], number: int, of: int, topic: str, page: str) -> str:
    """One slide; where it has no heading of its own, the last one's words stand above it."""
    whole = "\n".join(map(str, parts))
    above = "" if parts[0].name in HEADINGS else f'<p class="topic">{escape(topic)}</p>\n'
    beside = [
        f'<a href="#slide-{number - 1}">Previous</a>' if number > 1 else "",
        f"<span>{number} / {of}</span>",
        f'<a href="#slide-{number + 1}">Next</a>' if number < of else f'<a href="{page}">Notebook</a>',
    ]
    return (
        f'<section class="md-typeset" id="slide-{number}" tabindex="-1" aria-roledescription="slide"'
        f' aria-label="{number} of {of}">\n<div>\n{above}{whole}\n</div>\n'
        f'<p class="beside">{"".join(beside)}</p>\n</section>\n'
    )


def slides_of(html: str, page: str) -> str:
    """The slides of a notebook's built page, which is the file `page` in the same folder."""
    soup = BeautifulSoup(html, "html.parser")
    article = soup.find("article")
    for element in article.select(ONLY_ON_THE_PAGE):
        element.decompose()
    found, topic, sections = split(article), "", []
    for number, parts in enumerate(found, 1):
        if parts[0].name in HEADINGS:
            topic = parts[0].get_text().strip()
        sections.append(_section(parts, number, len(found), topic, page))
    sheets = "\n".join(map(str, soup.select("head link:is([rel=icon], [rel=stylesheet])")))
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>{escape(article.h1.get_text().strip())}: slides</title>
{sheets}
<link rel="stylesheet" href="../assets/slides.css">
</head>
<body class="slides" {BODY}>
<script src="../assets/slides.js"></script>
<main>
{"".join(sections)}
</main>
</body>
</html>
"""


def write(site: Path) -> None:
    """Raises BadInput for a notebook whose page is not there."""
    for source in pages():
        if source.suffix == ".ipynb":
            page = site / source.relative_to(DOCS).with_suffix(".html")
            if not page.is_file():
                raise BadInput(page, None, "the notebook's page has not been built.", "Run `make site`.")
            html = slides_of(page.read_text(encoding="utf-8"), page.name)
            page.with_name(f"{page.stem}-slides.html").write_text(html, encoding="utf-8")

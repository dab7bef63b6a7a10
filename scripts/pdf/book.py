"""One HTML document of all chapters: title page, contents, chapters, each with its running head."""

import re
from dataclasses import dataclass
from html import escape
from pathlib import Path

from bs4 import BeautifulSoup

from scripts.errors import BadInput
from scripts.git import git
from scripts.pdf.chapters import Chapter
from scripts.site.config import mkdocs_yml

STYLE = Path(__file__).with_name("print.css")
LICENCES = "The scripts and programs are under the MIT license, words and pictures under CC BY 4.0."
FILES = (
    "The scripts and programs shown here, and the programs that they start, are attached to this PDF: {} files. "
    "Your viewer lists them as attachments. Take a program from there: not every viewer copies its indentation."
)


@dataclass
class Edition:
    """What the title page says: of which commit this is; date is the
    commit's, so that two exports of it are the same.
    """

    title: str
    description: str
    date: str  # 2026-11-21
    commit: str  # 4ec4ba9, with -dirty where files were changed since
    url: str | None


def edition() -> Edition:
    if not (commit := git("describe", "--always", "--dirty", "--exclude=*")):
        what = "the title page names the commit, and git knows none here."
        raise BadInput(".git", None, what, "Export from a clone of the repository.")
    config = mkdocs_yml()
    return Edition(
        config.data["site_name"],
        config.data["site_description"],
        git("log", "-1", "--format=%cs"),
        commit,
        config.site_url or None,
    )


def section_id(section: str) -> str:
    """Plain ASCII, since it becomes a destination's name in the PDF: section-csc-and-lumi."""
    return "section-" + re.sub(r"[^a-z0-9]+", "-", section.lower())


def entries(chapters: list[Chapter]) -> list[tuple[int, str, str]]:
    """(level, text, id) of every line of the contents: sections, pages, and headings."""
    lines, section = [], None
    for chapter in chapters:
        if chapter.section and chapter.section != section:
            lines.append((1, chapter.section, section_id(chapter.section)))
        section = chapter.section
        for heading in chapter.article.find_all(["h1", "h2", "h3"]):
            top = "chapter-title" in heading.get("class", [])
            target = chapter.article["id"] if top else heading["id"]
            lines.append((int(heading.name[1]), heading.get_text(" ", strip=True), target))
    return lines


def title(chapters: list[Chapter], edition: Edition) -> str:
    return f"{chapters[0].title} – {edition.title}" if len(chapters) == 1 else edition.title


def running_heads(chapters: list[Chapter], edition: Edition) -> str:
    """A page style for each chapter, upright and across, with its title at the head; Chromium has no `string-set`."""

    def text(words: str) -> str:
        return '"' + words.replace("\\", "\\\\").replace('"', '\\"') + '"'

    rules = [f"@page {{ @bottom-left {{ content: {text(f'{edition.title} · {edition.date} · {edition.commit}')} }} }}"]
    for chapter in chapters:
        page, head = f"p-{chapter.prefix}", f"@top-left {{ content: {text(chapter.title)} }}"
        rules += [
            f"@page {page} {{ {head} }}",
            f"@page {page}-across {{ size: A4 landscape; {head} }}",
            f"#{chapter.prefix} {{ page: {page} }}",
            f"#{chapter.prefix} .across {{ page: {page}-across }}",
        ]
    return "\n".join(rules)


def document(chapters: list[Chapter], edition: Edition, attached: int) -> str:
    """The whole book as HTML; page numbers in the contents are left open (000) until it has been printed once.

    attached: how many files the PDF brings.
    """
    contents = "\n".join(
        f'<li class="level-{level}"><a href="#{target}">{escape(words)}</a>'
        f'<span class="number" data-for="{target}">000</span></li>'
        for level, words, target in entries(chapters)
    )
    body, section = [], None
    for chapter in chapters:
        if chapter.section and chapter.section != section:
            heading = f'<h1 class="section" id="{section_id(chapter.section)}">{escape(chapter.section)}</h1>'
            chapter.article.insert(0, BeautifulSoup(heading, "html.parser"))
        section = chapter.section
        body.append(str(chapter.article))
    subtitle = chapters[0].title if len(chapters) == 1 else None
    files = f"<p>{FILES.format(attached)}</p>" if attached else ""
    url = f'<p><a href="{edition.url}">{edition.url}</a></p>' if edition.url else ""
    return f"""<!doctype html><html lang="en"><head><meta charset="utf-8">
<title>{escape(title(chapters, edition))}</title>
<style>{STYLE.read_text(encoding="utf-8")}\n{running_heads(chapters, edition)}</style></head><body>
<header class="cover"><p class="title">{escape(subtitle or edition.title)}</p>
<p class="about">{escape(f"A part of the {edition.title}." if subtitle else edition.description)}</p>
<p>{edition.date} · commit {escape(edition.commit)}</p>{url}{files}
<p class="licence">{LICENCES}</p></header>
<nav class="contents"><h1 id="contents">Contents</h1><ul>{contents}</ul></nav>
{"".join(body)}</body></html>"""

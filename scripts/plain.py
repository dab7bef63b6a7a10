"""Write each page also as plain Markdown, beside it (`clusters/leeds.md`), with its scripts and tables in it; and `llms.txt`, their list.

For those who read through an assistant, or in a terminal. Links lead from one Markdown file to the other.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path

from markdown import Markdown

from scripts.facts import ROOT
from scripts.yaml_lines import load

DOCS = ROOT / "docs"
FRONT_MATTER = re.compile(r"\A---\n(?P<keys>.*?)\n---\n", re.DOTALL)
LINK = re.compile(r"\]\(/(?P<path>[^)#]+)")
MARKS = re.compile(r"^[ \t]*(\{: \.evidence \}|</?div[^>]*>)[ \t]*\n", re.MULTILINE)  # what only the website needs


def entries(nav: list, section: str = "") -> Iterator[tuple[str, str, str]]:
    """(section, title, source file) of each page, in the order of the navigation."""
    for item in nav:
        for title, value in item.items():
            if isinstance(value, str):
                yield section, title, value
            else:
                yield from entries(value, title)


def expand(source: Path) -> str:
    """A page's Markdown as MkDocs sees it after its includes and lines of evidence, without what only the website needs."""
    extensions = {name: options for item in load(ROOT / "mkdocs.yml")[0]["markdown_extensions"] if isinstance(item, dict) for name, options in item.items()}
    markdown = Markdown(extensions=["pymdownx.snippets", "scripts.evidence_line"], extension_configs={"pymdownx.snippets": {**extensions["pymdownx.snippets"], "base_path": [str(ROOT)]}})
    text = "\n".join(markdown.preprocessors["evidence"].run(FRONT_MATTER.sub("", source.read_text(encoding="utf-8")).split("\n")))
    tidy = re.sub(r"\n{3,}", "\n\n", MARKS.sub("", text))  # before the includes: those stay as they are
    whole = "\n".join(markdown.preprocessors["snippet"].run(tidy.split("\n")))
    place = source.relative_to(DOCS).parent
    return LINK.sub(lambda link: f"]({posixpath.relpath(link['path'], place)}", whole).strip() + "\n"


def description(source: Path) -> str:
    match = FRONT_MATTER.match(source.read_text(encoding="utf-8"))
    found = re.search(r"^description: (.*)$", match["keys"], re.MULTILINE) if match else None
    return f": {found[1]}" if found else ""


def write(site: Path) -> None:
    config = load(ROOT / "mkdocs.yml")[0]
    root = config.get("site_url") or ""
    index = [f"# {config['site_name']}", "", f"> {config['site_description']}"]
    last = None
    for section, title, name in entries(config["nav"]):
        (site / name).write_text(expand(DOCS / name), encoding="utf-8")
        if section != last:
            index += ["", f"## {section or 'Start'}", ""]
            last = section
        index.append(f"- [{title}]({root}{name}){description(DOCS / name)}")
    index += ["", "## Optional", "", f"- [All facts as JSON]({root}snippets/facts.json): every limit, module and path of every cluster", ""]
    (site / "llms.txt").write_text("\n".join(index).replace("\n\n\n", "\n\n"), encoding="utf-8")

"""Write each page also as plain Markdown, beside it (`clusters/leeds.md`), with
its scripts and tables in it; and `llms.txt`, their list.

For those who read through an assistant, or in a terminal. Links lead from one Markdown file to the other.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from markdown import Markdown

from scripts.paths import DOCS, ROOT
from scripts.site.config import Config, mkdocs_yml

FRONT_MATTER = re.compile(r"\A---\n(?P<keys>.*?)\n---\n", re.DOTALL)
LINK = re.compile(r"\]\(/(?P<path>[^)#]+)")
MARKS = re.compile(r"^[ \t]*(\{: \.evidence \}|</?div[^>]*>)[ \t]*\n", re.MULTILINE)  # what only the website needs


def expand(source: Path, config: Config | None = None) -> str:
    """A page's Markdown as MkDocs sees it after its includes and lines of
    evidence, without what only the website needs.
    """
    configured = (config or mkdocs_yml()).data["markdown_extensions"]
    options = next(
        item["pymdownx.snippets"] for item in configured if isinstance(item, dict) and "pymdownx.snippets" in item
    )
    markdown = Markdown(
        extensions=["pymdownx.snippets", "scripts.evidence.line"],
        extension_configs={"pymdownx.snippets": {**options, "base_path": [str(ROOT)]}},
    )
    text = "\n".join(
        markdown.preprocessors["evidence"].run(FRONT_MATTER.sub("", source.read_text(encoding="utf-8")).split("\n"))
    )
    tidy = re.sub(r"\n{3,}", "\n\n", MARKS.sub("", text))  # before the includes: those stay as they are
    whole = "\n".join(markdown.preprocessors["snippet"].run(tidy.split("\n")))
    place = source.relative_to(DOCS).parent
    return LINK.sub(lambda link: f"]({posixpath.relpath(link['path'], place)}", whole).strip() + "\n"


def description(source: Path) -> str:
    match = FRONT_MATTER.match(source.read_text(encoding="utf-8"))
    found = re.search(r"^description: (.*)$", match["keys"], re.MULTILINE) if match else None
    return f": {found[1]}" if found else ""


def write(site: Path) -> None:
    config = mkdocs_yml()
    root = config.site_url
    index = [f"# {config.data['site_name']}", "", f"> {config.data['site_description']}"]
    last = None
    for page in config.pages:
        source = DOCS / page.source
        (site / page.source).write_text(expand(source, config), encoding="utf-8")
        if page.section != last:
            index += ["", f"## {page.section or 'Start'}", ""]
            last = page.section
        index.append(f"- [{page.title}]({root}{page.source}){description(source)}")
    index += [
        "",
        "## Optional",
        "",
        f"- [All facts as JSON]({root}snippets/made/facts.json): every limit, module and path of every cluster",
        "",
    ]
    (site / "llms.txt").write_text("\n".join(index).replace("\n\n\n", "\n\n"), encoding="utf-8")

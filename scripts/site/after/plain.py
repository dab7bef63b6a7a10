"""Write each page also as plain Markdown, beside it (`clusters/leeds.md`), with
its scripts and tables in it; `llms.txt`, their list; and `llms-full.txt`, all of them in one.

For those who read through an assistant, or in a terminal. Links lead from one Markdown file to the other.
"""

import posixpath
import re
from pathlib import Path

import yaml
from markdown import Markdown

from scripts.paths import DOCS, ROOT
from scripts.site import notebook
from scripts.site.config import Config, mkdocs_yml
from scripts.site.text import text_of

FRONT_MATTER = re.compile(r"\A---\n(?P<keys>.*?)\n---\n", re.DOTALL)
LINK = re.compile(r"\]\(/(?P<path>[^)#?]+)")
# What only the website needs.
MARKS = re.compile(
    r"^[ \t]*(?:\{: [.a-z= -]+\}|</?div[^>]*>(?:</div>)?|<script[^>]*></script>)[ \t]*\n"
    r"| \{ ?(?:(?:#[\w-]+|data-search-exclude) ?)+\}(?=[ \t]*$)|\{ id=\"[\w=]+\" \}",
    re.MULTILINE,
)
FENCED = re.compile(r"^([ \t]*)(```+|~~~+).*?^\1\2[ \t]*$", re.MULTILINE | re.DOTALL)


def expand(source: Path, config: Config | None = None) -> str:
    """A page's Markdown as MkDocs sees it after its includes and lines of
    evidence, without what only the website needs.
    """
    configured = (config or mkdocs_yml()).data["markdown_extensions"]
    options = next(
        item["pymdownx.snippets"] for item in configured if isinstance(item, dict) and "pymdownx.snippets" in item
    )
    markdown = Markdown(
        extensions=["pymdownx.snippets", "scripts.evidence.line", "scripts.evidence.counted"],
        extension_configs={"pymdownx.snippets": {**options, "base_path": [str(ROOT)]}},
    )
    lines = FRONT_MATTER.sub("", text_of(source)).split("\n")
    text = "\n".join(markdown.preprocessors["evidence"].run(markdown.preprocessors["counted"].run(lines)))
    whole = _tidy("\n".join(markdown.preprocessors["snippet"].run(text.split("\n"))))
    if source.suffix == ".ipynb":
        whole = notebook.plain(whole, source.name)
    place = source.relative_to(DOCS).parent
    return LINK.sub(lambda link: f"]({posixpath.relpath(link['path'], place)}", whole).strip() + "\n"


def _tidy(text: str) -> str:
    """Without those marks, but code stays as it is."""
    done, end = "", 0
    for code in FENCED.finditer(text):
        done += re.sub(r"\n{3,}", "\n\n", MARKS.sub("", text[end : code.start()])) + code[0]
        end = code.end()
    return done + re.sub(r"\n{3,}", "\n\n", MARKS.sub("", text[end:]))


def description(source: Path) -> str:
    match = FRONT_MATTER.match(text_of(source))
    keys = yaml.safe_load(match["keys"]) if match else {}
    return f": {keys['description']}" if "description" in keys else ""


def write(site: Path) -> None:
    config = mkdocs_yml()
    root = config.site_url
    index = [f"# {config.data['site_name']}", "", f"> {config.data['site_description']}"]
    whole, last = [], None
    for page in config.pages:
        source = DOCS / page.source
        text = expand(source, config)
        (site / page.plain).write_text(text, encoding="utf-8")
        whole.append(f"<!-- {page.plain} -->\n\n{text}")
        if page.section != last:
            index += ["", f"## {page.section or 'Start'}", ""]
            last = page.section
        index.append(f"- [{page.title}]({root}{page.plain}){description(source)}")
    index += [
        "",
        "## Optional",
        "",
        f"- [Instructions for assistants]({root}agents/INSTRUCTIONS.md): which system to choose, and a short file of"
        " facts for each, agents/<cluster>/INSTRUCTIONS.md",
        f"- [Skills for assistants]({root}.well-known/agent-skills/index.json): one for each center, with a judge of"
        " job scripts that needs no network",
        f"- [All facts as JSON]({root}made/facts.json): every limit, module and path of every cluster",
        f"- [Facts of each cluster, for programs]({root}api/v1/index.json): a JSON file for each,"
        " api/v1/<cluster>.json, with its sources, their dates, and what no operator confirms",
        f"- [JSON Schema of these files]({root}api/v1/schema.json): every field with its type, unit and meaning",
        f"- [The engine that writes, checks and moves job scripts]({root}api/v1/engine.js): plain JavaScript,"
        " for Node and browsers; give it `systems` and `data` from those files and from api/v1/common.json",
        "",
    ]
    (site / "llms-full.txt").write_text("\n".join(whole), encoding="utf-8")
    (site / "llms.txt").write_text("\n".join(index).replace("\n\n\n", "\n\n"), encoding="utf-8")

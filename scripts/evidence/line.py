"""A Markdown extension: under every snippet that a page includes, one quiet line of evidence.

A plain Python-Markdown extension, not a MkDocs hook, because the guide will outlive MkDocs. It runs
just before pymdownx.snippets (priority 32), sees `--8<-- "snippets/…"` alone in a fence, and writes
the line below that fence: what checked the file, when, what that means, a link that downloads it, and, of a program,
which packages it needs. Under a listing that somebody else has published it says where, and of when.
"""

import re
from collections.abc import Iterator

from markdown import Extension, Markdown
from markdown.preprocessors import Preprocessor

from scripts.evidence import dependencies, quoted, records
from scripts.facts.units import Date
from scripts.markdown import FENCE, INCLUDE
from scripts.paths import ROOT
from scripts.programs import packages

LEGEND = "/about/how-checked.md#"
ENVIRONMENT = "/learn/everything.md"
SECTIONS = "build/made/tables/applications/"


class EvidenceLines(Preprocessor):
    def __init__(self, md: Markdown, found: dict[str, records.Record]):
        super().__init__(md)
        self.records, self.judges = found, dependencies.judges()

    def run(self, lines: list[str]) -> list[str]:
        out: list[str] = []
        opened: re.Match[str] | None = None
        included: str | None = None
        for line in _with_applications(lines):
            out.append(line)
            fence = FENCE.match(line)
            if opened and fence and fence["ticks"].startswith(opened["ticks"]) and not fence["info"].strip():
                if included:
                    text, trust = self.line(included)
                    out += ["", opened["indent"] + text, f"{opened['indent']}{{: .evidence {trust}}}", ""]
                opened = included = None
            elif fence and not opened:
                opened, included = fence, _application(fence["info"])
            elif opened and (include := INCLUDE.match(line)) and include["path"].startswith("snippets/"):
                included = include["path"]
        return out

    def line(self, path: str) -> tuple[str, str]:
        """The line, and the class that says how far to trust it; none without a record."""
        name = path.rsplit("/", 1)[1]
        if (ROOT / path).parent == quoted.FOLDER:
            told = f"[Quoted]({LEGEND}quoted) from {quoted.line(name.removesuffix('.txt'))}"
            return f"{told} [As text](/{path})", ".quoted "
        download = f"[Download `{name}`](/{path.removeprefix('build/')})"
        record = self.records.get(path)
        if path.endswith(".out"):
            download = f"[Output as text](/{path})"
        if path.endswith(".py") and (needed := packages(ROOT / path)):
            download += f". Needs [{', '.join(needed)}]({ENVIRONMENT})"
        if record is None:
            return download, ""
        if differ := dependencies.changed(record.rests_on, dependencies.rests_on(ROOT / path, self.judges)):
            told = f"[Not {'run' if record.trust == 'full' else 'checked'}]({LEGEND}not-checked) since"
            return f"{told} {_words(differ, path)} last changed. {download}", ".none "
        when = (
            f"{'' if record.more.endswith(')') else ','} on {Date(record.date).words}"
            if record.how != "not checked"
            else ""
        )
        left_out = "".join(said for words, said in records.LEFT_OUT.items() if words in record.detail)
        told = f"[{record.word}]({LEGEND}{record.how.replace(' ', '-')}){record.more}{when}.{left_out} {download}"
        return told, f".{record.trust} "


def _with_applications(lines: list[str]) -> Iterator[str]:
    """The lines, with those of the sections on applications, whose scripts are checked like a system's own."""
    for line in lines:
        if (include := INCLUDE.match(line)) and include["path"].startswith(SECTIONS):
            yield from (ROOT / include["path"]).read_text(encoding="utf-8").splitlines()
        else:
            yield line


def _application(info: str) -> str | None:
    """The script that a fence with this title shows."""
    title = re.search(r'title="([\w-]+\.sh)"', info)
    file = dependencies.APPLICATIONS / title[1] if title else None
    return str(file.relative_to(ROOT)) if file and file.exists() else None


def _words(names: list[str], path: str) -> str:
    """What has changed, for readers."""
    facts = "the facts about this cluster"
    special = {
        path: "this file",
        dependencies.TWIN: facts,
        dependencies.NAMES: facts,
        dependencies.RUNS: "the size of the test",
    }
    return " and ".join(dict.fromkeys(special.get(name, f"`{name.rsplit('/', 1)[-1]}`") for name in names))


class EvidenceExtension(Extension):
    def extendMarkdown(self, md: Markdown) -> None:
        md.preprocessors.register(EvidenceLines(md, records.read()), "evidence", 33)


def makeExtension(**kwargs) -> EvidenceExtension:
    return EvidenceExtension(**kwargs)

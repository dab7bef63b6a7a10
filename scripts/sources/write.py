"""Write down in the facts which state of a source was read: its revision, and of one that had moved the day, too."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from scripts.errors import BadInput
from scripts.facts.load import read_file
from scripts.facts.units import Date
from scripts.paths import SNIPPETS, shown
from scripts.sources.ask import Became, Found

SOURCE = re.compile(r"\{[^{}\n]*\burl: \"(?P<url>[^\"\n]+)\"[^{}\n]*\}")
READ = re.compile(r"\bread: (?P<day>[0-9-]+)")
REVISION = re.compile(r", revision: \"?(?P<revision>[\w:]+)\"?")


def write(found: Iterable[Found], day: Date, snippets: Path = SNIPPETS) -> list[Path]:
    """The facts files that were changed. Raises BadInput, with the file as it was, if one would not be well formed."""
    news: dict[str, dict[tuple[str, str | None], Found]] = {}
    for each in found:
        if each.now and each.became in (Became.MOVED, Became.UNKNOWN):
            for key in each.source.by:
                news.setdefault(key, {})[each.source.url, each.source.revision] = each
    return [path for key, of in sorted(news.items()) if (path := _file(snippets / key / "cluster.yml", of, day))]


def _file(path: Path, news: dict[tuple[str, str | None], Found], day: Date) -> Path | None:
    before = path.read_bytes()
    text = before.decode("utf-8")
    after = SOURCE.sub(lambda source: _source(source, news, day), text)
    if after == text:
        return None
    try:
        path.write_bytes(after.encode("utf-8"))
        read_file(path)
    except BadInput as fault:
        path.write_bytes(before)
        cure = "Write the revision by hand."
        raise BadInput(shown(path), None, f"its sources cannot be written: {fault}.", cure) from None
    return path


def _source(source: re.Match[str], news: dict[tuple[str, str | None], Found], day: Date) -> str:
    text, old = source[0], REVISION.search(source[0])
    found = news.get((source["url"], old["revision"] if old else None))
    if not found:
        return text
    text = REVISION.sub("", text)
    if found.became is Became.MOVED:
        text = READ.sub(f"read: {day}", text)
    return f'{text[:-1]}, revision: "{found.now}"}}'

"""Write down in the facts which state of a source was read: its revision, and of one that had moved the day, too."""

from collections.abc import Iterable
from pathlib import Path

from scripts.facts.edit import Edits, checked, refuse_package
from scripts.facts.units import Date
from scripts.paths import FACTS, write_whole
from scripts.sources.ask import Became, Found


def write(found: Iterable[Found], day: Date, snippets: Path = FACTS) -> list[Path]:
    """The facts files that were changed. Raises BadInput, with the file as it was, if one would not be well formed."""
    refuse_package("--write")
    news: dict[str, dict[tuple[str, str | None], Found]] = {}
    for each in found:
        if each.now and each.became in (Became.MOVED, Became.UNKNOWN):
            for key in each.source.by:
                news.setdefault(key, {})[each.source.url, each.source.revision] = each
    changed = []
    for key, of_it in sorted(news.items()):
        path = snippets / key / "cluster.yml"
        write_whole(path, _text(path, of_it, day))
        changed.append(path)
    return changed


def _text(path: Path, news: dict[tuple[str, str | None], Found], day: Date) -> str:
    edits = Edits(path.read_text(encoding="utf-8"))
    for source in edits.sources():
        said = {key.value: value.value for key, value in source.value}
        if found := news.get((said["url"], said.get("revision"))):
            edits.set(source, "revision", f'"{found.now}"')
            if found.became is Became.MOVED:
                edits.set(source, "read", str(day))
    return checked(path, edits.result())

"""Make the search's index small, and give it as a script, too: a page that a browser opens as a file may not fetch one.

The search asks for words alone, the clusters' sections of one name say much the same, and so do the sections of one
page: without its marks, and with those beside each other, the index takes a sixth less of a reader's network.
"""

import json
import re
from pathlib import Path

from scripts.errors import BadInput

INSIDE_A_WORD = re.compile(r"</?(?:code|su[bp])>")
MARK = re.compile(r"<[^>]+>")


def write(site: Path) -> None:
    file = site / "search" / "search_index.json"
    if not file.is_file():
        raise BadInput(file, None, "the build made no index of words.", "Leave `search` among mkdocs.yml's plugins.")
    index = json.loads(file.read_text(encoding="utf-8"))
    for section in index["docs"]:
        section["text"] = " ".join(MARK.sub(" ", INSIDE_A_WORD.sub("", section["text"])).split())
    index["docs"] = _similar_together(index["docs"])
    text = json.dumps(index, ensure_ascii=False, separators=(",", ":"))
    file.write_text(text, encoding="utf-8")
    file.with_suffix(".js").write_text(f"var __index = {text}", encoding="utf-8")


def _similar_together(sections: list[dict]) -> list[dict]:
    """The clusters' sections of one name, in the order in which the names come, then all others by page."""
    order: dict[str, int] = {}

    def key(section: dict) -> tuple[bool, int]:
        page, _, name = section["location"].partition("#")
        of_cluster = page.startswith("clusters/")
        return not of_cluster, order.setdefault(name if of_cluster else page, len(order))

    return sorted(sections, key=key)  # stable

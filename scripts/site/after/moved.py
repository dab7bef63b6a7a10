"""Keep old addresses working: `extra: {moved: {old/page.html:
new/page.html}}` in mkdocs.yml becomes a page that leads on.

A static host cannot redirect, so the old address holds a small page: a script leads on and keeps the `#part`; without
scripts the browser follows the <meta>; a link stands there for whatever does neither. tests/site/addresses.txt lists
what has ever been published, and a test asks for each.

Messages move between their pages, and no two have one id: `assets/headings.js` lists the ids of each page, and a page
of messages without the `#part` of its address leads to the one that has it. `extra: {renamed: {old: new}}` names those
that another message explains now.
"""

import json
import posixpath
import re
from collections import Counter
from pathlib import Path

from scripts.errors import BadInput
from scripts.paths import write_whole
from scripts.site.config import FILE, mkdocs_yml

MESSAGES = "wrong"
HEADING = re.compile(r'<h[23]\b[^>]* id="([^"]+)"')
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>This page has moved</title>
<link rel="canonical" href="{to}"><meta name="robots" content="noindex">
<script>location.replace("{to}" + location.search + location.hash)</script>
<noscript><meta http-equiv="refresh" content="0; url={to}"></noscript></head>
<body><h1>This page has moved</h1><p>It is now <a href="{to}">{to}</a>.</p></body></html>
"""


def addresses() -> set[str]:
    """Of the pages that lead on."""
    return set((mkdocs_yml().data.get("extra") or {}).get("moved") or {})


def write(site: Path, file: Path = FILE) -> None:
    """Raises BadInput, before anything is written, for an old address
    that a page or message still has or a new one that none has.
    """
    config = mkdocs_yml(file)
    extra = config.data.get("extra") or {}
    moved: dict[str, str] = extra.get("moved") or {}
    renamed: dict[str, str] = extra.get("renamed") or {}

    def refuse(what: str, cure: str, *old: str, key: str = "moved") -> None:
        raise BadInput(file.name, config.lines["extra", key, *old], what, cure)

    for key, pairs in {"moved": moved, "renamed": renamed}.items():
        if not isinstance(pairs, dict) or not all(isinstance(address, str) for address in pairs.values()):
            refuse(f"`{key}` holds no pairs of addresses.", f"Write {key}: {{OLD: NEW}}", key=key)
    there = headings(site)
    ids = {each for page in there.values() for each in page}
    for old, new in renamed.items():
        if old in ids:
            refuse(f"there is still a message `{old}`.", "Remove this line.", old, key="renamed")
        if new not in ids:
            refuse(
                f"there is no message `{new}`.", "Write the id of the message that explains it now.", old, key="renamed"
            )
    for old, new in moved.items():
        if not old.endswith(".html") or old.startswith("/") or ".." in old:
            cure = "Write it as it was below the site's root: clusters/page.html."
            refuse(f"`{old}` is not the old address of a page.", cure, old)
        if (site / old).exists():
            refuse(f"there is still a page at {old}.", "Remove this line.", old)
        if not (site / new.partition("#")[0]).is_file():
            refuse(f"no page is at {new}.", "Write where the page is now, such as clusters/page.html.", old)
    for old, new in moved.items():
        (site / old).parent.mkdir(parents=True, exist_ok=True)
        (site / old).write_text(PAGE.format(to=posixpath.relpath(new, posixpath.dirname(old) or ".")), encoding="utf-8")
    lists = f"headings = {json.dumps(there)}\nrenamed = {json.dumps(renamed)}\n"
    write_whole(site / "assets/headings.js", lists)


def headings(site: Path) -> dict[str, list[str]]:
    """Page of messages -> the ids of its headings that no other has."""
    found = {
        page.stem: HEADING.findall(page.read_text(encoding="utf-8"))
        for page in sorted((site / MESSAGES).glob("*.html"))
    }
    often = Counter(each for ids in found.values() for each in ids)
    return {page: [each for each in ids if often[each] == 1] for page, ids in found.items()}

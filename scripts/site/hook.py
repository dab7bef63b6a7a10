"""A hook of MkDocs for `make serve`.

When a file in snippets/ is saved, the tables are written first. A wrong facts file is reported in one line, and the
tables stay as they were until it is mended. The page on job scripts gets its engine and facts, which `make site` writes
after the build.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

from scripts.errors import BadInput
from scripts.paths import SNIPPETS
from scripts.site.after import engine
from scripts.tables.made import LOCK, write_made


def on_pre_build(config):
    """Bring the tables up to date, where a file or a folder in snippets/ is newer than they are."""
    made = LOCK.stat().st_mtime
    if any(path.stat().st_mtime > made for path in (SNIPPETS, *SNIPPETS.rglob("*"))):
        try:
            for path in write_made():
                print(f"wrote {path}", flush=True)
        except BadInput as fault:
            print(fault, file=sys.stderr, flush=True)


def on_post_build(config):
    with suppress(BadInput):  # told above
        engine.write(Path(config.site_dir))

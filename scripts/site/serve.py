"""Show the guide live: MkDocs serves it, and the tables are written anew whenever a facts file changes.

After a change only the pages that show it are built again. A wrong facts file is reported in one line, and the tables
stay as they were until it is mended.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
from pathlib import Path

from mkdocs.commands.serve import serve
from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer

from scripts.errors import BadInput, run
from scripts.families import FAMILIES
from scripts.paths import ROOT, SNIPPETS
from scripts.tables import made


class FactsChanged(FileSystemEventHandler):
    def on_any_event(self, event: FileSystemEvent) -> None:
        names = (str(event.src_path), str(getattr(event, "dest_path", "")))
        if event.event_type in ("modified", "created", "moved", "deleted") and any(
            name.endswith((".yml", ".json")) or Path(name).is_relative_to(FAMILIES) for name in names
        ):
            try:
                for path in made.write_tables():
                    print(f"wrote {path}", flush=True)
            except BadInput as fault:
                print(fault, file=sys.stderr, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m scripts.site.serve", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--address", default="127.0.0.1:8000", help="where to serve (default: %(default)s)")
    address = parser.parse_args().address
    os.chdir(ROOT)  # the paths in mkdocs.yml start there
    made.write_tables()
    observer = Observer()
    observer.schedule(FactsChanged(), str(SNIPPETS), recursive=True)
    observer.start()
    logging.basicConfig(format="%(message)s")
    logging.getLogger("mkdocs").setLevel(logging.INFO)
    # It warns of pages that are not built again, and scripts/site/hook.py sees to those.
    logging.getLogger("mkdocs.commands.build").addFilter(lambda record: "'dirty' build" not in record.getMessage())
    try:
        serve(
            str(ROOT / "mkdocs.yml"),
            build_type="dirty",
            dev_addr=address,
            hooks=[str(Path(__file__).parent / name) for name in ("hook.py", "notebook/hook.py")],
        )
        return 0
    except OSError as fault:
        raise BadInput(
            address,
            None,
            f"the guide cannot be served there: {fault.strerror}.",
            "Give another one: python -m scripts.site.serve --address 127.0.0.1:8001",
        ) from None
    finally:
        observer.stop()


if __name__ == "__main__":
    run(main)

"""Show the guide live: `mkdocs serve`, and the tables written anew whenever a facts file changes.

A wrong facts file is reported in one line and the tables stay as they were until it is mended.
"""

from __future__ import annotations

import argparse
import subprocess
import sys

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer

from scripts import tables
from scripts.errors import BadInput, run
from scripts.facts import SNIPPETS


class FactsChanged(FileSystemEventHandler):
    def on_any_event(self, event: FileSystemEvent) -> None:
        names = (str(event.src_path), str(getattr(event, "dest_path", "")))
        if event.event_type in ("modified", "created", "moved") and any(name.endswith((".yml", ".json")) for name in names):
            try:
                for path in tables.write(tables.everything()):
                    print(f"wrote snippets/tables/{path}", flush=True)
            except BadInput as fault:
                print(fault, file=sys.stderr, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m scripts.serve", description=__doc__)
    parser.add_argument("--address", default="127.0.0.1:8000", help="where to serve (default: %(default)s)")
    address = parser.parse_args().address
    tables.write(tables.everything())
    observer = Observer()
    observer.schedule(FactsChanged(), str(SNIPPETS), recursive=True)
    observer.start()
    try:
        return subprocess.call([sys.executable, "-m", "mkdocs", "serve", "--dev-addr", address, "--livereload"])
    except KeyboardInterrupt:
        return 0
    finally:
        observer.stop()


if __name__ == "__main__":
    run(main)

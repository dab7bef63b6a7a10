"""Show the guide live: MkDocs serves it, and builds again what has changed; see hook.py."""

import logging
import os
import re
import socket
from pathlib import Path

from mkdocs.commands.serve import serve

from scripts.errors import BadInput, parser_of, run
from scripts.paths import ROOT
from scripts.tables.made import write_made


def main() -> int:
    parser = parser_of("python -m scripts.site.serve", __doc__)
    parser.add_argument("--address", default="127.0.0.1:8000", help="where to serve (default: %(default)s)")
    address = parser.parse_args().address
    cure = "Choose another address: python -m scripts.site.serve --address 127.0.0.1:8001"
    host, _, port = address.rpartition(":")
    if not (host and re.fullmatch(r"\d{1,5}", port) and int(port) < 2**16):
        raise BadInput(address, None, "this is not a host and a port.", cure)
    try:
        socket.create_server((host, int(port))).close()  # else MkDocs builds all pages before it finds the port taken
    except OSError as fault:
        what = f"the guide cannot be served there: {fault.strerror}."
        raise BadInput(address, None, what, cure) from None
    os.chdir(ROOT)  # the paths in mkdocs.yml start there
    write_made()
    logging.basicConfig(format="%(message)s")
    logging.getLogger("mkdocs").setLevel(logging.INFO)
    # It warns of pages that are not built again, and scripts/site/hook.py sees to those.
    logging.getLogger("mkdocs.commands.build").addFilter(lambda record: "'dirty' build" not in record.getMessage())
    hooks = [str(Path(__file__).parent / name) for name in ("hook.py", "notebook/hook.py")]
    serve(str(ROOT / "mkdocs.yml"), build_type="dirty", dev_addr=address, hooks=hooks)
    return 0


if __name__ == "__main__":
    run(main)

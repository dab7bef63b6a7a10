"""A web server that compresses as real ones do, and knows what it sent: for
tests and for measuring page weight, not for readers.
"""

import gzip
import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

COMPRESSED = {".html", ".css", ".js", ".json", ".svg"}


class Handler(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        if not path.is_file():
            return self.send_error(404)
        body, zipped = path.read_bytes(), path.suffix in COMPRESSED
        if zipped:
            body = gzip.compress(body, 6)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Length", str(len(body)))
        if zipped:
            self.send_header("Content-Encoding", "gzip")
        head = sum(len(line) for line in self._headers_buffer)
        self.end_headers()
        self.wfile.write(body)
        self.server.sent[self.path.split("?")[0]] = head + len(body)

    def log_message(self, *arguments) -> None:
        pass


@contextmanager
def serve(folder: Path) -> Iterator[http.server.ThreadingHTTPServer]:
    """Serve a folder on a free port, `server.server_port`.

    `server.sent` says for each path the bytes that went out, head and body.
    """
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=folder))
    server.sent = {}
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()

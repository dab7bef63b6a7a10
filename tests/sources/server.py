"""A web server on this machine that behaves as badly as one can, and says what it was asked."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Answer = Callable[[BaseHTTPRequestHandler], None]


def plain(text: str | bytes, kind: str = "text/plain; charset=utf-8", status: int = 200, **headers: str) -> Answer:
    """An honest answer."""
    body = text.encode() if isinstance(text, str) else text

    def answer(handler: BaseHTTPRequestHandler) -> None:
        if (tag := headers.get("ETag")) and handler.headers.get("If-None-Match") == tag:
            handler.send_response(304)
            handler.end_headers()
            return
        handler.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **headers}.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(body)

    return answer


def leads(to: str, status: int = 302) -> Answer:
    return plain("", status=status, Location=to)


def drips(handler: BaseHTTPRequestHandler) -> None:
    """A letter now and then, for as long as anybody listens."""
    handler.send_response(200)
    handler.send_header("Content-Type", "text/plain")
    handler.end_headers()
    for _ in range(200):
        handler.wfile.write(b"x")
        handler.wfile.flush()
        time.sleep(0.02)


def sleeps(handler: BaseHTTPRequestHandler) -> None:
    time.sleep(1.5)


def endless(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "text/plain")
    handler.end_headers()
    while True:
        handler.wfile.write(b"x" * 10_000)


def breaks_off(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "text/plain")
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b"half of it")


def is_no_server(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"\x16\x03\x01 what is this\r\n\r\n")


class Server:
    """pages: what is answered at a path; asked: the paths, in their order."""

    def __init__(self, pages: dict[str, Answer]):
        self.pages, self.asked = pages, []
        self.most_at_once, self.at_once, self.lock = 0, 0, threading.Lock()


@contextmanager
def serve(pages: dict[str, Answer]) -> Iterator[tuple[Server, str]]:
    """(the server, its address); what is not among its pages is not found."""
    state = Server(pages)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            with state.lock:
                state.asked.append(self.path)
                state.at_once += 1
                state.most_at_once = max(state.most_at_once, state.at_once)
            try:
                state.pages.get(self.path, plain("nothing here", status=404))(self)
            except OSError:
                pass  # nobody listens any more
            finally:
                with state.lock:
                    state.at_once -= 1

        def log_message(self, *arguments):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield state, f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()

"""A web server on this machine, which says what it was asked."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Answer = Callable[[BaseHTTPRequestHandler], None]


def plain(text: str | bytes, kind: str = "text/plain; charset=utf-8", status: int = 200, **headers: str) -> Answer:
    body = text.encode() if isinstance(text, str) else text

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in {"Content_Type": kind, "Content_Length": str(len(body)), **headers}.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(body)

    return answer


def leads(to: str, status: int = 302) -> Answer:
    return plain("", status=status, Location=to)


class Server:
    """pages: what is answered at a path; asked: the paths, in their order."""

    def __init__(self, pages: dict[str, Answer]):
        self.pages, self.asked = pages, []


@contextmanager
def serve(pages: dict[str, Answer]) -> Iterator[tuple[Server, str]]:
    """(the server, its address); what is not among its pages is not found."""
    state = Server(pages)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            state.asked.append(self.path)
            state.pages.get(self.path, plain("nothing here", status=404))(self)

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

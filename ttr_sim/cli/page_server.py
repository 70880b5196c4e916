"""A server for one page on this machine: the page, and what has become of it. It only answers, and only here."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HOST = "127.0.0.1"


class PageServer(ThreadingHTTPServer):
    """Serves the page that `show` was given last; `message` stands above it."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__((HOST, 0), Handler)
        self.page = b""
        self.version = 0
        self.message = ""

    @property
    def address(self) -> str:
        return f"http://{HOST}:{self.server_port}/"

    def show(self, page: str, version: int) -> None:
        self.page, self.version, self.message = page.encode(), version, ""


class Handler(BaseHTTPRequestHandler):
    server: PageServer

    def do_GET(self) -> None:
        """Answer requests of this machine's browser; a foreign name for this address is a site that only claims to be
        here."""
        if self.headers.get("Host") not in {f"{name}:{self.server.server_port}" for name in (HOST, "localhost")}:
            self.send_error(403)
        elif self.path == "/":
            self._answer("text/html; charset=utf-8", self.server.page)
        elif self.path == "/state":
            state = {"version": self.server.version, "message": self.server.message}
            self._answer("application/json", json.dumps(state).encode())
        else:
            self.send_error(404)

    def _answer(self, kind: str, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        """Keep requests out of the terminal."""


@contextmanager
def serving() -> Iterator[PageServer]:
    """Yield a server that ends with the block."""
    server = PageServer()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()

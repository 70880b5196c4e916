"""The server of the watched page answers this machine's browser, and nothing else."""

from __future__ import annotations

import json
from http.client import HTTPConnection

import pytest

from ttr_sim.cli.watching import HOST, serving


def answer(port: int, path: str, method: str = "GET", host: str | None = None) -> tuple[int, bytes]:
    connection = HTTPConnection(HOST, port, timeout=5)
    connection.request(method, path, headers={"Host": host} if host else {})
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response.status, body


def test_it_serves_the_page_and_what_became_of_it() -> None:
    with serving() as server:
        server.show("<p>é</p>", 3)
        server.message = "an error"
        assert answer(server.server_port, "/") == (200, "<p>é</p>".encode())
        status, state = answer(server.server_port, "/state")
        assert (status, json.loads(state)) == (200, {"version": 3, "message": "an error"})
        server.show("<p>new</p>", 4)
        assert json.loads(answer(server.server_port, "/state")[1]) == {"version": 4, "message": ""}


@pytest.mark.parametrize("path", ["/edition.toml", "/../pyproject.toml", "/state/"])
def test_it_has_no_other_files(path: str) -> None:
    with serving() as server:
        assert answer(server.server_port, path)[0] == 404


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_it_only_reads(method: str) -> None:
    with serving() as server:
        assert answer(server.server_port, "/", method)[0] == 501


def test_it_answers_to_its_own_name_only() -> None:
    with serving() as server:
        assert answer(server.server_port, "/", host="elsewhere.example")[0] == 403
        assert answer(server.server_port, "/", host=f"localhost:{server.server_port}")[0] == 200


def test_it_ends_with_its_block() -> None:
    with serving() as server:
        port = server.server_port
    with pytest.raises(ConnectionRefusedError):
        answer(port, "/")

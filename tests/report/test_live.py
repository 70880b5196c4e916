"""The page that is watched: it asks its own server only, and shows the newest page by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.report.conftest import NEEDS_BROWSER
from tests.report.fabricated import fabricated
from ttr_sim.cli.watching import PageServer, serving
from ttr_sim.edition import load_edition
from ttr_sim.report.document import live_page
from ttr_sim.report.page import write_report

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = NEEDS_BROWSER
SERVER_GONE = re.compile("ERR_(CONNECTION_|EMPTY_RESPONSE)")  # before a request, or in the middle of one


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> str:
    page = write_report(fabricated(load_edition("amsterdam")), tmp_path_factory.mktemp("page"), pictures=False).page
    return page.read_text("utf-8")


@pytest.fixture
def server(plain: str) -> Iterator[PageServer]:
    with serving() as running:
        running.show(live_page(plain, 1), 1)
        yield running


@pytest.fixture
def page(browser: Browser, server: PageServer) -> Iterator[Page]:
    opened = browser.new_page()
    troubles: list[str] = []
    opened.on("pageerror", lambda error: troubles.append(str(error)))
    opened.on("console", lambda message: troubles.append(message.text) if message.type == "error" else None)
    opened.goto(server.address)
    yield opened
    opened.close()
    assert [trouble for trouble in troubles if not SERVER_GONE.search(trouble)] == []


def test_a_new_page_shows_itself_and_an_error_stands_above_the_last_good_one(
    page: Page, server: PageServer, plain: str
) -> None:
    server.show(live_page(plain.replace("<h1>", "<h1>Newer "), 2), 2)
    page.wait_for_selector("h1:has-text('Newer')", timeout=5_000)
    server.message = "edition.toml:3:1: trains must be a whole number"
    page.wait_for_selector("#live:has-text('trains must be')", timeout=5_000)
    server.message = ""
    page.wait_for_selector("#live", state="hidden", timeout=5_000)


def test_it_stays_when_the_command_has_ended(page: Page, server: PageServer) -> None:
    server.shutdown()
    server.server_close()
    page.wait_for_selector("#live:has-text('ttr-sim has ended')", timeout=5_000)


def test_opened_as_a_file_it_has_a_button(browser: Browser, plain: str, tmp_path: Path) -> None:
    file = tmp_path / "index.html"
    file.write_text(live_page(plain, 1), "utf-8")
    page = browser.new_page()
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(file.as_uri())
    file.write_text(live_page(plain.replace("<h1>", "<h1>Newer "), 2), "utf-8")
    page.get_by_role("button", name="Show the newest page").click()
    page.wait_for_selector("h1:has-text('Newer')", timeout=5_000)
    assert set(requests) == {file.as_uri()}
    page.close()

"""A real browser for the tests of pages."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CHROMIUM = shutil.which("chromium")
SWITCHES = "headless no-sandbox disable-gpu disable-quic no-first-run disable-background-networking disable-sync"

NEEDS_BROWSER = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        switches = [f"--{switch}" for switch in (*SWITCHES.split(), "disable-component-update")]
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=switches)
        yield opened
        opened.close()

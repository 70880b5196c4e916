"""The static site: every link leads to a page of it or to another site, and every text is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scripts.tools.checkout import ROOT
from scripts.tools.site import build


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "site"
    build(ROOT, folder)
    return folder


def test_texts_and_gallery_are_pages(site: Path) -> None:
    names = {path.stem for path in (site / "docs").glob("*.html")}
    assert names == {path.stem for path in (ROOT / "docs").glob("*.md")}
    assert (site / "index.html").is_file()
    assert (site / "reports" / "gallery" / "index.html").is_file()


def test_links_lead_somewhere(site: Path) -> None:
    for page in [site / "index.html", *(site / "docs").glob("*.html")]:
        for href in re.findall(r'href="([^"#]+)', page.read_text("utf-8")):
            assert "://" in href or (page.parent / href).is_file(), f"{page.name}: {href}"


def test_tables_and_headings_are_rendered(site: Path) -> None:
    text = (site / "docs" / "report.html").read_text("utf-8")
    assert "<table>" in text
    assert 'id="the-official-ranges"' in text

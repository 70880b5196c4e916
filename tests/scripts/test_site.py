"""The static site: every link leads to a page of it or to another site, and every text is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from scripts.tools.command import ROOT
from scripts.tools.site import build, main


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


def test_links_and_pictures_lead_somewhere(site: Path) -> None:
    for page in [site / "index.html", *(site / "docs").glob("*.html")]:
        for href in re.findall(r'href="([^"#]+)', page.read_text("utf-8")):
            assert "://" in href or (page.parent / href).is_file(), f"{page.name}: {href}"
    for page in site.rglob("*.html"):
        for source in re.findall(r'<img src="([^"]+)"', page.read_text("utf-8")):
            assert (page.parent / source).is_file(), f"{page.name}: {source}"


def test_tables_and_headings_are_rendered_with_names_of_their_own(site: Path) -> None:
    text = (site / "docs" / "report.html").read_text("utf-8")
    assert "<table>" in text
    assert 'id="the-official-ranges"' in text
    for page in (site / "CHANGELOG.html", *(site / "docs").glob("*.html")):
        names = re.findall(r'<h\d id="([^"]+)"', page.read_text("utf-8"))
        assert len(names) == len(set(names)), page.name


def test_a_site_replaces_a_site_and_nothing_else(tmp_path: Path) -> None:
    out = tmp_path / "site"
    assert CliRunner().invoke(main, ["--out", str(out)]).exit_code == 0
    assert CliRunner().invoke(main, ["--out", str(out)]).exit_code == 0
    (out / "thesis.txt").write_text("mine")
    refused = CliRunner().invoke(main, ["--out", str(out)])
    assert refused.exit_code == 2 and "name a new folder" in refused.output
    assert (out / "thesis.txt").read_text() == "mine"
    (tmp_path / "project" / "docs").mkdir(parents=True)  # a name that a site has, too
    assert CliRunner().invoke(main, ["--out", str(tmp_path / "project")]).exit_code == 2
    assert (tmp_path / "project" / "docs").is_dir()

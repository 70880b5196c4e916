"""The page: complete, self-contained, linked up, and deaf to what names may hold."""

from __future__ import annotations

import dataclasses
import re
from html.parser import HTMLParser
from pathlib import Path

import pandas as pd
import pytest
from markupsafe import escape

from tests.report.fabricated import fabricated
from ttr_sim.analysis.analysis import Analysis
from ttr_sim.analysis.findings import Finding
from ttr_sim.analysis.tables import TABLES
from ttr_sim.analysis.watch import GameToWatch
from ttr_sim.edition import load_edition
from ttr_sim.edition.statics import MEASURES
from ttr_sim.report.page import BESIDE, SECTIONS, write_page

HOSTILE = "<script>alert(1)</script>"
FORMULA = '=HYPERLINK("http://evil.example")'
LARGEST = 3_000_000


class Seen(HTMLParser):
    """Ids, links and scripts of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.scripts = 0
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.scripts += tag == "script"
        if values.get("id"):
            self.ids.append(str(values["id"]))
        if values.get("href"):
            self.links.append(str(values["href"]))


def renamed(analysis: Analysis) -> Analysis:
    """Two cities get names that would do harm where names are not treated as text."""
    old = [city.name for city in analysis.edition.cities[:2]]
    names = dict(zip(old, (HOSTILE, FORMULA), strict=True))
    cities = tuple(dataclasses.replace(city, name=names.get(city.name, city.name)) for city in analysis.edition.cities)
    tickets = tuple(
        dataclasses.replace(t, a=names.get(t.a, t.a), b=names.get(t.b, t.b)) for t in analysis.edition.tickets
    )
    tables = {name: table.replace(names) for name, table in analysis.tables.items()}
    return dataclasses.replace(
        analysis, edition=dataclasses.replace(analysis.edition, cities=cities, tickets=tickets), tables=tables
    )


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    return write_page(renamed(fabricated(load_edition("amsterdam"))), folder, "ttr-sim study amsterdam")


@pytest.fixture(scope="module")
def page(written: Path) -> str:
    return written.read_text(encoding="utf-8")


def test_every_section_and_table_is_there(page: str) -> None:
    seen = Seen(page)
    for section in SECTIONS:
        assert section.anchor in seen.ids
        assert {f"t-{table}" for table in section.tables} <= set(seen.ids)


def test_the_board_before_anyone_plays_stands_beside_official_ones(page: str) -> None:
    for measure in MEASURES:
        assert f'title="{escape(measure.definition)}">{measure.name}</th>' in page
    part = page[page.index('id="paper"') : page.index('id="maps"')]
    assert part.count('class="strip"') == len(MEASURES)
    assert "load-on-paper" in part
    assert "<dt>Near-duplicates</dt><dd>" in part
    assert 'id="m-paper"' in page


def test_ids_are_unique_and_links_lead_somewhere(page: str, written: Path) -> None:
    seen = Seen(page)
    assert len(seen.ids) == len(set(seen.ids))
    inside = {link[1:] for link in seen.links if link.startswith("#")}
    assert inside <= set(seen.ids)
    assert all((written.parent / link).is_file() for link in seen.links if not link.startswith("#"))


def test_nothing_is_fetched(page: str) -> None:
    addresses = set(re.findall(r'(?:src|href)="(?!#)([^"]*)"', page))
    tables = {name for section in SECTIONS for name in section.tables} | set(BESIDE)
    assert addresses == {f"tables/{name}.csv" for name in tables}
    assert "@import" not in page
    assert not re.findall(r"url\((?!#)", page)


def test_names_are_text(page: str, written: Path) -> None:
    assert HOSTILE not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert Seen(page).scripts == 1
    for file in (written.parent / "tables").glob("*.csv"):
        cells = pd.read_csv(file, dtype=str).to_numpy().ravel()
        assert not [cell for cell in cells if str(cell).startswith("=")]


def test_files_beside_it(page: str, written: Path) -> None:
    assert {file.stem for file in (written.parent / "tables").glob("*.csv")} == set(TABLES)
    drawn = {file.stem for file in (written.parent / "charts").glob("*.png")}
    subjects = ("claims", "contention", "denial", "rounds", "load")
    maps = {"board", "map-paper"} | {f"map-{subject}-{players}p" for subject in subjects for players in (2, 3, 4)}
    assert maps <= drawn
    assert drawn - maps <= set(Seen(page).ids)
    assert len(drawn - maps - {"load-on-paper"}) == sum(len(section.charts) for section in SECTIONS)


def test_it_tells_how_it_was_made(page: str) -> None:
    analysis = fabricated(load_edition("amsterdam"))
    for word in (analysis.edition.fingerprint, "ttr-sim study amsterdam", "abab", "plan hash", "versions"):
        assert word in page


def test_its_size(written: Path) -> None:
    assert written.stat().st_size < LARGEST


def test_the_same_analysis_gives_the_same_page(page: str, tmp_path: Path) -> None:
    again = write_page(
        renamed(fabricated(load_edition("amsterdam"))), tmp_path, "ttr-sim study amsterdam", pictures=False
    )
    assert again.read_text(encoding="utf-8") == page
    assert not (tmp_path / "charts").exists()


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A page of one player count about which nothing can be said."""
    full = fabricated(load_edition("amsterdam"), (2,))
    tables = {name: table.iloc[:0] for name, table in full.tables.items()}
    empty = dataclasses.replace(full, tables=tables, missing={"routes": "There are no turns."}, findings=())
    return write_page(empty, tmp_path_factory.mktemp("bare"), pictures=False).read_text(encoding="utf-8")


def test_empty_tables_are_explained(bare: str) -> None:
    assert "There are no turns." in bare
    assert "show nothing notable" in bare


def test_one_player_count_needs_no_choice(bare: str, page: str) -> None:
    assert 'class="picker"' not in bare
    assert 'class="picker"' in page


def test_games_to_watch_are_linked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    games = [
        GameToWatch("blocked", "the most blocked", 3, Path("runs/x"), 7),
        GameToWatch("stalled", "", 2, Path("runs/x"), 9),
    ]
    monkeypatch.setattr("ttr_sim.report.page.games_to_watch", lambda analysis: games)
    analysis = fabricated(load_edition("amsterdam"))
    findings = (Finding("denied_route", (3,), "A route locks out.", True, "routes", 3, about="board"),)
    told = dataclasses.replace(analysis, findings=findings)
    file = write_page(told, tmp_path, pictures=False, film=lambda games, edition: [path.touch() for _, path in games])
    links = [link for link in Seen(file.read_text("utf-8")).links if link.startswith("games/")]
    assert links == ["games/blocked-3p-7.html", "games/blocked-3p-7.html", "games/stalled-2p-9.html"]
    assert all((tmp_path / link).is_file() for link in links)

"""Pages: complete, self-contained, linked up, and deaf to scripts and formulas in names."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path

import pandas as pd
import pytest
from markupsafe import escape

from tests.analysis.synthetic import World, write_run
from tests.report.balanced import balanced
from tests.report.fabricated import fabricated
from ttr_sim.analysis.analysis import Analysis
from ttr_sim.analysis.compare import Comparison, compare
from ttr_sim.analysis.findings import Finding
from ttr_sim.analysis.tables import TABLES
from ttr_sim.analysis.targets import TICKET
from ttr_sim.analysis.watch import GameToWatch
from ttr_sim.edition import load_edition
from ttr_sim.edition.model import Edition
from ttr_sim.edition.statics import statics
from ttr_sim.report.balance_page import write_balance
from ttr_sim.report.compare_page import write_comparison
from ttr_sim.report.document import live_page
from ttr_sim.report.page import BESIDE, SECTIONS, board_measures, write_report
from ttr_sim.run.read import open_run

HOSTILE = "<script>alert(1)</script>"
FORMULA = '=HYPERLINK("http://evil.example")'
LARGEST = 3_000_000


class Seen(HTMLParser):
    """Ids, links and scripts of a page."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.scripts = 0
        self.feed(page.read_text("utf-8"))
        assert len(self.ids) == len(set(self.ids))
        assert {link[1:] for link in self.links if link.startswith("#")} <= set(self.ids)
        files = [link for link in self.links if not link.startswith(("#", "data:"))]
        assert all((page.parent / link).is_file() for link in files)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.scripts += tag == "script"
        self.ids += [str(values["id"])] if values.get("id") else []
        self.links += [str(values["href"])] if values.get("href") else []


def renamed(analysis: Analysis) -> Analysis:
    """Two cities get names that would do harm where names are not treated as text."""
    edition = analysis.edition
    names = dict(zip([city.name for city in edition.cities[:2]], (HOSTILE, FORMULA), strict=True))
    cities = tuple(dataclasses.replace(city, name=names.get(city.name, city.name)) for city in edition.cities)
    tickets = tuple(dataclasses.replace(t, a=names.get(t.a, t.a), b=names.get(t.b, t.b)) for t in edition.tickets)
    tables = {name: table.replace(names) for name, table in analysis.tables.items()}
    edition = dataclasses.replace(edition, cities=cities, tickets=tickets)
    return dataclasses.replace(analysis, edition=edition, tables=tables)


ANALYSIS = renamed(fabricated(load_edition("amsterdam")))


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_report(ANALYSIS, tmp_path_factory.mktemp("report"), "ttr-sim study amsterdam").page


@pytest.fixture(scope="module")
def page(written: Path) -> str:
    return written.read_text(encoding="utf-8")


def test_every_section_and_table_is_there_and_nothing_is_fetched(page: str, written: Path) -> None:
    seen = Seen(written)
    for section in SECTIONS:
        assert {section.anchor, *(f"t-{table}" for table in section.tables)} <= set(seen.ids)
    tables = {name for section in SECTIONS for name in section.tables} | set(BESIDE)
    assert {link for link in seen.links if not link.startswith("#")} == {f"tables/{name}.csv" for name in tables}
    assert "@import" not in page and not re.findall(r"url\((?!#)|src=", page)
    assert written.stat().st_size < LARGEST


def test_the_board_before_anyone_plays_shows_only_what_lies_outside_the_official_range(page: str) -> None:
    lines = list(board_measures(statics(ANALYSIS.edition)))
    outside = [line for line in lines if line["cells"][0]["standing"] in ("below", "above")]
    part = page[page.index('id="paper"') : page.index('id="numbers"')]
    assert 0 < len(outside) < len(lines)
    named = set(re.findall(r'<th scope="row"[^>]*>([^<]+)</th>', part))
    assert named == {str(escape(line["words"])) for line in outside}
    assert part.count('class="strip"') == len(outside)
    assert "load-on-paper" in page and "<dt>Near-duplicates</dt><dd>" in page and 'id="m-paper"' in page


def test_names_are_text(page: str, written: Path) -> None:
    assert HOSTILE not in page and str(escape(HOSTILE)) in page
    assert Seen(written).scripts == 1
    for file in (written.parent / "tables").glob("*.csv"):
        cells = pd.read_csv(file, dtype=str).to_numpy().ravel()
        assert not [cell for cell in cells if str(cell).startswith("=")]


def test_files_beside_it(written: Path) -> None:
    assert {file.stem for file in (written.parent / "tables").glob("*.csv")} == set(TABLES)
    drawn = {file.stem for file in (written.parent / "charts").glob("*.png")}
    subjects = ("claims", "contention", "denial", "rounds", "load")
    maps = {"board", "map-paper"} | {f"map-{subject}-{players}p" for subject in subjects for players in (2, 3, 4)}
    assert maps <= drawn
    assert drawn - maps <= set(Seen(written).ids)
    assert len(drawn - maps - {"load-on-paper"}) == sum(len(section.charts) for section in SECTIONS)


def test_only_the_watched_page_may_ask(page: str) -> None:
    watched = live_page(page, 7)
    before, after = (re.findall(r'Content-Security-Policy" content="([^"]*)"', text)[0] for text in (page, watched))
    assert "connect-src" not in page and "connect-src 'self'" in after and 'data-version="7"' in watched
    assert after.startswith(before[: before.index(";", before.index("script-src"))])


def test_it_says_how_it_was_made(page: str) -> None:
    for word in (ANALYSIS.edition.fingerprint, "ttr-sim study amsterdam", "abab", "plan hash", "versions"):
        assert word in page


def test_the_same_analysis_gives_the_same_page(page: str, tmp_path: Path) -> None:
    again = write_report(ANALYSIS, tmp_path, "ttr-sim study amsterdam", pictures=False).page
    assert again.read_text(encoding="utf-8") == page
    assert not (tmp_path / "charts").exists()


def test_where_nothing_can_be_said_the_page_says_why(page: str, tmp_path: Path) -> None:
    full = fabricated(load_edition("amsterdam"), (2,))
    tables = {name: table.iloc[:0] for name, table in full.tables.items()}
    verdict = dataclasses.replace(full.verdict, tables=tables, targets=())
    missing = {"routes": "There are no turns."}
    empty = dataclasses.replace(full, tables=tables, missing=missing, findings=(), verdict=verdict)
    bare = write_report(empty, tmp_path, pictures=False).page.read_text(encoding="utf-8")
    assert "There are no turns." in bare and "Nothing to change." in bare
    assert not {"play", "odd"} & set(Seen(tmp_path / "index.html").ids), "hollow sections are left out"
    assert 'class="picker"' not in bare and 'class="picker"' in page


def test_games_to_watch_are_linked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = Path("runs/x")
    targets = list(ANALYSIS.verdict.targets)
    place = next(place for place, target in enumerate(targets) if target.measure == TICKET)
    targets[place] = dataclasses.replace(targets[place], value=9.0, low=8.0, high=10.0)  # the first row of the table
    row = targets[place].row
    games = [
        GameToWatch("blocked", "the most blocked", 3, run, 7),
        GameToWatch("stalled", "", 2, run, 9),
        GameToWatch(f"ticket {row}", "it is completed", 3, run, 5),
    ]
    reasons: dict[str, str] = {}
    monkeypatch.setattr("ttr_sim.report.page.games_to_watch", lambda analysis: games)
    findings = (Finding("denied_route", (3,), "A route locks out.", True, "routes", 3, about="board"),)
    verdict = dataclasses.replace(ANALYSIS.verdict, targets=tuple(targets))
    told = dataclasses.replace(ANALYSIS, findings=findings, verdict=verdict)

    def film(games: Sequence[tuple[GameToWatch, Path]], edition: Edition) -> None:
        for watched, path in games:
            reasons[path.name] = watched.words
            path.touch()

    file = write_report(told, tmp_path, pictures=False, film=film).page
    links = [link for link in Seen(file).links if link.startswith("games/")]
    of_ticket = f"games/ticket-{row}-3p-5.html"
    assert set(links) == {"games/blocked-3p-7.html", "games/stalled-2p-9.html", of_ticket}
    assert links.count(of_ticket) == 2, "from the ticket's row and the list"
    assert reasons["blocked-3p-7.html"] == "3 players, the most blocked. An example of: A route locks out."
    assert links.count("games/blocked-3p-7.html") >= 3, "from the card of routes, the finding, and the list"


@pytest.fixture(scope="module")
def comparison(tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    home = tmp_path_factory.mktemp("runs")
    folders = write_run(home / "before", World(), 60), write_run(home / "after", World(tickets={3: 15.0}), 60)
    return compare(*(open_run(folder) for folder in folders), 0.01)


def test_a_comparison_needs_nothing_but_itself_and_its_rows_point_at_the_map(
    comparison: Comparison, tmp_path: Path
) -> None:
    edition = dataclasses.replace(comparison.b.edition, title=HOSTILE)
    strange = dataclasses.replace(
        comparison, b=dataclasses.replace(comparison.b, edition=edition), changes=(f"city {HOSTILE} is new",)
    )
    file = write_comparison(strange, tmp_path, HOSTILE)
    page, charts = file.read_text("utf-8"), {path.name for path in (tmp_path / "charts").iterdir()}
    assert charts == {"map-changes.png"}
    assert Seen(file).scripts == 1 and page.count(str(escape(HOSTILE))) >= 3
    targets = re.findall(r'<tr[^>]* data-of="([^"]+)"', page)
    assert len(targets) == len(comparison.tickets) + len(comparison.routes)
    assert {target for row in targets for target in row.split()} <= set(re.findall(r'<g[^>]* data-of="([^"]+)"', page))
    assert page.count("Nothing surely moved as a whole") + page.count("The game as a whole changes") == 1


def test_a_comparison_without_routes_has_no_map(comparison: Comparison, tmp_path: Path) -> None:
    unknown = comparison.routes.assign(difference=float("nan"), contention_difference=float("nan"), notable=False)
    page = write_comparison(dataclasses.replace(comparison, routes=unknown), tmp_path).read_text("utf-8")
    assert "map-changes" not in page and 'id="map"' not in page
    assert "There is nothing to compare." in page


def test_a_comparison_shows_edits_first_then_what_else_surely_moved(comparison: Comparison, tmp_path: Path) -> None:
    quiet = write_comparison(comparison, tmp_path / "quiet").read_text("utf-8")
    assert "m-change-" not in quiet and 'class="fix"' not in quiet
    tickets, routes = comparison.tickets.copy(), comparison.routes.copy()
    tickets.loc[2, ["points_a", "points_b"]] = [9, 14]
    routes.loc[[0, 1], ["difference", "notable", "claimed_notable"]] = [0.12, True, True]
    missed = next(target for target in ANALYSIS.verdict.targets if target.measure == TICKET and target.row == 0)
    targets = dataclasses.replace(comparison.targets, worse=(missed,))
    changed = dataclasses.replace(comparison, tickets=tickets, routes=routes, targets=targets)
    moved = write_comparison(changed, tmp_path / "moved").read_text("utf-8")
    rows = re.findall(
        r'<tr id="r(\d)">\s*<td class="n">.*?<span>([^<]+)<(.*?)<td class="ch"[^>]*>([^<]*)<', moved, re.DOTALL
    )
    names = [f"{row['from']}–{row['to']}" for table in (tickets, routes) for row in table.to_dict("records")]
    assert [(found[0], found[3]) for found in rows] == [("1", "9 → 14 points"), ("2", ""), ("3", ""), ("4", "")]
    assert rows[0][1] == names[2] and rows[1][1] == names[0] and "newly missed" in rows[1][2]
    assert moved.count("<h1>") == 1 and "Worse for the targets of" in moved
    first, *others = re.findall(r'id="m-([^"]+)"', moved)
    assert first == "change-claimed" and "change-contention" not in others
    assert "+0 to" not in moved and "−0<" not in moved


def test_a_balance_shows_edits_with_their_effect_and_each_target_before_and_after(tmp_path: Path) -> None:
    outcome = balanced(load_edition("usa"), tmp_path / "out")
    file = write_balance(outcome, "ttr-sim balance usa", tmp_path / "page")
    page = file.read_text("utf-8")
    assert {"t-asked", "t-targets", "t-path", "board", "r1", "r5"} <= set(Seen(file).ids)
    assert "no edit of the board changes the turn order" in page
    assert re.search(r"was too generous.*?\+9\.0 →</span> <b>\+2\.2</b>", page, re.DOTALL)
    assert re.findall(r'class="(?:arc|halo) mark m(\d) (\w+)"', page).count(("1", "met")) == 1
    targets = pd.read_csv(tmp_path / "page" / "tables" / "targets.csv")
    assert targets["state"].tolist() == ["met", "met", "met", "missed"]
    assert targets.loc[0, ["before", "after", "limit_high"]].tolist() == [0.09, 0.0225, 0.05]

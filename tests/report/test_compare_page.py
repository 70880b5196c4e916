"""The page of a comparison: complete in itself, safe with any name, quiet where nothing is known."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.analysis.synthetic import World, write_run
from ttr_sim.analysis.compare import Comparison, compare
from ttr_sim.report.compare_page import write_comparison
from ttr_sim.run.opened import open_run

HOSTILE = '<script>alert("x")</script>'


@pytest.fixture(scope="module")
def comparison(tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    home = tmp_path_factory.mktemp("runs")
    folders = write_run(home / "before", World(), 60), write_run(home / "after", World(tickets={3: 15.0}), 60)
    return compare(*(open_run(folder) for folder in folders), 0.01)


def test_the_page_needs_nothing_but_itself(comparison: Comparison, tmp_path: Path) -> None:
    page = write_comparison(comparison, tmp_path, "ttr-sim compare a b").read_text("utf-8")
    assert not re.findall(r"""(?:src|href)=["']https?://""", page)
    assert {path.name for path in (tmp_path / "charts").iterdir()} == {
        "headline-changes.png",
        "ticket-changes.png",
        "map-changes.png",
    }
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'<a href="#([^"]+)"', page)) <= set(ids)


def test_every_row_points_at_the_map(comparison: Comparison, tmp_path: Path) -> None:
    page = write_comparison(comparison, tmp_path).read_text("utf-8")
    targets = re.findall(r'<tr[^>]* data-of="([^"]+)"', page)
    assert len(targets) == len(comparison.tickets) + len(comparison.routes)
    assert {target for row in targets for target in row.split()} <= set(re.findall(r'<g[^>]* data-of="([^"]+)"', page))


def test_names_of_a_designer_are_escaped(comparison: Comparison, tmp_path: Path) -> None:
    run = comparison.b
    edition = replace(run.edition, title=HOSTILE)
    strange = replace(comparison, b=replace(run, edition=edition), changes=(f"city {HOSTILE} is new",))
    page = write_comparison(strange, tmp_path, HOSTILE).read_text("utf-8")
    assert HOSTILE not in page
    assert page.count("&lt;script&gt;") >= 3


def test_without_routes_there_is_no_map(comparison: Comparison, tmp_path: Path) -> None:
    unknown = comparison.routes.assign(difference=float("nan"), contention_difference=float("nan"), notable=False)
    page = write_comparison(replace(comparison, routes=unknown), tmp_path).read_text("utf-8")
    assert "map-changes" not in page
    assert "There is nothing to compare." in page


def test_changes_come_first_where_a_route_surely_moved(comparison: Comparison, tmp_path: Path) -> None:
    assert not comparison.routes["notable"].any()
    quiet = write_comparison(comparison, tmp_path / "quiet").read_text("utf-8")
    assert "What moved on the board" not in quiet and "m-change-" not in quiet
    routes = comparison.routes.copy()
    routes.loc[[0, 1], ["difference", "notable", "claimed_notable"]] = [0.12, True, True]
    moved = write_comparison(replace(comparison, routes=routes), tmp_path / "moved").read_text("utf-8")
    assert "What moved on the board" in moved
    first, *others = re.findall(r'id="m-([^"]+)"', moved)
    assert first == "change-claimed" and "change-contention" not in others
    assert "+0 to" not in moved and "−0<" not in moved

"""Real games of changed editions: what was planted is found, and pairing pays."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.handmade import changed_usa
from tests.played_runs import play_run
from ttr_sim.analysis.compare import Comparison, Side, compare, contrast, measure
from ttr_sim.analysis.db import Database
from ttr_sim.analysis.jackknife import Estimate
from ttr_sim.analysis.thresholds import LEAST_DIFFERENCE
from ttr_sim.edition import load_edition
from ttr_sim.run.read import open_run

pytestmark = pytest.mark.slow

GAMES = 20_000
BOTS = ("planner", "racer")
TICKET = "Atlanta,Montréal,9,"  # the first of the file
ROUTE = "Denver,Oklahoma City,4,red,plain,0\n"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("planted")


@pytest.fixture(scope="module")
def usa(home: Path) -> Path:
    play_run(home / "usa", "usa", 2, BOTS, GAMES)
    return home / "usa"


def changed(home: Path, file: str, old: str, new: str) -> Path:
    """The run of an edition in which one text of one file is another."""
    edition = changed_usa(home / "edition", file, old, new)
    return play_run(home / f"run-{len(list(home.iterdir()))}", edition, 2, BOTS, GAMES).path


def compared(a: Path, b: Path) -> Comparison:
    return compare(open_run(a), open_run(b), LEAST_DIFFERENCE)


def measured(run: Path) -> Side:
    with Database([open_run(run)]) as games:
        return measure(games, {})


def width(one: Estimate, other: Estimate, row: int) -> float:
    """How wide the interval of a row's difference is among pairs, beside that of independent runs."""
    paired, unpaired = (contrast(one, other, paired).iloc[row] for paired in (True, False))
    return float((paired["high"] - paired["low"]) / (unpaired["high"] - unpaired["low"]))


def test_pairing_halves_the_interval_of_a_tickets_win_share(home: Path, usa: Path) -> None:
    """Two points more on one ticket."""
    a, b = measured(usa), measured(changed(home, "tickets.csv", TICKET, "Atlanta,Montréal,11,"))
    assert width(a.tickets[""], b.tickets[""], 0) <= 0.5


def test_pairing_gains_little_for_a_route_of_another_length(home: Path, usa: Path) -> None:
    """Nearly every game goes another way, so only the luck of the deal is shared."""
    row = (load_edition("usa").folder / "routes.csv").read_text("utf-8").splitlines().index(ROUTE.strip()) - 1
    a, b = measured(usa), measured(changed(home, "routes.csv", ROUTE, ROUTE.replace(",4,", ",3,")))
    assert 0.6 <= width(a.routes[""], b.routes[""], row) <= 1.05


def test_four_points_more_on_a_ticket_are_found(home: Path, usa: Path) -> None:
    found = compared(usa, changed(home, "tickets.csv", TICKET, "Atlanta,Montréal,13,"))
    assert found.tickets.set_index(["from", "to"]).loc[("Atlanta", "Montréal"), "notable"]


def test_a_route_that_is_gone_is_found(home: Path, usa: Path) -> None:
    found = compared(usa, changed(home, "routes.csv", ROUTE, ""))
    assert found.changes == ("route Denver–Oklahoma City (red) is gone",)
    assert len(found.routes) == 99
    near = found.routes[(found.routes["from"] == "Denver") | (found.routes["to"] == "Oklahoma City")]
    assert near["notable"].any()


def test_forty_trains_instead_of_45_are_found(home: Path, usa: Path) -> None:
    found = compared(usa, changed(home, "edition.toml", "trains = 45", "trains = 40"))
    rounds = found.headlines.set_index("name").loc["Rounds of a game"]
    assert rounds["notable"]
    assert rounds["difference"] < -2

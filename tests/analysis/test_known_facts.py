"""Real games: what is known of a board comes out, and what was changed on it shows where it should."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pandas as pd
import pytest

from tests.played_runs import play_run
from ttr_sim.analysis import analyze
from ttr_sim.edition import find_folder

pytestmark = pytest.mark.slow
TICKET = "Los Angeles,New York,21,regular"
BRIDGE = "Kansas City,Omaha"


@pytest.fixture(scope="module")
def usa(tmp_path_factory: pytest.TempPathFactory) -> dict[str, pd.DataFrame]:
    return tables_of(find_folder("usa"), tmp_path_factory.mktemp("usa"))


def tables_of(edition: Path, folder: Path) -> dict[str, pd.DataFrame]:
    play_run(folder / "run", edition, 2, ("path",), 4_000)
    return dict(analyze([folder / "run"]).tables)


def edited(folder: Path, file: str, pattern: str, replacement: str) -> Path:
    board = folder / "board"
    shutil.copytree(find_folder("usa"), board)
    before = (board / file).read_text(encoding="utf-8")
    after = re.sub(pattern, replacement, before, flags=re.MULTILINE)
    assert after != before
    (board / file).write_text(after, encoding="utf-8")
    return board


def number(table: pd.DataFrame, ends: str, column: str) -> float:
    first, second = ends.split(",")[:2]
    return float(table[(table["from"] == first) & (table["to"] == second)][column].iloc[0])


def test_first_to_move_gains_with_two(usa: dict[str, pd.DataFrame]) -> None:
    assert usa["seats"]["win_share_low"][0] > 0.5


def test_short_bridges_of_the_middle_are_among_the_most_claimed(usa: dict[str, pd.DataFrame]) -> None:
    most = usa["connections"].sort_values("claims", ascending=False).head(12)
    names = set(most["from"] + "–" + most["to"])
    assert {"Kansas City–Omaha", "Atlanta–Nashville"} <= names


def test_doubled_ticket_gives_more_to_whoever_is_dealt_it(usa: dict[str, pd.DataFrame], tmp_path: Path) -> None:
    board = edited(tmp_path, "tickets.csv", f"^{TICKET}$", TICKET.replace("21", "42"))
    doubled = tables_of(board, tmp_path)
    gain = number(doubled["ticket_value"], TICKET, "points_effect_low") - number(
        usa["ticket_value"], TICKET, "points_effect_high"
    )
    assert gain > 2


def test_removed_route_sends_its_traffic_elsewhere(usa: dict[str, pd.DataFrame], tmp_path: Path) -> None:
    without = tables_of(edited(tmp_path, "routes.csv", f"^{BRIDGE},.*\n", ""), tmp_path)
    with pytest.raises(IndexError):
        number(without["connections"], BRIDGE, "claims")
    before, after = (
        tables["cities"].set_index("name").loc[["Omaha"], ["claims_low", "claims_high"]].iloc[0]
        for tables in (usa, without)
    )
    assert after["claims_high"] < before["claims_low"]

"""Boards with one property each, played by real bots: it shows in the measures of what a game feels like."""

from __future__ import annotations

import pandas as pd
import pytest

from tests.edition.planted import Link, planted
from tests.played_runs import play_run
from ttr_sim.analysis.analysis import analyze

GAMES = 1_600
RING = "ABCDEFGHIJKL"
AROUND: list[Link] = [(a, b, 3) for a, b in zip(RING, RING[1:] + RING[:1], strict=True)]
LEFT, RIGHT = "ABCDE", "HIJKL"
BRIDGED: list[Link] = [*((a, "F", 3) for a in LEFT), ("F", "G", 3), *(("G", b, 3) for b in RIGHT)]
TRAINS = 13


Boards = dict[str, dict[str, pd.DataFrame]]


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Boards:
    home = tmp_path_factory.mktemp("planted")
    even = [(a, b, 3) for a, b, _ in AROUND]
    boards: dict[str, tuple[list[Link], list[Link]]] = {
        "apart": (AROUND, even),
        "decided": (AROUND, [(a, b, 90 if row < 4 else 1) for row, (a, b, _) in enumerate(even)]),
        "bridge": (BRIDGED, [(a, b, 9) for a in LEFT for b in RIGHT]),
    }
    found = {}
    for name, (routes, tickets) in boards.items():
        folder = home / name
        folder.mkdir()
        changes = (("trains = 45", f"trains = {TRAINS}"), ("draw = 3", "draw = 0"))
        planted(folder / "board", routes, tickets, changes=changes)
        found[name] = dict(analyze([play_run(folder / "strong", folder / "board", 2, ("planner",), GAMES)]).tables)
    return found


def number(tables: dict[str, pd.DataFrame], table: str, column: str) -> tuple[float, float]:
    """Low and high ends of an estimate."""
    row = tables[table].iloc[0]
    return float(row[f"{column}_low"]), float(row[f"{column}_high"])


def test_players_with_nothing_to_fight_over_leave_rivals_their_routes(tables: Boards) -> None:
    assert number(tables["apart"], "shape", "interaction")[1] < 0.9
    assert number(tables["bridge"], "shape", "interaction")[0] > 1.1


def test_games_decided_by_the_opening_have_less_drama_and_a_leader_from_the_start(tables: Boards) -> None:
    for column in ("drama", "decided_for_good"):
        decided, even = (number(tables[name], "shape", column) for name in ("decided", "apart"))
        assert decided[1] < even[0], column
    decided, even = (number(tables[name], "shape_course", "leader") for name in ("decided", "apart"))
    assert decided[0] > even[1]


def test_the_bridge_is_crowded_and_fought_over(tables: Boards) -> None:
    loads = tables["bridge"]["shape_loads"].set_index(["from", "to"])
    bridge = loads.loc[("F", "G")]
    assert bridge["crowded"] and bridge["load"] == loads["load"].max()
    assert bridge["contention"] == loads["contention"].max() > 0.3

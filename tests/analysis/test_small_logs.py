"""Numbers of tiny logs, worked out by hand."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from tests.analysis.handmade import claim, duel, game, seat, write_log
from ttr_sim.analysis import thresholds
from ttr_sim.analysis.analysis import Analysis, analyze
from ttr_sim.analysis.tables import TABLES

Row = Mapping[str, float]


@pytest.fixture(scope="module")
def duels(tmp_path_factory: pytest.TempPathFactory) -> Analysis:
    return analyze([write_log(tmp_path_factory.mktemp("duel"), ["A", "B"], 2, duel())])


def row(table: pd.DataFrame, **keys: object) -> pd.Series:
    for name, value in keys.items():
        table = table[table[name] == value]
    assert len(table) == 1
    return table.iloc[0]


def test_every_table_has_the_promised_columns(duels: Analysis) -> None:
    assert list(duels.tables) == list(TABLES)
    for name, table in duels.tables.items():
        assert list(table.columns) == TABLES[name].column_names, name


def test_tables_and_thresholds_are_documented_with_their_values() -> None:
    page = (Path(__file__).parents[2] / "docs" / "statistics.md").read_text(encoding="utf-8")
    assert [table for table in TABLES if f"`{table}`" not in page] == []
    rows = dict(re.findall(r"^\| `([A-Z_]+)` \| ([\d.]+) \|", page, flags=re.MULTILINE))
    known = {name: value for name, value in vars(thresholds).items() if name.isupper()}
    assert {name: float(value) for name, value in rows.items()} == known


BY_HAND: list[tuple[str, dict[str, object], dict[str, object]]] = [
    ("overview", {}, {"runs": 1, "games": 4, "blocks": 2, "bots": "A, B", "log": "full", "field": "own"}),
    ("seats", {"seat": 0}, {"n": 4, "win_share": 0.75, "score": 112.5}),
    ("seats_by_bot", {"bot": "B", "seat": 0}, {"n": 2, "win_share": 0.5, "gain": 0.25}),
    ("matchups", {"bot": "A"}, {"opponent": "B", "n": 4, "share": 0.75}),
    ("matchups", {"bot": "B"}, {"opponent": "A", "n": 4, "share": 0.25}),
    # Half a win is lent to both.
    ("strategies", {"bot": "A"}, {"n": 4, "fair": 0.5, "win_share": 0.75, "score": 120, "verdict": ""}),
    ("strategies", {"bot": "A"}, {"rating": 400 / np.log(10) * np.log(3.5 / 1.5) / 2}),
    ("score_parts", {"bot": "", "part": "ticket_penalty"}, {"n": 8, "mean": -30 / 8, "winners": 0}),
    ("score_parts", {"bot": "A", "part": "route"}, {"winners": (70 + 90 + 90) / 3}),
    ("pace", {"measure": "rounds"}, {"n": 4, "mean": 25, "p10": 20, "median": 20, "p90": 30}),
    ("pace", {"measure": "decided"}, {"n": 3, "mean": (0.5 + 0.5 + 1) / 3}),
    ("pace", {"measure": "hidden"}, {"mean": 0.25}),
    ("pace", {"measure": "shared"}, {"mean": 0}),
    ("actions", {"action": "draw"}, {"share": 2 / 200, "per_seat": 2 / 8}),
    # Ticket 0 was dealt to A in all four games, ticket 1 to B: every stratum holds one ticket only, so nothing can
    # differ from its mean.
    ("ticket_value", {"ticket": 0}, {"n": 4, "win_effect": 0, "points_effect": 0, "kept_n": 3, "kept_win_share": 1}),
    ("ticket_value", {"ticket": 0}, {"kept_win_gap": 1 - 5 / 8}),
    ("ticket_value", {"ticket": 5}, {"n": 0}),
    ("tickets", {"ticket": 0}, {"from": "Atlanta", "to": "Montréal", "points": 9, "trains": 9}),
    ("tickets", {"ticket": 0}, {"n": 4, "dealt_kept": 0.75, "completed": 1, "net_points": 9, "rounds": 40 / 3 / 2}),
    ("tickets", {"ticket": 1}, {"completed": 0.5, "net_points": 0}),
    ("tickets", {"ticket": 2}, {"n": 1, "drawn_kept": 1, "rounds": 10, "dealt_kept": np.nan}),
    ("oddities", {"kind": "short_draw"}, {"n": 4, "games": 1, "share": 0.25, "examples": "1"}),
    ("oddities", {"kind": "capped"}, {"games": 0, "examples": ""}),
    # Games without a claim count, too.
    ("routes", {"route": 0}, {"n": 4, "claimed": 0.5, "round": 1, "claimer_win_share": 0.5}),
    ("routes", {"route": 0}, {"contention": 0, "denial": 0, "denied_n": 0}),
    ("connections", {"group": 0}, {"claims": 0.5}),
    ("cities", {"name": "Charleston"}, {"claims": 0.5, "ways": 3, "used": 0.5 / 3}),
]


@pytest.mark.parametrize(("table", "keys", "numbers"), BY_HAND)
def test_numbers_by_hand(duels: Analysis, table: str, keys: dict[str, object], numbers: dict[str, object]) -> None:
    found = row(duels.tables[table], **keys)
    for name, expected in numbers.items():
        known = expected if isinstance(expected, str) else pytest.approx(expected, nan_ok=True)
        assert found[name] == known, name


def test_interval_and_p_of_a_win_share(duels: Analysis) -> None:
    first = row(duels.tables["seats"], seat=0)
    # Blocks won 2 of 2 and 1 of 2: without one of them the share is 0.5 or 1, so the error is 0.25.
    error, quantile = 0.25, stats.t.ppf(0.975, 1)
    pull = quantile**2 * error**2 / (0.75 * 0.25)
    center, half = (0.75 + pull / 2) / (1 + pull), np.sqrt(pull * 0.1875 + pull**2 / 4) / (1 + pull)
    assert (first["win_share_low"], first["win_share_high"]) == pytest.approx((center - half, center + half))
    assert first["p"] == pytest.approx(2 * stats.t.sf(1, 1))
    assert first["p_adjusted"] == pytest.approx(min(1, 2 * first["p"]))
    pair, back = (row(duels.tables["matchups"], bot=bot) for bot in ("A", "B"))
    assert back["p_adjusted"] == pair["p_adjusted"] == pair["p"]  # one test, not two
    assert row(duels.tables["oddities"], kind="capped")["share_high"] > 0.5  # two blocks without one prove little


def test_parts_values_and_examples(duels: Analysis) -> None:
    assert set(duels.tables["score_parts"]["part"]) == {"route", "ticket", "ticket_penalty"}
    margins = duels.tables["distributions"].query("measure == 'margin'")
    assert margins[["value", "n"]].to_numpy().tolist() == [[10, 1], [20, 1], [30, 1], [40, 1]]
    assert Path(row(duels.tables["oddities"], kind="short_draw")["run"]) == duels.runs[0].path


ALONE, TWIN, OTHER_TWIN = 0, 3, 4  # Atlanta-Charleston; the two of Atlanta-New Orleans
SAME, SAME_TOO = 5, 6  # the two gray ones of Atlanta-Raleigh


def routes_of(folder: Path, players: int, turns: list[dict[str, object]], edition: str = "usa") -> Analysis:
    """One block of one game for each number in the turns; seat 0 wins, but of four players seat 1 with more points."""
    winner, games = int(players == 4), 1 + max(int(str(turn["game"])) for turn in turns)
    seats = []
    for number in range(games):
        for place in range(players):
            points = (100 if number == 0 else 130) if place == winner else 50
            seats.append(seat(number, place, "A", points, float(place == winner)))
    rows = [game(number, number, 1 << winner, players=players) for number in range(games)]
    log = {"games": rows, "seats": seats, "turns": turns}
    return analyze([write_log(folder / "run", ["A"], players, log, edition)])


def test_denial_where_parallel_routes_stay_open(tmp_path: Path) -> None:
    turns = [
        claim(0, 0, 0, ALONE, [0, 1, 2]),  # 1 and 2 are shut out
        claim(0, 5, 1, TWIN, [1, 2]),  # the other one is open
        claim(0, 6, 2, OTHER_TWIN, [1, 2, 3]),  # 3 is shut out; 1 already has one
        claim(1, 0, 3, ALONE, [3]),
        claim(1, 1, 0, OTHER_TWIN, [0]),
        claim(1, 2, 1, TWIN, [1, 0]),  # 0 already has one
        claim(2, 0, 1, TWIN, [2]),  # taken without wanting it, the other one is open
    ]
    routes = routes_of(tmp_path, 4, turns).tables["routes"]
    alone, twin, other = (row(routes, route=route) for route in (ALONE, TWIN, OTHER_TWIN))
    assert alone["contention"] == alone["denial"] == pytest.approx(1 / 3)
    assert alone["denied_n"] == 2
    assert alone["denied_points"] == pytest.approx((100 - 120 + 0) / 2)  # seat 1 makes 120 on average
    assert (twin["contention"], twin["denial"], twin["denied_n"]) == (1, 0, 0)
    assert (other["contention"], other["denial"], other["denied_n"]) == (pytest.approx(1 / 3), pytest.approx(1 / 3), 1)
    assert twin["got_points"] == pytest.approx(((100 - 120) + (130 - 120)) / 2)  # games 0 and 1: claimed, wanting it
    assert twin["round"] == pytest.approx((2 + 1 + 1) / 3)


def test_identical_parallel_routes_share_their_numbers(tmp_path: Path) -> None:
    routes = routes_of(tmp_path, 2, [claim(0, 0, 0, SAME, [0, 1]), claim(1, 0, 0, SAME, [0])]).tables["routes"]
    first, second = (row(routes, route=route) for route in (SAME, SAME_TOO))
    numbers = ["claimed", "claimed_low", "claimed_high", "contention", "denial", "round", "denied_n"]
    assert first[numbers].equals(second[numbers])
    assert (first["claimed"], first["contention"]) == (0.5, 0.25)  # of two routes, one is claimed in each game


def test_denial_where_one_claim_closes_the_others(tmp_path: Path) -> None:
    analysis = routes_of(tmp_path, 2, [claim(0, 0, 0, TWIN, [0, 1]), claim(1, 0, 0, TWIN, [0])])
    twin = row(analysis.tables["routes"], route=TWIN)
    assert (twin["contention"], twin["denial"], twin["denied_n"]) == (0.5, 0.5, 1)


def test_tunnels_given_up_are_no_claims(tmp_path: Path) -> None:
    tunnel = 30
    turns = [
        claim(0, 0, 0, tunnel, [0, 1], claimed=False),
        claim(0, 1, 1, tunnel, [0, 1]),
        {"game": 1, "turn": 0, "seat": 0, "action": "station", "city": 3},
    ]
    analysis = routes_of(tmp_path, 2, turns, "europe")
    assert analysis.edition.routes[tunnel].kind == "tunnel"
    tried = row(analysis.tables["routes"], route=tunnel)
    assert (tried["given_up"], tried["claimed"], tried["contention"]) == (0.5, 0.5, 0.5)
    assert analysis.tables["routes"].query("kind != 'tunnel'")["given_up"].isna().all()
    assert row(analysis.tables["cities"], city=3)["stations"] == 0.5

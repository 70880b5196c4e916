"""Numbers of tiny logs, worked out by hand."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from tests.analysis.handmade import claim, duel, game, seat, write_log
from ttr_sim.analysis.analysis import TABLES, Analysis, analyze

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


def test_overview(duels: Analysis) -> None:
    assert duels.tables["overview"].iloc[0].tolist() == [2, "own", 1, 4, 2, "A, B", "full"]


def test_win_share_of_a_seat_with_its_interval(duels: Analysis) -> None:
    first = row(duels.tables["seats"], seat=0)
    assert (first["n"], first["win_share"], first["score"]) == (4, 0.75, 112.5)
    # Blocks won 2 of 2 and 1 of 2: without one of them the share is 0.5 or 1, so the error is 0.25.
    error, quantile = 0.25, stats.t.ppf(0.975, 1)
    pull = quantile**2 * error**2 / (0.75 * 0.25)
    center, half = (0.75 + pull / 2) / (1 + pull), np.sqrt(pull * 0.1875 + pull**2 / 4) / (1 + pull)
    assert (first["win_share_low"], first["win_share_high"]) == pytest.approx((center - half, center + half))
    assert first["p"] == pytest.approx(2 * stats.t.sf(1, 1))
    assert first["p_adjusted"] == pytest.approx(min(1, 2 * first["p"]))


def test_seat_by_bot(duels: Analysis) -> None:
    of_b = row(duels.tables["seats_by_bot"], bot="B", seat=0)
    assert (of_b["n"], of_b["win_share"], of_b["gain"]) == (2, 0.5, 0.25)


def test_style_against_style(duels: Analysis) -> None:
    pair = row(duels.tables["matchups"], bot="A")
    assert (pair["opponent"], pair["n"], pair["share"]) == ("B", 4, 0.75)
    back = row(duels.tables["matchups"], bot="B")
    assert back["share"] == 0.25
    assert back["p_adjusted"] == pair["p_adjusted"] == pair["p"]  # one test, not two


def test_style(duels: Analysis) -> None:
    style = row(duels.tables["strategies"], bot="A")
    assert (style["n"], style["fair"], style["win_share"], style["score"]) == (4, 0.5, 0.75, 120)
    assert style["rating"] == pytest.approx(400 / np.log(10) * np.log(3.5 / 1.5) / 2)  # half a win lent to both
    assert style["verdict"] == ""


def test_score_parts(duels: Analysis) -> None:
    parts = duels.tables["score_parts"]
    assert set(parts["part"]) == {"route", "ticket", "ticket_penalty"}
    lost = row(parts, bot="", part="ticket_penalty")
    assert (lost["n"], lost["mean"], lost["winners"]) == (8, -30 / 8, 0)
    assert row(parts, bot="A", part="route")["winners"] == pytest.approx((70 + 90 + 90) / 3)


def test_pace(duels: Analysis) -> None:
    pace = duels.tables["pace"]
    rounds = row(pace, measure="rounds")
    assert (rounds["n"], rounds["mean"], rounds["p10"], rounds["median"], rounds["p90"]) == (4, 25, 20, 20, 30)
    decided = row(pace, measure="decided")
    assert (decided["n"], decided["mean"]) == (3, pytest.approx((0.5 + 0.5 + 1) / 3))
    assert row(pace, measure="hidden")["mean"] == 0.25
    assert row(pace, measure="shared")["mean"] == 0
    margins = duels.tables["distributions"].query("measure == 'margin'")
    assert margins[["value", "n"]].to_numpy().tolist() == [[10, 1], [20, 1], [30, 1], [40, 1]]


def test_actions(duels: Analysis) -> None:
    draws = row(duels.tables["actions"], action="draw")
    assert (draws["share"], draws["per_seat"]) == (2 / 200, 2 / 8)


def test_effect_of_being_dealt_a_ticket(duels: Analysis) -> None:
    # Mean score of A first 125, A second 115, B first 100, B second 100. Ticket 0 was dealt to A in all four games,
    # ticket 1 to B: every stratum holds one ticket only, so nothing can differ from its mean.
    dealt = row(duels.tables["ticket_value"], ticket=0)
    assert (dealt["n"], dealt["win_effect"], dealt["points_effect"]) == (4, 0, 0)
    assert (dealt["kept_n"], dealt["kept_win_share"]) == (3, 1)
    assert dealt["kept_win_gap"] == pytest.approx(1 - 5 / 8)
    assert row(duels.tables["ticket_value"], ticket=5)["n"] == 0


def test_use_of_tickets(duels: Analysis) -> None:
    used = row(duels.tables["tickets"], ticket=0)
    assert (used["from"], used["to"], used["points"], used["trains"]) == ("Atlanta", "Montréal", 9, 9)
    assert (used["n"], used["dealt_kept"], used["completed"], used["net_points"]) == (4, 0.75, 1, 9)
    assert used["rounds"] == pytest.approx((10 + 20 + 10) / 3 / 2)
    failed = row(duels.tables["tickets"], ticket=1)
    assert (failed["completed"], failed["net_points"]) == (0.5, 0)
    drawn = row(duels.tables["tickets"], ticket=2)
    assert (drawn["n"], drawn["drawn_kept"], drawn["rounds"]) == (1, 1, 10)
    assert np.isnan(drawn["dealt_kept"])


def test_oddities_name_games_to_replay(duels: Analysis) -> None:
    short = row(duels.tables["oddities"], kind="short_draw")
    assert (short["n"], short["games"], short["share"], short["examples"]) == (4, 1, 0.25, "1")
    assert Path(short["run"]) == duels.runs[0].path
    capped = row(duels.tables["oddities"], kind="capped")
    assert (capped["games"], capped["examples"]) == (0, "")
    assert capped["share_high"] > 0.5  # two blocks without one prove little


def test_routes_cities_and_connections_count_games_without_a_claim(duels: Analysis) -> None:
    claimed = row(duels.tables["routes"], route=0)
    assert (claimed["n"], claimed["claimed"], claimed["round"], claimed["claimer_win_share"]) == (4, 0.5, 1, 0.5)
    assert (claimed["contention"], claimed["denial"], claimed["denied_n"]) == (0, 0, 0)
    assert row(duels.tables["connections"], group=0)["claims"] == 0.5
    charleston = row(duels.tables["cities"], name="Charleston")
    assert (charleston["claims"], charleston["ways"], charleston["used"]) == (0.5, 3, pytest.approx(0.5 / 3))


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

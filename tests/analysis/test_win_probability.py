"""Win probability: features against a search one seat at a time, a model that is right, and the shape of games."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from scipy.stats import norm

from tests.played_runs import play_run
from ttr_sim.analysis.db import Database
from ttr_sim.analysis.states import States
from ttr_sim.analysis.win_probability import WinModel, of_runs, shape_tables, win_chances_of_game
from ttr_sim.run.read import Run

Floats = NDArray[np.float64]
Games = list[list[tuple[float, float]]]
PLAYERS = 3
WEIGHTS = np.array([1.2, -0.6])
MEASURES = ("drama", "winner_led", "decided_for_good", "chance_lead_changes")
SOME_STEPS = "SELECT game, block, turns, unnest(range(5, turns, 23)) AS step FROM games"
END = "SELECT game, block, turns, turns AS step FROM games"


@pytest.fixture(scope="module")
def germany(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Germany has tickets between countries, which are several cities, and connections of two and three routes."""
    return play_run(tmp_path_factory.mktemp("germany") / "run", "germany", 4, ("planner", "random"), 8)


@pytest.fixture(scope="module")
def amsterdam(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return play_run(tmp_path_factory.mktemp("amsterdam") / "run", "amsterdam", 2, ("planner",), 240, part_size=100)


def states_of(run: Run, moments: str) -> States:
    with Database([run]) as log:
        return States.read(log, moments)


def owners(run: Run, states: States) -> list[dict[int, int]]:
    """Seat by claimed route at each state."""
    turns = run.turns(["game", "turn", "seat", "route", "claimed"])
    claims = turns[turns["claimed"] == True]  # noqa: E712 - null is no claim
    found = []
    for game, step in states.moments[["game", "step"]].to_numpy():
        known = claims[(claims["game"] == game) & (claims["turn"] < step)]
        found.append(dict(zip(known["route"].astype(int), known["seat"].astype(int), strict=True)))
    return found


def searched(states: States, owner: dict[int, int], seat: int, ticket: int) -> float:
    """Fewest trains for a ticket by networkx."""
    board, edition, players = nx.Graph(), states.edition, states.owned.shape[2]
    group_of = [route.group for route in edition.routes]
    for group in set(group_of):
        routes = [number for number, other in enumerate(group_of) if other == group]
        of_group = [owner[number] for number in routes if number in owner]
        is_open = len(of_group) < (1 if players <= edition.closed_up_to_players else len(routes))
        if seat in of_group or is_open:
            length = 0 if seat in of_group else min(edition.routes[number].length for number in routes)
            board.add_edge(edition.routes[routes[0]].a, edition.routes[routes[0]].b, weight=length)
    ends = edition.tickets[ticket]
    ways = [
        nx.shortest_path_length(board, a, b, weight="weight")
        for a in ends.a_cities
        for b in ends.b_cities
        if a in board and b in board and nx.has_path(board, a, b)
    ]
    return float(min(ways, default=np.inf))


def test_trains_left_are_those_of_a_search_on_each_board(germany: Run) -> None:
    states = states_of(germany, SOME_STEPS)
    owner, found = owners(germany, states), states.trains_left()
    assert len(found) > 50
    cases = zip(*(numbers.tolist() for numbers in states.open_tickets()), strict=True)
    assert found.tolist() == [searched(states, owner[state], seat, ticket) for state, seat, ticket in cases]


def test_networks_are_the_largest_components(germany: Run) -> None:
    states = states_of(germany, END)
    largest = states.largest_networks()
    for state, owner in enumerate(owners(germany, states)):
        for seat in range(4):
            board = nx.Graph()
            for route in (states.edition.routes[number] for number, other in owner.items() if other == seat):
                board.add_edge(route.a, route.b, weight=route.length)
            parts = [board.subgraph(cities).size(weight="weight") for cities in nx.connected_components(board)]
            assert largest[state, seat] == max(parts, default=0)


def test_numbers_at_the_end_agree_with_the_log(amsterdam: Run, germany: Run) -> None:
    for run, players in ((amsterdam, 2), (germany, 4)):
        states, logged = states_of(run, END), run.seats()
        for name, column in (("trains", "trains_left"), ("score", "route_points")):
            assert states.seats[name].ravel().tolist() == logged[column].tolist()
        assert states.seats["win_share"].shape == (run.finished_games, players)
    held = sum(states.seats[name] for name in states.seats if name.startswith("passengers_"))
    assert np.ravel(held).tolist() == logged["passengers"].str.len().tolist()


def test_no_seat_holds_tickets_that_were_discarded(tmp_path: Path) -> None:
    """First Journey: two tickets in hand, both of which may be exchanged in a turn."""
    run = play_run(tmp_path / "run", "first_journey", 4, ("planner", "random"), 60)
    states = states_of(run, "SELECT game, block, turns, unnest(range(turns)) AS step FROM games")
    held = np.zeros((len(states.moments), 4), int)
    np.add.at(held, states.open_tickets()[:2], 1)
    assert held.max() == 2
    assert (held == 2).mean() > 0.95
    assert np.isfinite(states.features()[0]).all()


def test_chances_of_a_game_sum_to_1_and_end_with_the_winner(amsterdam: Run) -> None:
    chances = np.array(win_chances_of_game(amsterdam, 150))
    games, seats = amsterdam.games(["game", "turns"]), amsterdam.seats(["game", "win_share"])
    assert chances.shape == (games["turns"].iloc[150] + 1, 2)
    assert chances.sum(axis=1) == pytest.approx(1.0)
    assert chances[-1].tolist() == seats.loc[seats["game"] == 150, "win_share"].tolist()


def test_too_few_games_have_no_chances(tmp_path: Path) -> None:
    small = play_run(tmp_path / "run", "amsterdam", 2, ("planner",), 20)
    assert win_chances_of_game(small, 3) is None
    assert of_runs([small]) == {}


def made_up(games: int, seed: int, weights: Floats = WEIGHTS) -> tuple[Floats, Floats, Floats, NDArray[np.int64]]:
    """One step of each game, with features that weigh twice as much at the end as at the beginning."""
    chance = np.random.default_rng(seed)
    features = chance.normal(size=(games, PLAYERS, len(weights))) * (10.0, 0.1)
    clock = chance.random(games)
    sums = (features / (10.0, 0.1)) @ weights * (1 + clock)[:, None]
    true = np.exp(sums) / np.exp(sums).sum(axis=1, keepdims=True)
    winner = (chance.random((games, 1)) > true.cumsum(axis=1)).sum(axis=1)
    phases = np.stack([clock**0, clock, clock**2, np.zeros(games)], axis=1)
    return features, phases, np.eye(PLAYERS)[winner], np.arange(games)


def test_chances_of_new_games_are_right_in_every_bin() -> None:
    features, phases, wins, _ = made_up(40_000, 2)
    chances = WinModel.fit(*made_up(6_000, 1)).chances(features, phases)
    assert chances.sum(axis=1) == pytest.approx(1.0)
    bins = np.minimum((chances * 10).astype(int), 9)
    for number in range(10):
        of_bin = bins == number
        assert of_bin.sum() > 2_000
        assert abs(wins[of_bin].mean() - chances[of_bin].mean()) < 0.02


def test_features_without_meaning_leave_all_seats_the_same_chance() -> None:
    features, phases, *_ = made_up(2_000, 2)
    model = WinModel.fit(*made_up(6_000, 1, 0 * WEIGHTS))
    assert np.abs(model.chances(features, phases) - 1 / PLAYERS).max() < 0.1
    few = made_up(20, 1)
    assert WinModel.fit(*few).chances(*few[:2]).max() < 0.95, "few games give careful chances"


def tables_of(games: Games, winners: list[tuple[float, float]]) -> dict[str, pd.DataFrame]:
    """Games of two players by the chances after setup and each round; one more round ends each game."""
    rows = [(game, game, 2 * len(rounds), 2 * at) for game, rounds in enumerate(games) for at in range(len(rounds))]
    moments = pd.DataFrame(rows, columns=["game", "block", "turns", "step"])
    chances = np.array([chance for rounds in games for chance in rounds])
    return shape_tables(moments, np.array(winners, float)[moments["game"]], chances, {})


COMEBACK, WALK_OVER, DRAW = (
    [(0.5, 0.5), (0.3, 0.7), (0.6, 0.4), (0.95, 0.05)],
    [(0.9, 0.1), (0.95, 0.05)],
    [(0.6, 0.4), (0.2, 0.8)],
)


@pytest.mark.parametrize(
    ("game", "winner", "numbers"),
    [
        (COMEBACK, (1, 0), (0.4 / 4, 3 / 4, 6 / 8, 2)),
        (WALK_OVER, (1, 0), (0.0, 1.0, 0.0, 0)),
        (DRAW, (0.5, 0.5), ((0.1 + 0.3) / 2, 0.5, 1.0, 1)),
    ],
)
def test_measures_of_a_game(
    game: list[tuple[float, float]], winner: tuple[float, float], numbers: tuple[float, ...]
) -> None:
    row = tables_of([game], [winner])["shape"].iloc[0]
    assert row[list(MEASURES)].tolist() == pytest.approx(numbers)


def test_the_course_starts_at_setup_and_bins_count_every_seat() -> None:
    tables = tables_of([COMEBACK, WALK_OVER, DRAW], [(1, 0), (1, 0), (0.5, 0.5)])
    first = tables["shape_course"].iloc[0]
    assert (first["part"], first["n"]) == (0, 3)
    assert first["winner"] == pytest.approx((0.5 + 0.9 + 0.5) / 3)
    assert first["leader"] == pytest.approx((0.5 + 0.9 + 0.6) / 3)
    sure = tables["shape_chances"].set_index("low").loc[0.9]
    assert (sure["n"], sure["won"]) == (2, 1.0)
    assert sure["chance"] == pytest.approx((0.95 + 0.9 + 0.95) / 3)


def walks(games: int, seed: int, rounds: int = 12) -> dict[str, pd.DataFrame]:
    """Coin-flip races with chances that are right: the share of paths that end ahead."""
    ahead = np.random.default_rng(seed).normal(size=(games, rounds)).cumsum(axis=1)
    left = np.sqrt(rounds - np.arange(rounds))
    first = norm.cdf(np.column_stack([np.zeros(games), ahead[:, :-1]]) / left)
    listed = [[(p, 1 - p) for p in row] for row in first.tolist()]
    return tables_of(listed, [(float(won), float(not won)) for won in ahead[:, -1] > 0])


def test_intervals_hold_the_truth_in_19_of_20_studies() -> None:
    """The rounds of a game lie in several bins, and share their winner."""
    truth = walks(20_000, 1)["shape"].iloc[0]
    held, believed, seen = dict.fromkeys(MEASURES, 0), 0, 0
    for seed in range(2, 102):
        tables = walks(200, seed)
        row, bins = tables["shape"].iloc[0], tables["shape_chances"]
        for name in MEASURES:
            held[name] += int(row[f"{name}_low"] <= truth[name] <= row[f"{name}_high"])
        believed += int(((bins["won_low"] <= bins["chance"]) & (bins["chance"] <= bins["won_high"])).sum())
        seen += len(bins)
    assert all(88 <= count <= 100 for count in held.values()), held
    assert 0.92 <= believed / seen <= 0.98

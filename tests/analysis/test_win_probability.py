"""Win probability: features against a search one seat at a time, a model that is right, and the shape of games."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from scipy.stats import norm

from tests.played_runs import play_run
from ttr_sim.analysis import win_probability
from ttr_sim.analysis.timelines import KNOTS, Connections, GameTimelines, seat_features
from ttr_sim.analysis.win_probability import RoundChances, WinModel, games_of, win_chances_of_game
from ttr_sim.run.read import Run

Floats = NDArray[np.float64]
PLAYERS = 3
WEIGHTS = np.array([1.2, -0.6])
MEASURES = ("drama", "winner_led", "decided_for_good", "chance_lead_changes")


@pytest.fixture(scope="module")
def germany(tmp_path_factory: pytest.TempPathFactory) -> GameTimelines:
    """Germany has tickets between countries, which are several cities, and connections of two and three routes."""
    run = play_run(tmp_path_factory.mktemp("germany") / "run", "germany", 4, ("planner", "random"), 8)
    return GameTimelines.read(run, 0, 8)


@pytest.fixture(scope="module")
def amsterdam(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return play_run(tmp_path_factory.mktemp("amsterdam") / "run", "amsterdam", 2, ("planner",), 240, part_size=100)


def owners(timelines: GameTimelines, step: int) -> dict[int, int]:
    """Seat by claimed route."""
    claims = timelines.claims
    known = claims[(claims["game"] == timelines.game_of_step[step]) & (claims["step"] <= step)]
    return dict(zip(known["claimed"].astype(int), known["seat"], strict=True))


def searched(timelines: GameTimelines, step: int, seat: int, ticket: int) -> float:
    """Fewest trains for a ticket by networkx."""
    board, edition, owner = nx.Graph(), timelines.edition, owners(timelines, step)
    group_of = [route.group for route in edition.routes]
    for group in set(group_of):
        routes = [number for number, other in enumerate(group_of) if other == group]
        of_group = [owner[number] for number in routes if number in owner]
        is_open = len(of_group) < (1 if timelines.players <= edition.closed_up_to_players else len(routes))
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


def test_trains_left_are_those_of_a_search_on_each_board(germany: GameTimelines) -> None:
    steps = np.arange(5, int(germany.lengths.sum()), 23)
    state, row = germany.open_tickets(steps)
    seat, ticket = (germany.tickets[name].to_numpy()[row] for name in ("seat", "ticket"))
    found = Connections(germany).trains_left(steps[state], seat, ticket)
    cases = zip(steps[state].tolist(), seat.tolist(), ticket.tolist(), strict=True)
    assert len(found) > 50
    assert found.tolist() == [searched(germany, *case) for case in cases]


def test_networks_are_the_largest_components(germany: GameTimelines) -> None:
    steps = germany.starts + germany.lengths - 1
    largest = Connections(germany).largest_networks(steps)
    for game, step in enumerate(steps.tolist()):
        owner = owners(germany, step)
        for seat in range(germany.players):
            board = nx.Graph()
            for route in (germany.edition.routes[number] for number, other in owner.items() if other == seat):
                board.add_edge(route.a, route.b, weight=route.length)
            parts = [board.subgraph(cities).size(weight="weight") for cities in nx.connected_components(board)]
            assert largest[game, seat] == max(parts, default=0)


def test_running_sums_agree_with_the_log(amsterdam: Run) -> None:
    timelines = GameTimelines.read(amsterdam, 0, 240)
    last = timelines.starts + timelines.lengths - 1
    seats = amsterdam.seats(["trains_left", "route_points"]).to_numpy(float).reshape(-1, 2, 2)
    trains = timelines.edition.trains + timelines.running(last, timelines.turns, timelines.turns["trains"])
    assert np.array_equal(trains, seats[:, :, 0])
    score = timelines.running(last, timelines.turns, timelines.turns["score"])
    assert np.array_equal(score, seats[:, :, 1])


def test_games_are_the_same_however_they_are_read(amsterdam: Run) -> None:
    some, whole = GameTimelines.read(amsterdam, 95, 10), GameTimelines.read(amsterdam, 0, 240)
    (found, _), (expected, _) = seat_features(some, some.starts + 20), seat_features(whole, whole.starts[95:105] + 20)
    assert np.array_equal(found, expected)
    assert np.array_equal(some.wins, whole.wins[95:105])


def test_no_seat_holds_tickets_that_were_discarded(tmp_path: Path) -> None:
    """First Journey: two tickets in hand, both of which may be exchanged in a turn."""
    run = play_run(tmp_path / "run", "first_journey", 4, ("planner", "random"), 60)
    timelines = GameTimelines.read(run, 0, 60)
    steps = np.setdiff1d(np.arange(timelines.lengths.sum()), timelines.starts + timelines.lengths - 1)
    state, row = timelines.open_tickets(steps)
    held = np.zeros((len(steps), 4), int)
    np.add.at(held, (state, timelines.tickets["seat"].to_numpy()[row]), 1)
    assert held.max() == 2
    assert (held == 2).mean() > 0.95
    assert np.isfinite(seat_features(timelines, steps)[0]).all()


def test_chances_of_a_game_sum_to_1_and_end_with_the_winner(amsterdam: Run) -> None:
    chances = np.array(win_chances_of_game(amsterdam, 150))
    games, seats = amsterdam.games(["game", "turns"]), amsterdam.seats(["game", "win_share"])
    assert chances.shape == (games["turns"].iloc[150] + 1, 2)
    assert chances.sum(axis=1) == pytest.approx(1.0)
    assert chances[-1].tolist() == seats.loc[seats["game"] == 150, "win_share"].tolist()


def test_too_few_games_have_no_chances(tmp_path: Path) -> None:
    small = play_run(tmp_path / "run", "amsterdam", 2, ("planner",), 20)
    assert win_chances_of_game(small, 3) is None
    assert RoundChances.of(small) is None


def made_up(games: int, seed: int, weights: Floats = WEIGHTS) -> tuple[Floats, Floats, Floats, NDArray[np.int64]]:
    """One step of each game, with features that weigh twice as much at the end as at the beginning."""
    chance = np.random.default_rng(seed)
    features = chance.normal(size=(games, PLAYERS, len(weights))) * (10.0, 0.1)
    clock = chance.random(games)
    sums = (features / (10.0, 0.1)) @ weights * (1 + clock)[:, None]
    true = np.exp(sums) / np.exp(sums).sum(axis=1, keepdims=True)
    winner = (chance.random((games, 1)) > true.cumsum(axis=1)).sum(axis=1)
    phases = np.stack([*(np.interp(clock, KNOTS, row) for row in np.eye(len(KNOTS))), np.zeros(games)], axis=1)
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


def rounds_of(games: list[list[tuple[float, float]]], winners: list[tuple[float, float]]) -> RoundChances:
    """Games of two players by the chances after setup and each round; one more round ends each game."""
    lengths = np.array([2 * len(rounds) + 1 for rounds in games])
    starts = np.cumsum(lengths) - lengths
    game_of_step = np.repeat(np.arange(len(games)), lengths)
    timelines: Any = SimpleNamespace(
        players=2,
        games=pd.DataFrame({"block": np.arange(len(games))}),
        lengths=lengths,
        starts=starts,
        wins=np.array(winners),
        game_of_step=game_of_step,
        turns_taken=lambda steps: steps - starts[game_of_step[steps]],
    )
    steps = np.concatenate([start + 2 * np.arange(len(rounds)) for start, rounds in zip(starts, games, strict=True)])
    return RoundChances(timelines, steps, np.array([chance for rounds in games for chance in rounds]))


@pytest.fixture
def three(monkeypatch: pytest.MonkeyPatch) -> RoundChances:
    """A comeback, a walk-over and a draw."""
    monkeypatch.setattr(win_probability, "interaction", lambda timelines: {})
    comeback = [(0.5, 0.5), (0.3, 0.7), (0.6, 0.4), (0.95, 0.05)]
    walk_over, draw = [(0.9, 0.1), (0.95, 0.05)], [(0.6, 0.4), (0.2, 0.8)]
    return rounds_of([comeback, walk_over, draw], [(1, 0), (1, 0), (0.5, 0.5)])


def test_measures_of_each_game(three: RoundChances) -> None:
    games = games_of(three.rounds())
    assert games["drama"].tolist() == pytest.approx([0.4 / 4, 0.0, (0.1 + 0.3) / 2])
    assert games["winner_led"].tolist() == pytest.approx([3 / 4, 1.0, 0.5])
    assert games["decided_for_good"].tolist() == pytest.approx([6 / 8, 0.0, 1.0])
    assert games["chance_lead_changes"].tolist() == [2, 0, 1]


def test_the_course_starts_at_setup_and_bins_count_every_seat(three: RoundChances) -> None:
    tables = three.tables()
    first = tables["shape_course"].iloc[0]
    assert (first["part"], first["n"]) == (0, 3)
    assert first["winner"] == pytest.approx((0.5 + 0.9 + 0.5) / 3)
    assert first["leader"] == pytest.approx((0.5 + 0.9 + 0.6) / 3)
    sure = tables["shape_chances"].set_index("low").loc[0.9]
    assert (sure["n"], sure["won"]) == (2, 1.0)
    assert sure["chance"] == pytest.approx((0.95 + 0.9 + 0.95) / 3)


def walks(games: int, seed: int, rounds: int = 12) -> RoundChances:
    """Coin-flip races with chances that are right: the share of paths that end ahead."""
    ahead = np.random.default_rng(seed).normal(size=(games, rounds)).cumsum(axis=1)
    left = np.sqrt(rounds - np.arange(rounds))
    first = norm.cdf(np.column_stack([np.zeros(games), ahead[:, :-1]]) / left)
    listed = [[(p, 1 - p) for p in row] for row in first.tolist()]
    return rounds_of(listed, [(float(won), float(not won)) for won in ahead[:, -1] > 0])


def test_intervals_hold_the_truth_in_19_of_20_studies(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rounds of a game lie in several bins, and share their winner."""
    monkeypatch.setattr(win_probability, "interaction", lambda timelines: {})
    truth = games_of(walks(20_000, 1).rounds()).mean()
    held, believed, seen = dict.fromkeys(MEASURES, 0), 0, 0
    for seed in range(2, 102):
        tables = walks(200, seed).tables()
        row, bins = tables["shape"].iloc[0], tables["shape_chances"]
        for name in MEASURES:
            held[name] += int(row[f"{name}_low"] <= truth[name] <= row[f"{name}_high"])
        believed += int(((bins["won_low"] <= bins["chance"]) & (bins["chance"] <= bins["won_high"])).sum())
        seen += len(bins)
    assert all(88 <= count <= 100 for count in held.values()), held
    assert 0.92 <= believed / seen <= 0.98

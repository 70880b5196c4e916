from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.run.plans import plan_of
from ttr_sim.run.lineups import distinct_bots, games_by_block, lineups, most_rotations, seat_blocks


@pytest.mark.parametrize(
    ("bots", "games"), [("A,B,C,D", 4), ("A,B,A,B", 2), ("A,A,A,A", 1), ("A,A,B,B", 4), ("A,B,B,B", 4)]
)
def test_a_block_has_every_distinct_rotation_once(bots: str, games: int) -> None:
    plan = plan_of(4, bots)
    seating = seat_blocks(plan, 7, 1)
    assert len(seating.deals) == games == most_rotations(plan)
    assert (seating.deals == 7).all()
    assert seating.rotations.tolist() == list(range(games))
    assert len({tuple(row) for row in seating.bots.tolist()}) == games


def test_a_rotation_moves_the_lineup_over_the_seats() -> None:
    seating = seat_blocks(plan_of(3, "A,B,C"), 0, 1)
    assert seating.places.tolist() == [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
    assert seating.bots.tolist() == seating.places.tolist()


def test_places_tell_seats_of_the_same_bot_apart() -> None:
    seating = seat_blocks(plan_of(4, "A,B,A,B"), 0, 1)
    assert seating.bots.tolist() == [[0, 1, 0, 1], [1, 0, 1, 0]]
    assert seating.places.tolist() == [[0, 1, 2, 3], [1, 2, 3, 0]]


def test_more_bots_than_players_are_drawn_without_replacement() -> None:
    drawn = lineups(plan_of(3, "A,B,C,D,E"), 0, 5_000)
    assert all(len(set(row)) == 3 for row in drawn.tolist())
    counts = np.bincount(drawn.ravel(), minlength=5)
    assert (abs(counts - 3_000) < 200).all()
    orders = np.unique(drawn, axis=0, return_counts=True)[1]
    assert len(orders) == 60
    assert orders.min() > 50


def test_fewer_bots_than_players_are_drawn_with_replacement() -> None:
    drawn = lineups(plan_of(4, "A,B"), 0, 8_000)
    orders, counts = np.unique(drawn, axis=0, return_counts=True)
    assert len(orders) == 16
    assert (abs(counts - 500) < 120).all()


def test_a_name_given_twice_is_one_bot_with_two_chances() -> None:
    plan = plan_of(2, "A,A,B")
    assert distinct_bots(plan) == ("A", "B")
    games = games_by_block(plan, 0, 3_000)
    assert set(games.tolist()) == {1, 2}
    assert abs((games == 1).mean() - 1 / 3) < 0.05


@given(
    players=st.integers(2, 6),
    n_bots=st.integers(1, 9),
    seed=st.integers(0, 2**63 - 1),
    first=st.integers(0, 10**9),
    count=st.integers(1, 40),
    skipped=st.integers(0, 39),
)
def test_any_block_can_be_had_alone(players: int, n_bots: int, seed: int, first: int, count: int, skipped: int) -> None:
    plan = plan_of(players, ",".join("ABCDEFGHI"[:n_bots]), seed=seed)
    skipped = min(skipped, count - 1)
    whole, rest = seat_blocks(plan, first, count), seat_blocks(plan, first + skipped, count - skipped)
    tail = whole.deals >= first + skipped
    assert (whole.bots[tail] == rest.bots).all()
    assert (whole.rotations[tail] == rest.rotations).all()
    assert len(whole.deals) == games_by_block(plan, first, count).sum()


def test_another_seed_draws_other_lineups() -> None:
    one, other = (lineups(plan_of(4, "A,B,C,D,E", seed=seed), 0, 100) for seed in (1, 2))
    assert (one != other).any(axis=1).sum() > 90


def test_one_place_plays_one_of_several_variants() -> None:
    plan = replace(plan_of(3, "A,A,A"), one_of=("B", "C", "D"))
    assert distinct_bots(plan) == ("A", "B", "C", "D")
    drawn = lineups(plan, 0, 6_000)
    assert (drawn[:, 1:] == 0).all()
    assert (abs(np.bincount(drawn[:, 0])[1:] - 2_000) < 150).all()
    seating = seat_blocks(plan, 5, 1)
    assert sorted(np.flatnonzero(row != 0).tolist() for row in seating.bots) == [[0], [1], [2]]
    assert (lineups(replace(plan, seed=2), 0, 100) != drawn[:100]).any()

"""Plans and their hashes; the lineups, blocks and parts that follow from them."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttr_sim.edition import load_edition
from ttr_sim.errors import UserError
from ttr_sim.run.lineups import (
    RunSize,
    distinct_bots,
    games_by_block,
    lineups,
    most_rotations,
    parts_of,
    seat_blocks,
    size_of,
)
from ttr_sim.run.plan import FULL, MAX_SEED, Plan, Request, check_request


def plan_of(players: int, bots: str, games: int = 10, seed: int = 1, part_size: int = 2_000) -> Plan:
    return Plan("usa", "f" * 16, players, tuple(bots.split(",")), games, seed, FULL, part_size, "kernel", "tuning")


def test_every_field_counts_for_the_hash() -> None:
    plan = plan_of(4, "A,B,C,D")
    hashes = {plan.hash}
    for field in fields(Plan):
        value = getattr(plan, field.name)
        other = value + 1 if isinstance(value, int) else (*value, "E") if isinstance(value, tuple) else value + "x"
        changes: dict[str, Any] = {field.name: other}
        hashes.add(replace(plan, **changes).hash)
    assert len(hashes) == len(fields(Plan)) + 1


@pytest.mark.parametrize(
    ("players", "bots", "games", "seed", "words"),
    [
        (9, 2, 10, 1, "2 to 5 players, not 9"),
        (1, 2, 10, 1, "2 to 5 players, not 1"),
        (2, 2, 0, 1, "not 0 (--games)"),
        (2, 2, -5, 1, "not -5 (--games)"),
        (2, 2, 10**12, 1, "not 1,000,000,000,000 (--games)"),
        (2, 2, 10, -1, "not -1 (--seed)"),
        (2, 2, 10, MAX_SEED + 1, "(--seed)"),
        (2, 0, 10, 1, "not 0 (--bots)"),
        (2, 1_000, 10, 1, "not 1000 (--bots)"),
    ],
)
def test_numbers_that_cannot_be_played_are_refused(players: int, bots: int, games: int, seed: int, words: str) -> None:
    with pytest.raises(UserError) as refusal:
        check_request(Request(load_edition("usa"), (players,), ("random",) * bots, games, seed))
    assert words in str(refusal.value)


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
    assert seating.bots.tolist() == seating.places.tolist() == [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
    seating = seat_blocks(plan_of(4, "A,B,A,B"), 0, 1)
    assert seating.bots.tolist() == [[0, 1, 0, 1], [1, 0, 1, 0]]
    # Seats of the same bot differ by place.
    assert seating.places.tolist() == [[0, 1, 2, 3], [1, 2, 3, 0]]


@pytest.mark.parametrize(
    ("players", "bots", "blocks", "orders", "expected", "most_off"),
    [(3, "A,B,C,D,E", 5_000, 60, 83, 33), (4, "A,B", 8_000, 16, 500, 120)],
)
def test_bots_are_drawn_evenly_with_replacement_if_fewer_than_players(
    players: int, bots: str, blocks: int, orders: int, expected: int, most_off: int
) -> None:
    drawn = lineups(plan_of(players, bots), 0, blocks)
    counts = np.unique(drawn, axis=0, return_counts=True)[1]
    assert len(counts) == orders
    assert (abs(counts - expected) < most_off).all()
    if players < len(bots.split(",")):
        assert all(len(set(row)) == players for row in drawn.tolist())
        assert (abs(np.bincount(drawn.ravel()) - 3_000) < 200).all()


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


def test_one_place_plays_one_of_several_variants() -> None:
    plan = replace(plan_of(3, "A,A,A"), one_of=("B", "C", "D"))
    assert distinct_bots(plan) == ("A", "B", "C", "D")
    drawn = lineups(plan, 0, 6_000)
    assert (drawn[:, 1:] == 0).all()
    assert (abs(np.bincount(drawn[:, 0])[1:] - 2_000) < 150).all()
    seating = seat_blocks(plan, 5, 1)
    assert sorted(np.flatnonzero(row != 0).tolist() for row in seating.bots) == [[0], [1], [2]]
    assert (lineups(replace(plan, seed=2), 0, 100) != drawn[:100]).any()
    one, other = (lineups(plan_of(4, "A,B,C,D,E", seed=seed), 0, 100) for seed in (1, 2))
    assert (one != other).any(axis=1).sum() > 90


@pytest.mark.parametrize(
    ("bots", "games", "size"),
    [
        ("A,B,C,D", 1_000, RunSize(1_000, 250, 1)),
        ("A,B,C,D", 1_001, RunSize(1_004, 251, 1)),
        ("A,B,C,D", 20_000, RunSize(20_000, 5_000, 10)),
        ("A,A,A,A", 20_001, RunSize(20_001, 20_001, 11)),
        ("A,B,A,B", 3, RunSize(4, 2, 1)),
    ],
)
def test_games_are_rounded_up_to_whole_blocks(bots: str, games: int, size: RunSize) -> None:
    assert size_of(plan_of(4, bots, games)) == size


@given(
    players=st.integers(2, 6),
    n_bots=st.integers(1, 8),
    games=st.integers(1, 3_000),
    part_size=st.sampled_from([1, 20, 77, 2_000]),
)
def test_parts_join_without_gaps(players: int, n_bots: int, games: int, part_size: int) -> None:
    plan = plan_of(players, ",".join("ABCDEFGH"[:n_bots]), games, part_size=part_size)
    size, parts = size_of(plan), list(parts_of(plan))
    assert [part.number for part in parts] == list(range(size.parts))
    next_block = next_game = 0
    for part in parts:
        assert (part.first_block, part.first_game) == (next_block, next_game)
        assert part.games == games_by_block(plan, part.first_block, part.blocks).sum()
        assert part.games <= max(part_size, players)
        next_block, next_game = part.first_block + part.blocks, part.first_game + part.games
    assert (next_game, next_block) == (size.games, size.blocks)
    last_block = int(games_by_block(plan, size.blocks - 1, 1)[0])
    assert size.games - last_block < games <= size.games

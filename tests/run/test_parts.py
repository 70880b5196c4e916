from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.run.plans import plan_of
from ttr_sim.run.lineups import RunSize, games_by_block, parts_of, size_of


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


def test_a_drawn_run_of_millions_is_counted_in_bounded_pieces() -> None:
    size = size_of(plan_of(4, "A,B", 1_000_000))
    assert 1_000_000 <= size.games < 1_000_004
    assert size.blocks > 250_000


def test_slow_bots_have_small_parts() -> None:
    assert size_of(plan_of(4, "A,B,C,D", 1_000, part_size=20)).parts == 50

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest

from tests.run.plans import plan_of
from ttr_sim.edition import load_edition
from ttr_sim.errors import UserError
from ttr_sim.run.plan import MAX_GAMES, MAX_SEED, Plan, Request, check_request


def test_every_field_counts_for_the_hash() -> None:
    plan = plan_of(4, "A,B,C,D")
    hashes = {plan.hash}
    for field in fields(Plan):
        value = getattr(plan, field.name)
        other = value + 1 if isinstance(value, int) else (*value, "E") if isinstance(value, tuple) else value + "x"
        changes: dict[str, Any] = {field.name: other}
        hashes.add(replace(plan, **changes).hash)
    assert len(hashes) == len(fields(Plan)) + 1


def test_the_games_file_is_written_last() -> None:
    assert plan_of(2, "A,B").tables[-1] == "games"
    assert replace(plan_of(2, "A,B"), log="results").tables == ("tickets", "seats", "games")


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


def test_the_largest_numbers_are_fine() -> None:
    check_request(Request(load_edition("usa"), (5,), ("random",) * 100, MAX_GAMES, MAX_SEED))

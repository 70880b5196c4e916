"""Which games are audited, by how many workers, and each beside the others of its block."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.referee.built import changed, tiny_game, tiny_rules
from ttr_sim.referee.audit import BlockCheck, audit, batches_of, one_game, sampled, some_games
from ttr_sim.referee.log import GameLog
from ttr_sim.run.processes import over_processes


@pytest.mark.parametrize(
    ("count", "expected"),
    [(None, [0, 1, 2, 3, 4, 5]), (9, [0, 1, 2, 3, 4, 5]), (3, [0, 2, 4]), (4, [0, 1, 3, 4]), (1, [0])],
)
def test_samples_are_evenly_spaced(count: int | None, expected: list[int]) -> None:
    assert sampled(range(6), count) == expected


def test_several_workers_find_what_one_finds(run_of: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_of("amsterdam")
    alone = audit(run, batches_of(run, None), lambda games: None)
    monkeypatch.setattr("ttr_sim.referee.audit.GAMES_A_BATCH", 10)
    counts: list[int] = []
    assert audit(run, batches_of(run, None), counts.append, partial(over_processes, jobs=2)) == alone
    assert counts[:2] == [10, 20]
    assert counts[-1] == alone.games


def test_games_of_a_run_come_in_the_order_of_their_numbers(run_of: Callable[[str], Path]) -> None:
    run = run_of("amsterdam")
    _, logs = some_games(run, [7, 2, 11])
    assert logs == [one_game(run, number)[1] for number in (2, 7, 11)]


def block_game(number: int, bots: str, **cells: Any) -> GameLog:
    log = tiny_game()
    seats = [changed(row, bot=bot) for row, bot in zip(log.seats, bots, strict=True)]
    return replace(log, seats=seats, game=changed(log.game, **{"game": number, "deal": 7, "block": 7, **cells}))


def other_hand(log: GameLog) -> GameLog:
    return replace(log, seats=[log.seats[0], changed(log.seats[1], hand="r*")])


def other_ticket(log: GameLog) -> GameLog:
    return replace(log, tickets=[log.tickets[0], changed(log.tickets[1], ticket=2)])


@pytest.mark.parametrize(
    ("second", "complaint"),
    [
        (block_game(1, "BA"), None),
        (block_game(1, "AB", block=8, deal=8), None),
        (block_game(1, "BA", deal=8), "deal 8 was played in a block of deal 7"),
        (other_hand(block_game(1, "BA")), "other cards were dealt than in game 0 of the same deal"),
        (other_ticket(block_game(1, "BA")), "other cards were dealt than in game 0 of the same deal"),
        (block_game(1, "AC"), "the lineup is not a rotation of the one in game 0"),
        (block_game(1, "AB"), "the same lineup was already seated this way in the block"),
    ],
)
def test_second_game_of_a_block(tmp_path: Path, second: GameLog, complaint: str | None) -> None:
    blocks = BlockCheck(tiny_rules(tmp_path / "tiny").edition)
    assert blocks.check(block_game(0, "AB")) == []
    assert [violation.message for violation in blocks.check(second)] == ([] if complaint is None else [complaint])

"""The games of a block: one deal, rotations of one lineup, each once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.referee.tiny import tiny_game, tiny_rules
from ttr_sim.referee.blocks import Blocks
from ttr_sim.referee.rows import GameLog


def game(number: int, bots: str, **cells: Any) -> GameLog:
    log = tiny_game()
    seats = [row._replace(bot=bot) for row, bot in zip(log.seats, bots, strict=True)]
    return replace(log, seats=seats, game=log.game._replace(**{"game": number, "deal": 7, "block": 7, **cells}))


def other_hand(log: GameLog) -> GameLog:
    return replace(log, seats=[log.seats[0], log.seats[1]._replace(hand="r*")])


def other_ticket(log: GameLog) -> GameLog:
    return replace(log, tickets=[log.tickets[0], log.tickets[1]._replace(ticket=2)])


@pytest.mark.parametrize(
    ("second", "complaint"),
    [
        (game(1, "BA"), None),
        (game(1, "AB", block=8, deal=8), None),
        (game(1, "BA", deal=8), "deal 8 was played in a block of deal 7"),
        (other_hand(game(1, "BA")), "other cards were dealt than in game 0 of the same deal"),
        (other_ticket(game(1, "BA")), "other cards were dealt than in game 0 of the same deal"),
        (game(1, "AC"), "the lineup is no rotation of that of game 0"),
        (game(1, "AB"), "the lineup was seated so before in the same block"),
    ],
)
def test_second_game(tmp_path: Path, second: GameLog, complaint: str | None) -> None:
    blocks = Blocks(tiny_rules(tmp_path / "tiny").edition)
    assert blocks.check(game(0, "AB")) == []
    assert [finding.message for finding in blocks.check(second)] == ([] if complaint is None else [complaint])

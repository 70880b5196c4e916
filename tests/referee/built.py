"""Positions built by hand, for what real play hardly ever reaches."""

from __future__ import annotations

from typing import Any

from tests.referee.rows import make_row
from ttr_sim.edition import load_edition
from ttr_sim.edition.model import Edition
from ttr_sim.referee.log import GameLog, GameRow, SeatRow, TicketRow, TurnRow
from ttr_sim.referee.position import Position
from ttr_sim.referee.rulebook import Rulebook


def game_log(players: int, tickets: list[TicketRow] | None = None, **game: Any) -> GameLog:
    """A log with empty seats and no turns."""
    seats = [make_row(SeatRow, seat=seat, plans=False) for seat in range(players)]
    return GameLog(make_row(GameRow, players=players, **game), seats, [], tickets or [])


def built(edition: Edition | str, log: GameLog, hand: str = "", deck: str = "") -> Position:
    """The first turn of seat 0, with these cards in hand and in the deck and no others in play."""
    rules = Rulebook(load_edition(edition) if isinstance(edition, str) else edition)
    position = Position(rules, log)
    position.turn = position.seat = 0
    position.seats[0].hand = {letter: hand.count(letter) for letter in rules.letters}
    position.piles.deck = {letter: deck.count(letter) for letter in rules.letters}
    position.piles.deck_size = len(deck)
    return position


def turn(action: str, **cells: Any) -> TurnRow:
    """Seat 0's first turn."""
    row: TurnRow = make_row(TurnRow, turn=0, seat=0, action=action, **cells)
    return row


def ticket_row(number: int, order: int, **cells: Any) -> TicketRow:
    """A ticket offered at setup and kept, unless cells say otherwise."""
    row: TicketRow = make_row(
        TicketRow, **{"seat": 0, "turn": -1, "kept": True, **cells, "order": order, "ticket": number}
    )
    return row


def messages(position: Position) -> list[str]:
    return [violation.message for violation in position.violations]

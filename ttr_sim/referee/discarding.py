"""First Journey's `discard`: all held tickets put away for new ones."""

from __future__ import annotations

from collections import Counter

from ttr_sim.referee.completion import complete_tickets
from ttr_sim.referee.findings import RuleError
from ttr_sim.referee.rows import TurnRow
from ttr_sim.referee.table import Table


def can_discard(table: Table, seat: int) -> bool:
    """The full number is held and the decks can replace every one of them."""
    instant = table.edition.instant_tickets
    held = table.seats[seat].held
    if instant is None or not instant.discard or len(held) != instant.hold:
        return False
    needed = Counter(table.edition.tickets[holding.ticket].deck for holding in held)
    return all(len(table.decks[deck]) >= count for deck, count in needed.items())


def discard_tickets(table: Table, turn: TurnRow) -> None:
    """Draw the new ones, then put the old ones under their decks, oldest first."""
    if not can_discard(table, turn.seat):
        raise RuleError("discarding tickets", "tickets were discarded though the rules did not allow it")
    state = table.seats[turn.seat]
    old, state.held = state.held, []
    decks = [table.edition.tickets[holding.ticket].deck for holding in old]
    for row in [table.draw_ticket(deck) for deck in decks]:
        table.hold(row)
    for deck, holding in zip(decks, old, strict=True):
        table.decks[deck].put_under(holding.ticket)
    complete_tickets(table, turn.seat)

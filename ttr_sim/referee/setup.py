"""Setting up: hands, the face-up row, passengers and tickets."""

from __future__ import annotations

from ttr_sim.referee.findings import RuleError
from ttr_sim.referee.passengers import place_passengers
from ttr_sim.referee.table import SETUP, Table
from ttr_sim.referee.tickets import deal_tickets

RULE = "setup"


def set_up(table: Table) -> None:
    _check_seats(table)
    for seat in range(table.players):
        table.seat = seat
        _deal_hand(table, seat)
    table.seat = None
    fill = table.log.game.fill
    if table.row is not None:
        table.row.refill(fill or "", SETUP, turn_ends=False)
    else:
        table.expect(RULE, "fill", fill, None)
    place_passengers(table)
    deal_tickets(table)


def _check_seats(table: Table) -> None:
    least, most = table.edition.players
    if not least <= table.players <= most:
        raise RuleError(RULE, f"{table.players} players played an edition for {least} to {most}")
    seats = [row.seat for row in table.log.seats]
    if seats != list(range(table.players)):
        raise RuleError(RULE, f"the log's seats are {seats} in a game of {table.players} players")


def _deal_hand(table: Table, seat: int) -> None:
    hand = table.log.seats[seat].hand
    if len(hand) != table.edition.hand:
        raise RuleError(RULE, f"{len(hand)} cards were dealt, {table.edition.hand} should be")
    for letter in hand:
        table.piles.take(letter)
        table.seats[seat].hand[letter] += 1
    table.expect(RULE, "hand", hand, table.rules.sorted_cards(hand))

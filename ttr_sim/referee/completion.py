"""Which held tickets a seat's own network meets, the moment it does; First Journey's are replaced at once."""

from __future__ import annotations

from ttr_sim.referee.table import Holding, SeatState, Table


def complete_tickets(table: Table, seat: int) -> None:
    """The held tickets, oldest first, each replaced before the next is looked at; a race won ends it at once."""
    state = table.seats[seat]
    ends = table.rules.ticket_ends
    place = 0
    while place < len(state.held) and not race_is_won(table, state):
        if not state.network.connects(ends[state.held[place].ticket]):
            place += 1
            continue
        holding = state.held.pop(place)
        holding.completed, holding.completed_turn = True, table.turn
        state.completed.append(holding)
        if not race_is_won(table, state):
            _replace(table, state, holding)


def race_is_won(table: Table, state: SeatState) -> bool:
    goal = table.edition.end.race_tickets
    return goal is not None and state.tickets_and_bonus >= goal


def _replace(table: Table, state: SeatState, holding: Holding) -> None:
    """From the deck of the completed ticket, while it has any and fewer are held than the rule says."""
    instant = table.edition.instant_tickets
    deck = table.edition.tickets[holding.ticket].deck
    if instant and len(state.held) < instant.hold and table.decks[deck]:
        table.hold(table.draw_ticket(deck))

"""Tickets: dealt at setup, drawn as an action, kept or put back."""

from __future__ import annotations

from ttr_sim.referee import words
from ttr_sim.referee.completion import complete_tickets
from ttr_sim.referee.findings import RuleError
from ttr_sim.referee.rows import TicketRow, TurnRow
from ttr_sim.referee.table import Table

RULE = "drawing tickets"


def deal_tickets(table: Table) -> None:
    """All seats are dealt; then all choose; then what is not kept goes back, by seat."""
    rules = table.edition.ticket_rules
    returned = []
    for seat in range(table.players):
        table.seat = seat
        returned += _keep(table, _draw_deal(table), rules.keep_at_start)
    table.seat = None
    _return_at_start(table, returned)
    table.no_more_tickets()


def draw_tickets(table: Table, turn: TurnRow) -> None:
    """The action: draw, keep some, put the others under their decks in the order drawn."""
    rules = table.edition.ticket_rules
    counts = [deck.draw for deck in table.edition.decks]
    offer = _draw_mix(table, rules.draw_total) if rules.mix else _draw_each(table, counts)
    if not offer:
        raise RuleError(RULE, "tickets were drawn though no deck they come from had any left")
    for row in _keep(table, offer, rules.keep):
        table.decks[table.edition.tickets[row.ticket].deck].put_under(row.ticket)
    complete_tickets(table, turn.seat)


def can_draw_tickets(table: Table) -> bool:
    rules = table.edition.ticket_rules
    if rules.mix:
        return rules.draw_total > 0 and any(table.decks)
    return any(deck and entry.draw for deck, entry in zip(table.decks, table.edition.decks, strict=True))


def check_completion(table: Table) -> None:
    """Each ticket's `completed` and `completed_turn` against what the networks met."""
    for row in table.log.tickets:
        table.seat = row.seat
        holding = table.holdings.get(row.order)
        right = (holding.completed, holding.completed_turn) if holding else (None, None)
        name = words.ticket(table.rules, row.ticket)
        for cell, logged, due in zip(("completed", "completed_turn"), row[-2:], right, strict=True):
            table.expect("completed tickets", f"{cell} of {name}", logged, due)
    table.seat = None


def _draw_deal(table: Table) -> list[TicketRow]:
    rules = table.edition.ticket_rules
    if rules.mix:
        return _draw_mix(table, rules.deal_total)
    return _draw_each(table, [deck.deal for deck in table.edition.decks])


def _draw_each(table: Table, counts: list[int]) -> list[TicketRow]:
    """So many from each deck, or what is left there, deck by deck."""
    return [
        table.draw_ticket(number)
        for number, count in enumerate(counts)
        for _ in range(min(count, len(table.decks[number])))
    ]


def _draw_mix(table: Table, total: int) -> list[TicketRow]:
    """As many as the decks can serve up to the total, any mix, deck by deck."""
    offer = [table.draw_ticket() for _ in range(min(total, sum(len(deck) for deck in table.decks)))]
    decks = [table.edition.tickets[row.ticket].deck for row in offer]
    if decks != sorted(decks):
        table.note(RULE, "a mix is drawn deck by deck, but the log has the decks in turns")
    return offer


def _keep(table: Table, offer: list[TicketRow], least: int) -> list[TicketRow]:
    """The seat holds what it kept; the others are returned."""
    kept = [row for row in offer if row.kept]
    if len(kept) < min(least, len(offer)):
        raise RuleError(RULE, f"{len(kept)} of {len(offer)} tickets were kept, {min(least, len(offer))} must be")
    for row in kept:
        table.hold(row)
    return [row for row in offer if not row.kept]


def _return_at_start(table: Table, returned: list[TicketRow]) -> None:
    how = table.edition.ticket_rules.returned_at_start
    for row in returned:
        deck = table.decks[table.edition.tickets[row.ticket].deck]
        if how == "bottom":
            deck.put_under(row.ticket)
        elif how == "shuffled":
            deck.shuffle_in([row.ticket])
    if how == "removed":
        _remove_undealt(table)


def _remove_undealt(table: Table) -> None:
    """With the unkept tickets those of decks dealt from at setup alone leave the game."""
    rules = table.edition.ticket_rules
    for deck, entry in zip(table.decks, table.edition.decks, strict=True):
        if not rules.mix and not entry.draw:
            deck.clear()

"""What a player may choose: every legal choice of a decision, in the log's own terms.

A log shows what was chosen, never what was not offered. These lists are compared with the engine's.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from ttr_sim.log import WILD_LETTER
from ttr_sim.referee.cards import can_draw_cards
from ttr_sim.referee.claims import why_closed
from ttr_sim.referee.position import Choice, Position
from ttr_sim.referee.tickets import can_discard, can_draw_tickets


def turn_choices(position: Position, seat: int) -> Iterator[Choice]:
    """Yield every action of a turn; a pass only when there is no other."""
    empty = True
    for choice in _actions(position, seat):
        empty = False
        yield choice
    if empty:
        yield ("pass",)


def _actions(position: Position, seat: int) -> Iterator[Choice]:
    if can_draw_cards(position):
        if position.row is not None and position.row.is_open:
            yield from (("draw", letter) for letter in set(position.row.cards))
        if position.piles.size > 0:
            yield ("draw", None)
    for number, route in enumerate(position.edition.routes):
        if why_closed(position, seat, number) is None:
            printed = position.rules.route_letters[number]
            for payment in _payments(position, seat, route.length, printed, route.locomotives):
                yield ("claim", number, *payment)
    yield from _ticket_draws(position)
    yield from _stations(position, seat)
    if can_discard(position, seat):
        yield ("discard",)


def _payments(
    position: Position, seat: int, price: int, printed: str | None, least_wilds: int
) -> Iterator[tuple[str | None, int]]:
    """Yield color and wilds of every way to pay; the color is None for wilds alone."""
    hand = position.seats[seat].hand
    for letter in position.rules.letters[:-1] if printed is None else (printed,):
        for wilds in range(least_wilds, min(price - 1, hand[WILD_LETTER]) + 1):
            if hand[letter] >= price - wilds:
                yield letter, wilds
    if hand[WILD_LETTER] >= price:
        yield None, price


def _ticket_draws(position: Position) -> Iterator[Choice]:
    rules = position.edition.ticket_rules
    if not rules.mix:
        if can_draw_tickets(position):
            yield ("tickets",)
        return
    left = [len(deck) for deck in position.decks]
    total = min(rules.draw_total, sum(left))
    if total:
        mixes = product(*(range(min(total, count) + 1) for count in left))
        yield from (("tickets", *mix) for mix in mixes if sum(mix) == total)


def _stations(position: Position, seat: int) -> Iterator[Choice]:
    rule, built = position.edition.stations, len(position.seats[seat].stations)
    if rule is None or built >= rule.count:
        return
    payments = list(_payments(position, seat, built + 1, None, 0))
    for city in range(len(position.edition.cities)):
        if city not in position.station_cities:
            yield from (("station", city, *payment) for payment in payments)

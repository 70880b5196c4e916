"""Where and how the planted mistakes go in: tests on rows, and changes that need to know the game."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from tests.referee.rows import changed
from tests.referee.spoiling import Spoiled, cell, row_removed, to, with_rows
from ttr_sim.referee.log import GameLog, TurnRow
from ttr_sim.referee.rulebook import Rulebook

Test = Callable[[Any], bool]


def action(name: str) -> Test:
    return lambda row: bool(row.action == name)


def claimed(row: TurnRow) -> bool:
    return row.action == "claim" and bool(row.claimed)


def holds(column: str) -> Test:
    """The cell is neither null, zero, false nor empty."""
    return lambda row: bool(getattr(row, column))


def present(column: str) -> Test:
    return lambda row: getattr(row, column) is not None


def from_row(row: TurnRow) -> bool:
    return bool(row.action == "draw" and row.card1_from == "row")


def blind(row: TurnRow) -> bool:
    return bool(row.action == "draw" and row.card1_from == "deck")


def letter_not_in_row(row: TurnRow) -> str:
    return next(letter for letter in "rbgyopwk" if letter not in (row.row or ""))


def first_turned(letters: str) -> str:
    """The first letter changed to another color."""
    return ("b" if letters[0] == "r" else "r") + letters[1:]


def route_claimed_before(rules: Rulebook, log: GameLog) -> Spoiled:
    """A claim moved onto a route that was claimed in an earlier turn."""
    claims = [turn for turn in log.turns if claimed(turn)]
    for first, second in pairwise(claims):
        yield _with_route(log, second, first.route)


def route_beside_own(rules: Rulebook, log: GameLog) -> Spoiled:
    yield from _claims_beside(rules, log, same_seat=True)


def route_beside_others(rules: Rulebook, log: GameLog) -> Spoiled:
    yield from _claims_beside(rules, log, same_seat=False)


def _claims_beside(rules: Rulebook, log: GameLog, same_seat: bool) -> Spoiled:
    """A claim moved onto the twin of a route claimed earlier by the same seat or another one."""
    owner = {turn.route: turn for turn in log.turns if claimed(turn)}
    for first in list(owner.values()):
        twins = [twin for twin in rules.groups[first.route or 0] if twin not in owner]
        later = [t for t in owner.values() if t.turn > first.turn and (t.seat == first.seat) == same_seat]
        if twins and later:
            yield _with_route(log, later[-1], twins[0])


def _with_route(log: GameLog, turn: TurnRow, route: int | None) -> GameLog:
    place = log.turns.index(turn)
    return with_rows(log, "turns", [*log.turns[:place], changed(turn, route=route), *log.turns[place + 1 :]])


def station_in_taken_city(rules: Rulebook, log: GameLog) -> Spoiled:
    built = [turn for turn in log.turns if turn.action == "station"]
    for first, second in pairwise(built):
        place = log.turns.index(second)
        yield with_rows(log, "turns", [*log.turns[:place], changed(second, city=first.city), *log.turns[place + 1 :]])


def ferry_paid_without_wilds(rules: Rulebook, log: GameLog) -> Spoiled:
    for place, turn in enumerate(log.turns):
        if claimed(turn) and rules.edition.routes[turn.route or 0].locomotives and turn.color is not None:
            yield with_rows(log, "turns", [*log.turns[:place], changed(turn, wilds=0), *log.turns[place + 1 :]])


def surcharge_not_paid(rules: Rulebook, log: GameLog) -> Spoiled:
    for place, turn in enumerate(log.turns):
        if claimed(turn) and turn.tunnel_cost:
            cards = (turn.cards or 0) - turn.tunnel_cost
            wilds = min(turn.wilds or 0, cards)
            spoiled = changed(turn, cards=cards, wilds=wilds, color=None if wilds == cards else turn.color)
            yield with_rows(log, "turns", [*log.turns[:place], spoiled, *log.turns[place + 1 :]])


def free_tunnel_given_up(rules: Rulebook, log: GameLog) -> Spoiled:
    yield from cell("turns", "claimed", to(False), lambda row: claimed(row) and row.tunnel_cost == 0)(rules, log)


def turn_after_the_end(rules: Rulebook, log: GameLog) -> Spoiled:
    last = log.turns[-1]
    yield with_rows(
        log, "turns", [*log.turns, changed(last, turn=last.turn + 1, seat=(last.seat + 1) % log.game.players)]
    )


def last_turn_missing(rules: Rulebook, log: GameLog) -> Spoiled:
    yield with_rows(log, "turns", log.turns[:-1])


def passenger_too_many(rules: Rulebook, log: GameLog) -> Spoiled:
    letters = (log.game.passengers or "").replace("w", "r").replace("k", "r")
    yield from cell("games", "passengers", to(letters))(rules, log)


def passenger_moved(rules: Rulebook, log: GameLog) -> Spoiled:
    """From one city to another: the numbers by city are no longer right."""
    cities = (log.game.passengers or "").split(",")
    giver = next(place for place, letters in enumerate(cities) if letters)
    cities[giver], cities[giver + 1] = cities[giver][1:], cities[giver + 1] + cities[giver][0]
    yield from cell("games", "passengers", to(",".join(cities)))(rules, log)


def lent_dropped(rules: Rulebook, log: GameLog) -> Spoiled:
    yield from cell("seats", "lent", to(""), holds("lent"))(rules, log)


def lent_without_station(rules: Rulebook, log: GameLog) -> Spoiled:
    yield from cell("seats", "lent", lambda lent: f"{lent},0:0" if lent else "0:0")(rules, log)


def tickets_from_wrong_deck(rules: Rulebook, log: GameLog) -> Spoiled:
    """A long ticket where a regular one is due."""
    used = {row.ticket for row in log.tickets}
    long = next(n for n, ticket in enumerate(rules.edition.tickets) if ticket.deck == 1 and n not in used)
    yield from cell("tickets", "ticket", to(long), lambda row: row.turn >= 0)(rules, log)


def ticket_dealt_twice(rules: Rulebook, log: GameLog) -> Spoiled:
    first = log.tickets[0].ticket
    yield from cell("tickets", "ticket", to(first), lambda row: row.order == 1)(rules, log)


def returned_tickets_out_of_order(rules: Rulebook, log: GameLog) -> Spoiled:
    """Two tickets that come round again, in the wrong order."""
    seen: set[int] = set()
    again = []
    for place, row in enumerate(log.tickets):
        if row.ticket in seen:
            again.append(place)
        seen.add(row.ticket)
    for first, second in pairwise(again):
        rows = list(log.tickets)
        rows[first], rows[second] = (
            changed(rows[first], ticket=rows[second].ticket),
            changed(rows[second], ticket=rows[first].ticket),
        )
        yield with_rows(log, "tickets", rows)


def nothing_kept(rules: Rulebook, log: GameLog) -> Spoiled:
    for turn in {row.turn for row in log.tickets}:
        rows = [changed(row, kept=False) if row.turn == turn else row for row in log.tickets]
        yield with_rows(log, "tickets", rows)


def not_replaced(rules: Rulebook, log: GameLog) -> Spoiled:
    """First Journey: a completed ticket's replacement left out."""
    yield from row_removed("tickets", lambda row: row.turn >= 0)(rules, log)


def draw_turned_into_pass(rules: Rulebook, log: GameLog) -> Spoiled:
    yield from cell("turns", "action", to("pass"), action("draw"))(rules, log)

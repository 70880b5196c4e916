"""Ways to spoil a logged game: one cell, one row, the order of rows, or a change that needs to follow the game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any

from tests.referee.built import changed
from ttr_sim.referee.log import GameLog, TurnRow
from ttr_sim.referee.rulebook import Rulebook

Spoiled = Iterator[GameLog]
Change = Callable[[Any], Any]
Test = Callable[[Any], bool]


@dataclass(frozen=True)
class Mistake:
    """`spoil` yields the game with the mistake planted, in one place after another; `rule` is what the referee
    should name. `tries` is how many places may pass unseen: a blind card is known only when the deck has run out."""

    name: str
    edition: str
    rule: str
    spoil: Callable[[Rulebook, GameLog], Spoiled]
    tries: int = 1


def always(row: Any) -> bool:
    return True


def more(value: Any) -> Any:
    return value + 1


def less(value: Any) -> Any:
    return value - 1


def other(*values: Any) -> Change:
    """Another one of these values."""
    return lambda value: next(entry for entry in values if entry != value)


def to(value: Any) -> Change:
    return lambda _: value


def cell(table: str, column: str, change: Change, where: Test = always) -> Callable[[Rulebook, GameLog], Spoiled]:
    """One cell changed, by its value, in every row that qualifies, one at a time."""
    return cell_by_row(table, column, lambda row: change(getattr(row, column)), where)


def cell_by_row(
    table: str, column: str, change: Change, where: Test = always
) -> Callable[[Rulebook, GameLog], Spoiled]:
    """The same, the new value made from the whole row."""

    def spoil(rules: Rulebook, log: GameLog) -> Spoiled:
        if table == "games":
            if where(log.game):
                yield replace(log, game=changed(log.game, **{column: change(log.game)}))
            return
        rows = getattr(log, table)
        for place, row in enumerate(rows):
            if where(row):
                yield with_rows(log, table, [*rows[:place], changed(row, **{column: change(row)}), *rows[place + 1 :]])

    return spoil


def _each_row(table: str, where: Test, copies: int) -> Callable[[Rulebook, GameLog], Spoiled]:
    def spoil(rules: Rulebook, log: GameLog) -> Spoiled:
        rows = getattr(log, table)
        for place, row in enumerate(rows):
            if where(row):
                yield with_rows(log, table, [*rows[:place], *[row] * copies, *rows[place + 1 :]])

    return spoil


def row_removed(table: str, where: Test = always) -> Callable[[Rulebook, GameLog], Spoiled]:
    return _each_row(table, where, copies=0)


def row_doubled(table: str, where: Test = always) -> Callable[[Rulebook, GameLog], Spoiled]:
    return _each_row(table, where, copies=2)


def rows_swapped(table: str, distance: int = 1) -> Callable[[Rulebook, GameLog], Spoiled]:
    def spoil(rules: Rulebook, log: GameLog) -> Spoiled:
        rows = list(getattr(log, table))
        rows[0], rows[distance] = rows[distance], rows[0]
        yield with_rows(log, table, rows)

    return spoil


def with_rows(log: GameLog, table: str, rows: list[Any]) -> GameLog:
    new: dict[str, Any] = {table: rows}
    return replace(log, **new)


of_game, of_seat, of_turn, of_ticket = (partial(cell, table) for table in ("games", "seats", "turns", "tickets"))


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
    yield from of_turn("claimed", to(False), lambda row: claimed(row) and row.tunnel_cost == 0)(rules, log)


def turn_after_the_end(rules: Rulebook, log: GameLog) -> Spoiled:
    last = log.turns[-1]
    yield with_rows(
        log, "turns", [*log.turns, changed(last, turn=last.turn + 1, seat=(last.seat + 1) % log.game.players)]
    )


def last_turn_missing(rules: Rulebook, log: GameLog) -> Spoiled:
    yield with_rows(log, "turns", log.turns[:-1])


def passenger_too_many(rules: Rulebook, log: GameLog) -> Spoiled:
    letters = (log.game.passengers or "").replace("w", "r").replace("k", "r")
    yield from of_game("passengers", to(letters))(rules, log)


def passenger_moved(rules: Rulebook, log: GameLog) -> Spoiled:
    """From one city to another: the numbers by city are no longer right."""
    cities = (log.game.passengers or "").split(",")
    giver = next(place for place, letters in enumerate(cities) if letters)
    cities[giver], cities[giver + 1] = cities[giver][1:], cities[giver + 1] + cities[giver][0]
    yield from of_game("passengers", to(",".join(cities)))(rules, log)


def lent_dropped(rules: Rulebook, log: GameLog) -> Spoiled:
    yield from of_seat("lent", to(""), holds("lent"))(rules, log)


def lent_without_station(rules: Rulebook, log: GameLog) -> Spoiled:
    yield from of_seat("lent", lambda lent: f"{lent},0:0" if lent else "0:0")(rules, log)


def tickets_from_wrong_deck(rules: Rulebook, log: GameLog) -> Spoiled:
    """A long ticket where a regular one is due."""
    used = {row.ticket for row in log.tickets}
    long = next(n for n, ticket in enumerate(rules.edition.tickets) if ticket.deck == 1 and n not in used)
    yield from of_ticket("ticket", to(long), lambda row: row.turn >= 0)(rules, log)


def ticket_dealt_twice(rules: Rulebook, log: GameLog) -> Spoiled:
    first = log.tickets[0].ticket
    yield from of_ticket("ticket", to(first), lambda row: row.order == 1)(rules, log)


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
    yield from of_turn("action", to("pass"), action("draw"))(rules, log)

"""At least one planted mistake for every column and every rule: each is found, and named by the rule it breaks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice, pairwise
from typing import Any

import pytest

from tests.referee.built import changed
from tests.referee.conftest import PLAYERS, GamesOf
from ttr_sim.log import WILD_LETTER
from ttr_sim.referee.game import audit_game
from ttr_sim.referee.log import GameLog, TurnRow
from ttr_sim.referee.rulebook import Rulebook

Spoiled = Iterator[GameLog]
Spoil = Callable[[Rulebook, GameLog], Spoiled]  # yields a game with a mistake planted, in one place after another
Change = Callable[[Any], Any]
Test = Callable[[Any], bool]


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


def first_turned(letters: str) -> str:
    """The first letter changed to another color."""
    return ("b" if letters[0] == "r" else "r") + letters[1:]


def one_moved(passengers: str) -> str:
    """A passenger in another city, so that the numbers by city are wrong."""
    cities = passengers.split(",")
    giver = next(place for place, letters in enumerate(cities) if letters)
    cities[giver], cities[giver + 1] = cities[giver][1:], cities[giver + 1] + cities[giver][0]
    return ",".join(cities)


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


def with_rows(log: GameLog, table: str, rows: list[Any]) -> GameLog:
    new: dict[str, Any] = {table: rows}
    return replace(log, **new)


def with_turn(log: GameLog, turn: TurnRow, **cells: Any) -> GameLog:
    return with_rows(log, "turns", [changed(row, **cells) if row is turn else row for row in log.turns])


def cell(table: str, column: str, change: Change, where: Test = always) -> Spoil:
    """One cell changed, by its value, in every row that qualifies, one at a time."""

    def spoil(rules: Rulebook, log: GameLog) -> Spoiled:
        if table == "games":
            if where(log.game):
                yield replace(log, game=changed(log.game, **{column: change(getattr(log.game, column))}))
            return
        rows = getattr(log, table)
        for place, row in enumerate(rows):
            if where(row):
                spoiled = changed(row, **{column: change(getattr(row, column))})
                yield with_rows(log, table, [*rows[:place], spoiled, *rows[place + 1 :]])

    return spoil


of_game, of_seat, of_turn, of_ticket = (partial(cell, table) for table in ("games", "seats", "turns", "tickets"))


def repeated(table: str, copies: int, where: Test = always) -> Spoil:
    """A row left out or doubled."""

    def spoil(rules: Rulebook, log: GameLog) -> Spoiled:
        rows = getattr(log, table)
        for place, row in enumerate(rows):
            if where(row):
                yield with_rows(log, table, [*rows[:place], *[row] * copies, *rows[place + 1 :]])

    return spoil


def seats_swapped(rules: Rulebook, log: GameLog) -> Spoiled:
    yield with_rows(log, "seats", [log.seats[1], log.seats[0], *log.seats[2:]])


def card_not_in_row(rules: Rulebook, log: GameLog) -> Spoiled:
    for turn in filter(from_row, log.turns):
        yield with_turn(log, turn, card1=next(letter for letter in "rbgyopwk" if letter not in (turn.row or "")))


def route_claimed_before(rules: Rulebook, log: GameLog) -> Spoiled:
    """A claim moved onto a route that was claimed in an earlier turn."""
    for first, second in pairwise(turn for turn in log.turns if claimed(turn)):
        yield with_turn(log, second, route=first.route)


def claims_beside(rules: Rulebook, log: GameLog, same_seat: bool) -> Spoiled:
    """A claim moved onto the twin of a route claimed earlier by the same seat or another one."""
    owner = {turn.route: turn for turn in log.turns if claimed(turn)}
    for first in list(owner.values()):
        twins = [twin for twin in rules.groups[first.route or 0] if twin not in owner]
        later = [t for t in owner.values() if t.turn > first.turn and (t.seat == first.seat) == same_seat]
        if twins and later:
            yield with_turn(log, later[-1], route=twins[0])


def station_in_taken_city(rules: Rulebook, log: GameLog) -> Spoiled:
    for first, second in pairwise(turn for turn in log.turns if turn.action == "station"):
        yield with_turn(log, second, city=first.city)


def ferry_paid_without_wilds(rules: Rulebook, log: GameLog) -> Spoiled:
    for turn in log.turns:
        if claimed(turn) and rules.edition.routes[turn.route or 0].locomotives and turn.color is not None:
            yield with_turn(log, turn, wilds=0)


def surcharge_not_paid(rules: Rulebook, log: GameLog) -> Spoiled:
    for turn in log.turns:
        if claimed(turn) and turn.tunnel_cost:
            cards = (turn.cards or 0) - turn.tunnel_cost
            wilds = min(turn.wilds or 0, cards)
            yield with_turn(log, turn, cards=cards, wilds=wilds, color=None if wilds == cards else turn.color)


def turn_after_the_end(rules: Rulebook, log: GameLog) -> Spoiled:
    last = log.turns[-1]
    extra = changed(last, turn=last.turn + 1, seat=(last.seat + 1) % log.game.players)
    yield with_rows(log, "turns", [*log.turns, extra])


def last_turn_missing(rules: Rulebook, log: GameLog) -> Spoiled:
    yield with_rows(log, "turns", log.turns[:-1])


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


MISTAKES: dict[tuple[str, str], dict[str, Spoil]] = {
    ("usa", "setup"): {
        "one player more": of_game("players", more),
        "more players than the box has": of_game("players", to(6)),
        "a seat missing": repeated("seats", 0),
        "seats swapped": seats_swapped,
        "hand: a card more": of_seat("hand", lambda hand: hand + "*"),
        "hand: a card fewer": of_seat("hand", lambda hand: hand[:-1]),
        "hand not in order": of_seat("hand", lambda h: h[::-1], lambda r: r.hand != r.hand[::-1]),
    },
    ("europe", "setup"): {"one player fewer": of_game("players", less)},
    ("usa", "log"): {
        "one turn more": of_game("turns", more),
        "fill not told": of_turn("fill2", to(None), action("tickets")),
        "wanted by a seat that is not there": of_turn("wanted_by", to(64), claimed),
        "wanted by not told": of_turn("wanted_by", to(None), claimed),
        "an unknown action": of_turn("action", to("rest")),
        "a city in a claim": of_turn("city", to(3), claimed),
        "a route in a draw": of_turn("route", to(3), action("draw")),
        "a card in a claim": of_turn("card1", to("r"), claimed),
    },
    ("usa", "end of the game"): {
        "another end": of_game("end", other("stalled", "trains")),
        "a turn after the end": turn_after_the_end,
        "the last turn missing": last_turn_missing,
    },
    ("first_journey", "end of the game"): {
        "another end of a race": of_game("end", other("trains", "tickets")),
        "a turn after the end of a race": turn_after_the_end,
    },
    ("usa", "standings"): {
        "another winner": of_game("winners", other(1, 2)),
        "another margin": of_game("margin", more),
        "another rank": of_seat("rank", more),
        "another win share": of_seat("win_share", other(0.5, 1.0)),
    },
    ("usa", "face-up cards"): {
        "row at setup: another card": of_game("fill", first_turned),
        "row at setup: a card more": of_game("fill", lambda fill: fill + "r"),
        "row at setup: a card fewer": of_game("fill", lambda fill: fill[:-1]),
        "row at setup missing": of_game("fill", to(None)),
        "one reset more": of_game("resets", more),
        "one stuck row more": of_game("stuck", more),
        "another row before a turn": of_turn("row", first_turned),
        "row missing": of_turn("row", to(None)),
        "a card that does not lie there": card_not_in_row,
        "from the row, not the deck": of_turn("card1_from", to("row"), blind),
        "from the deck, not the row": of_turn("card1_from", to("deck"), from_row),
        "card not replaced": of_turn("fill1", to(""), holds("fill1")),
        "two cards for one": of_turn("fill1", lambda fill: fill + "r", holds("fill1")),
        "another replacement": of_turn("fill1", first_turned, holds("fill1")),
        "fill of a blind draw": of_turn("fill1", to("r"), blind),
        "row not filled at the end": of_turn("fill2", to(""), holds("fill2")),
        "fill that was not needed": of_turn("fill2", to("r"), action("claim")),
    },
    ("first_journey", "setup"): {"row at setup without a row": of_game("fill", to("rbgyo"))},
    ("usa", "train cards"): {
        "one reshuffle more": of_game("reshuffles", more),
        "one reshuffle fewer": of_game("reshuffles", less),
        "hand: an unknown color": of_seat("hand", lambda hand: "z" + hand[1:]),
        "a card of an unknown color": of_turn("card1", to("z"), blind),
        "a blind card the deck had no more of": of_turn("card1", other("r", "b"), blind),
    },
    ("usa", "lead"): {
        "one lead change more": of_game("lead_changes", more),
        "lead a turn later": of_game("lead_turn", more, present("lead_turn")),
        "lead forgotten": of_game("lead_turn", to(None), present("lead_turn")),
    },
    ("first_journey", "lead"): {"lead invented": of_game("lead_turn", to(3), lambda row: row.lead_turn is None)},
    ("germany", "passengers"): {
        "a passenger in another city": of_game("passengers", one_moved),
        "too many passengers of a color": of_game(
            "passengers", lambda cities: cities.replace("w", "r").replace("k", "r")
        ),
        "passengers not placed": of_game("passengers", to(None)),
        "a passenger left behind": of_turn("passenger1", to(None), holds("passenger1")),
        "a passenger who was not there": of_turn("passenger1", to("o"), claimed),
        "the other passenger left behind": of_turn("passenger2", to(None), holds("passenger2")),
    },
    ("usa", "passengers"): {
        "passengers without the rule": of_game("passengers", to("r,b")),
        "a passenger without the rule": of_turn("passenger2", to("r"), claimed),
    },
    ("usa", "claiming routes"): {
        "hand: another card": of_seat("hand", first_turned),
        "a route claimed before": route_claimed_before,
        "a route beside an own one": partial(claims_beside, same_seat=True),
        "a route closed to others": partial(claims_beside, same_seat=False),
        "a route that is not there": of_turn("route", to(999), claimed),
        "no route": of_turn("route", to(None), claimed),
        "another color": of_turn("color", other("r", "b"), holds("color")),
        "no color": of_turn("color", to(None), holds("color")),
        "wilds as color": of_turn("color", to(WILD_LETTER), holds("color")),
        "a card too many": of_turn("cards", more, claimed),
        "a card too few": of_turn("cards", less, claimed),
        "cards not told": of_turn("cards", to(None), claimed),
        "a wild more": of_turn("wilds", more, claimed),
        "wilds not told": of_turn("wilds", to(None), claimed),
        "claimed or not is not told": of_turn("claimed", to(None), claimed),
    },
    ("usa", "scoring"): {
        "another score": of_seat("score", more),
        "other route points": of_seat("route_points", more),
        "other ticket points": of_seat("ticket_points", more),
        "another ticket penalty": of_seat("ticket_penalty", less),
        "other points of the longest path": of_seat("longest_points", other(0, 10)),
        "more tickets completed": of_seat("tickets_completed", more),
        "more tickets failed": of_seat("tickets_failed", more),
        "another longest path": of_seat("longest_path", more),
        "more routes": of_seat("routes", more),
        "fewer trains left": of_seat("trains_left", less),
        "more turns of a seat": of_seat("turns", more),
        "another public score": of_turn("score", more),
    },
    ("first_journey", "scoring"): {
        "another score of a race": of_seat("score", more),
        "route points in a race": of_seat("route_points", to(0)),
        "failed tickets in a race": of_seat("tickets_failed", to(1)),
        "bonus ticket in the end": of_seat("bonus_ticket", lambda has: not has),
        "another public score of a race": of_turn("score", more),
    },
    ("germany", "scoring"): {
        "other globetrotter points": of_seat("globetrotter_points", other(0, 15)),
        "other passenger points": of_seat("passenger_points", more),
        "other passengers held": of_seat("passengers", first_turned, holds("passengers")),
    },
    ("europe", "scoring"): {
        "other station points": of_seat("station_points", more),
        "more stations left": of_seat("stations_left", more),
    },
    ("amsterdam", "scoring"): {
        "other merchandise points": of_seat("merchandise_points", more),
        "more merchandise held": of_seat("merchandise", more),
    },
    ("new_york", "scoring"): {
        "other attraction points": of_seat("attraction_points", more),
        "district points without the rule": of_seat("district_points", to(0)),
    },
    ("london", "scoring"): {
        "other district points": of_seat("district_points", more),
        "Mandala points without the rule": of_seat("mandala_points", to(0)),
    },
    ("india", "scoring"): {
        "other Mandala points": of_seat("mandala_points", more),
        "attraction points without the rule": of_seat("attraction_points", to(0)),
    },
    ("europe", "lending stations"): {
        "lending left out": of_seat("lent", to(""), holds("lent")),
        "lending without a station": of_seat("lent", lambda lent: f"{lent},0:0" if lent else "0:0"),
        "lending not told": of_seat("lent", to(None)),
        "lending in strange words": of_seat("lent", to("x")),
    },
    ("usa", "lending stations"): {"lending without the rule": of_seat("lent", to(""))},
    ("first_journey", "face-up cards"): {"row in a game without one": of_turn("row", to("rbg"))},
    ("usa", "drawing cards"): {
        "first card missing": of_turn("card1", to(None), action("draw")),
        "from nowhere": of_turn("card1_from", to(None), action("draw")),
        "stopped at one card": of_turn("card2", to(None), holds("card2")),
        "second card after a wild from the row": of_turn(
            "card2", to("r"), lambda row: from_row(row) and row.card1 == WILD_LETTER
        ),
        "wild from the row as second card": of_turn("card2", to(WILD_LETTER), lambda row: row.card2_from == "row"),
        "second card from nowhere": of_turn("card2_from", to(None), holds("card2")),
        "source of no second card": of_turn(
            "card2_from", to("deck"), lambda row: row.action == "draw" and row.card2 is None
        ),
    },
    ("first_journey", "drawing cards"): {"from the row without a row": of_turn("card1_from", to("row"), blind)},
    ("first_journey", "log"): {"fill without a row": of_turn("fill2", to(""))},
    ("europe", "ferries"): {"a ferry without wilds": ferry_paid_without_wilds},
    ("europe", "tunnels"): {
        "too few cards revealed": of_turn("tunnel_cards", lambda c: c[1:], holds("tunnel_cards")),
        "no cards revealed": of_turn("tunnel_cards", to(None), holds("tunnel_cards")),
        "another tunnel cost": of_turn("tunnel_cost", more, present("tunnel_cost")),
        "a free tunnel given up": of_turn("claimed", to(False), lambda row: claimed(row) and row.tunnel_cost == 0),
    },
    ("usa", "tunnels"): {
        "cards revealed for a plain route": of_turn("tunnel_cards", to("rbg"), claimed),
        "tunnel cost of a plain route": of_turn("tunnel_cost", to(0), claimed),
        "a plain route given up": of_turn("claimed", to(False), claimed),
    },
    ("europe", "claiming routes"): {"surcharge not paid": surcharge_not_paid},
    ("amsterdam", "merchandise"): {"merchandise or not": of_turn("merchandise", lambda has: not has, claimed)},
    ("usa", "merchandise"): {"merchandise without the rule": of_turn("merchandise", to(False), claimed)},
    ("first_journey", "bonus ticket"): {"bonus ticket or not": of_turn("bonus_ticket", lambda has: not has, claimed)},
    ("usa", "bonus ticket"): {"bonus ticket without the rule": of_turn("bonus_ticket", to(True), claimed)},
    ("usa", "turn order"): {
        "another turn number": of_turn("turn", more),
        "another seat": of_turn("seat", other(0, 1)),
        "a turn missing": repeated("turns", 0),
        "a turn doubled": repeated("turns", 2),
    },
    ("usa", "passing"): {"passed though there was something to do": of_turn("action", to("pass"), action("draw"))},
    ("usa", "trains"): {"other trains": of_turn("trains", less)},
    ("europe", "stations"): {
        "a station in a city that has one": station_in_taken_city,
        "a station nowhere": of_turn("city", to(None), action("station")),
        "a station outside the map": of_turn("city", to(99), action("station")),
        "a cheap station": of_turn("cards", less, action("station")),
    },
    ("usa", "stations"): {"a station without the rule": of_turn("action", to("station"), action("claim"))},
    ("usa", "discarding tickets"): {"discarding without the rule": of_turn("action", to("discard"), action("tickets"))},
    ("usa", "drawing tickets"): {
        "another order": of_ticket("order", more),
        "another seat's ticket": of_ticket("seat", other(0, 1)),
        "another turn of the offer": of_ticket("turn", more),
        "a ticket that is not there": of_ticket("ticket", to(500)),
        "too few tickets kept": nothing_kept,
        "a ticket missing": repeated("tickets", 0),
        "a ticket doubled": repeated("tickets", 2),
        "tickets drawn in a draw of cards": of_turn("action", to("tickets"), action("draw")),
    },
    ("usa", "ticket decks"): {"a ticket dealt twice": ticket_dealt_twice},
    ("europe", "drawing tickets"): {"a ticket of another deck": tickets_from_wrong_deck},
    ("amsterdam", "ticket decks"): {"returned tickets out of order": returned_tickets_out_of_order},
    ("usa", "completed tickets"): {
        "kept or not": of_ticket("kept", to(True), lambda row: not row.kept),
        "completed or not": of_ticket("completed", lambda c: not c, holds("kept")),
        "completed though not kept": of_ticket("completed", to(False), lambda r: not r.kept),
        "completed a turn later": of_ticket("completed_turn", more, present("completed_turn")),
        "completed, but not when": of_ticket("completed_turn", to(None), present("completed_turn")),
    },
    ("first_journey", "drawing tickets"): {
        "a completed ticket not replaced": repeated("tickets", 0, lambda row: row.turn >= 0)
    },
}
# How many places may pass unseen, if not none: a blind card is known only when the deck has run out.
TRIES = {
    "hand: another card": 200,
    "a blind card the deck had no more of": 2000,
    "from the row, not the deck": 20,
    "another color": 20,
    "a wild more": 20,
    "a ferry without wilds": 20,
}


@pytest.mark.parametrize(
    ("edition", "rule", "name"), [(*key, name) for key, mistakes in MISTAKES.items() for name in mistakes]
)
def test_planted_mistake_is_found(edition: str, rule: str, name: str, games_of: GamesOf) -> None:
    rules, logs = games_of(edition)
    every_place = (spoiled for log in logs for spoiled in MISTAKES[edition, rule][name](rules, log))
    places = list(islice(every_place, TRIES.get(name, 1)))
    assert places, "no game had a place for this mistake"
    found = (audit_game(rules, log) for log in places)
    assert any(violation.rule == rule for violations in found for violation in violations)


@pytest.mark.parametrize("edition", PLAYERS)
def test_unspoiled_games_pass(edition: str, games_of: GamesOf) -> None:
    rules, logs = games_of(edition)
    assert [finding.sentence() for log in logs for finding in audit_game(rules, log)] == []

"""The planted mistakes: at least one for every column and every rule the referee knows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.referee.spoiling import (
    Mistake,
    Spoiled,
    cell,
    cell_by_row,
    less,
    more,
    other,
    row_doubled,
    row_removed,
    rows_swapped,
    to,
    with_rows,
)
from ttr_sim.log import WILD_LETTER
from ttr_sim.referee.rows import GameLog, TurnRow
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
    return row.action == "draw" and row.card1_from == "row"


def blind(row: TurnRow) -> bool:
    return row.action == "draw" and row.card1_from == "deck"


def letter_not_in_row(row: TurnRow) -> str:
    return next(letter for letter in "rbgyopwk" if letter not in (row.row or ""))


def first_turned(letters: str) -> str:
    """The first letter changed to another color."""
    return ("b" if letters[0] == "r" else "r") + letters[1:]


def route_claimed_before(rules: Rulebook, log: GameLog) -> Spoiled:
    """A claim moved onto a route that was claimed in an earlier turn."""
    claims = [turn for turn in log.turns if claimed(turn)]
    for first, second in zip(claims, claims[1:], strict=False):
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
    return with_rows(log, "turns", [*log.turns[:place], turn._replace(route=route), *log.turns[place + 1 :]])


def station_in_taken_city(rules: Rulebook, log: GameLog) -> Spoiled:
    built = [turn for turn in log.turns if turn.action == "station"]
    for first, second in zip(built, built[1:], strict=False):
        place = log.turns.index(second)
        yield with_rows(log, "turns", [*log.turns[:place], second._replace(city=first.city), *log.turns[place + 1 :]])


def ferry_paid_without_wilds(rules: Rulebook, log: GameLog) -> Spoiled:
    for place, turn in enumerate(log.turns):
        if claimed(turn) and rules.edition.routes[turn.route or 0].locomotives and turn.color is not None:
            yield with_rows(log, "turns", [*log.turns[:place], turn._replace(wilds=0), *log.turns[place + 1 :]])


def surcharge_not_paid(rules: Rulebook, log: GameLog) -> Spoiled:
    for place, turn in enumerate(log.turns):
        if claimed(turn) and turn.tunnel_cost:
            cards = (turn.cards or 0) - turn.tunnel_cost
            wilds = min(turn.wilds or 0, cards)
            spoiled = turn._replace(cards=cards, wilds=wilds, color=None if wilds == cards else turn.color)
            yield with_rows(log, "turns", [*log.turns[:place], spoiled, *log.turns[place + 1 :]])


def free_tunnel_given_up(rules: Rulebook, log: GameLog) -> Spoiled:
    yield from cell("turns", "claimed", to(False), lambda row: claimed(row) and row.tunnel_cost == 0)(rules, log)


def turn_after_the_end(rules: Rulebook, log: GameLog) -> Spoiled:
    last = log.turns[-1]
    yield with_rows(
        log, "turns", [*log.turns, last._replace(turn=last.turn + 1, seat=(last.seat + 1) % log.game.players)]
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
    for first, second in zip(again, again[1:], strict=False):
        rows = list(log.tickets)
        rows[first], rows[second] = (
            rows[first]._replace(ticket=rows[second].ticket),
            rows[second]._replace(ticket=rows[first].ticket),
        )
        yield with_rows(log, "tickets", rows)


def nothing_kept(rules: Rulebook, log: GameLog) -> Spoiled:
    for turn in {row.turn for row in log.tickets}:
        rows = [row._replace(kept=False) if row.turn == turn else row for row in log.tickets]
        yield with_rows(log, "tickets", rows)


def not_replaced(rules: Rulebook, log: GameLog) -> Spoiled:
    """First Journey: a completed ticket's replacement left out."""
    yield from row_removed("tickets", lambda row: row.turn >= 0)(rules, log)


def draw_turned_into_pass(rules: Rulebook, log: GameLog) -> Spoiled:
    yield from cell("turns", "action", to("pass"), action("draw"))(rules, log)


GAME_MISTAKES = [
    Mistake("one player more", "usa", "setup", cell("games", "players", more)),
    Mistake("one player fewer", "europe", "setup", cell("games", "players", less)),
    Mistake("more players than the box has", "usa", "setup", cell("games", "players", to(6))),
    Mistake("one turn more", "usa", "log", cell("games", "turns", more)),
    Mistake("another end", "usa", "end of the game", cell("games", "end", other("stalled", "trains"))),
    Mistake(
        "another end of a race", "first_journey", "end of the game", cell("games", "end", other("trains", "tickets"))
    ),
    Mistake("another winner", "usa", "standings", cell("games", "winners", other(1, 2))),
    Mistake("row at setup: another card", "usa", "face-up cards", cell("games", "fill", first_turned)),
    Mistake("row at setup: a card more", "usa", "face-up cards", cell("games", "fill", lambda fill: fill + "r")),
    Mistake("row at setup: a card fewer", "usa", "face-up cards", cell("games", "fill", lambda fill: fill[:-1])),
    Mistake("row at setup missing", "usa", "face-up cards", cell("games", "fill", to(None))),
    Mistake("row at setup without a row", "first_journey", "setup", cell("games", "fill", to("rbgyo"))),
    Mistake("one reset more", "usa", "face-up cards", cell("games", "resets", more)),
    Mistake("one stuck row more", "usa", "face-up cards", cell("games", "stuck", more)),
    Mistake("one reshuffle more", "usa", "train cards", cell("games", "reshuffles", more)),
    Mistake("one reshuffle fewer", "usa", "train cards", cell("games", "reshuffles", less)),
    Mistake("one lead change more", "usa", "lead", cell("games", "lead_changes", more)),
    Mistake("lead a turn later", "usa", "lead", cell("games", "lead_turn", more, present("lead_turn"))),
    Mistake("lead forgotten", "usa", "lead", cell("games", "lead_turn", to(None), present("lead_turn"))),
    Mistake("lead invented", "usa", "lead", cell("games", "lead_turn", to(3), lambda row: row.lead_turn is None)),
    Mistake("another margin", "usa", "standings", cell("games", "margin", more)),
    Mistake("a passenger in another city", "germany", "passengers", passenger_moved),
    Mistake("too many passengers of a color", "germany", "passengers", passenger_too_many),
    Mistake("passengers not placed", "germany", "passengers", cell("games", "passengers", to(None))),
    Mistake("passengers without the rule", "usa", "passengers", cell("games", "passengers", to("r,b"))),
]

SEAT_MISTAKES = [
    Mistake("a seat missing", "usa", "setup", row_removed("seats")),
    Mistake("seats swapped", "usa", "setup", rows_swapped("seats")),
    Mistake("hand: a card more", "usa", "setup", cell("seats", "hand", lambda hand: hand + "*")),
    Mistake("hand: a card fewer", "usa", "setup", cell("seats", "hand", lambda hand: hand[:-1])),
    Mistake(
        "hand not in order", "usa", "setup", cell("seats", "hand", lambda h: h[::-1], lambda r: r.hand != r.hand[::-1])
    ),
    Mistake("hand: an unknown color", "usa", "train cards", cell("seats", "hand", lambda hand: "z" + hand[1:])),
    Mistake("hand: another card", "usa", "claiming routes", cell("seats", "hand", first_turned), tries=200),
    Mistake("another score", "usa", "scoring", cell("seats", "score", more)),
    Mistake("another score of a race", "first_journey", "scoring", cell("seats", "score", more)),
    Mistake("another rank", "usa", "standings", cell("seats", "rank", more)),
    Mistake("another win share", "usa", "standings", cell("seats", "win_share", other(0.5, 1.0))),
    Mistake("other route points", "usa", "scoring", cell("seats", "route_points", more)),
    Mistake("route points in a race", "first_journey", "scoring", cell("seats", "route_points", to(0))),
    Mistake("other ticket points", "usa", "scoring", cell("seats", "ticket_points", more)),
    Mistake("another ticket penalty", "usa", "scoring", cell("seats", "ticket_penalty", less)),
    Mistake("other points of the longest path", "usa", "scoring", cell("seats", "longest_points", other(0, 10))),
    Mistake("other globetrotter points", "germany", "scoring", cell("seats", "globetrotter_points", other(0, 15))),
    Mistake("other station points", "europe", "scoring", cell("seats", "station_points", more)),
    Mistake("other passenger points", "germany", "scoring", cell("seats", "passenger_points", more)),
    Mistake("other merchandise points", "amsterdam", "scoring", cell("seats", "merchandise_points", more)),
    Mistake("more tickets completed", "usa", "scoring", cell("seats", "tickets_completed", more)),
    Mistake("more tickets failed", "usa", "scoring", cell("seats", "tickets_failed", more)),
    Mistake("failed tickets in a race", "first_journey", "scoring", cell("seats", "tickets_failed", to(1))),
    Mistake("another longest path", "usa", "scoring", cell("seats", "longest_path", more)),
    Mistake("more routes", "usa", "scoring", cell("seats", "routes", more)),
    Mistake("fewer trains left", "usa", "scoring", cell("seats", "trains_left", less)),
    Mistake("more stations left", "europe", "scoring", cell("seats", "stations_left", more)),
    Mistake("lending left out", "europe", "lending stations", lent_dropped),
    Mistake("lending without a station", "europe", "lending stations", lent_without_station),
    Mistake("lending not told", "europe", "lending stations", cell("seats", "lent", to(None))),
    Mistake("lending without the rule", "usa", "lending stations", cell("seats", "lent", to(""))),
    Mistake("lending in strange words", "europe", "lending stations", cell("seats", "lent", to("x"))),
    Mistake(
        "other passengers held", "germany", "scoring", cell("seats", "passengers", first_turned, holds("passengers"))
    ),
    Mistake("more merchandise held", "amsterdam", "scoring", cell("seats", "merchandise", more)),
    Mistake("bonus ticket in the end", "first_journey", "scoring", cell("seats", "bonus_ticket", lambda has: not has)),
    Mistake("more turns of a seat", "usa", "scoring", cell("seats", "turns", more)),
]

DRAW_MISTAKES = [
    Mistake("another row before a turn", "usa", "face-up cards", cell("turns", "row", first_turned)),
    Mistake("row missing", "usa", "face-up cards", cell("turns", "row", to(None))),
    Mistake("row in a game without one", "first_journey", "face-up cards", cell("turns", "row", to("rbg"))),
    Mistake(
        "a card that does not lie there",
        "usa",
        "face-up cards",
        cell_by_row("turns", "card1", letter_not_in_row, from_row),
    ),
    Mistake("first card missing", "usa", "drawing cards", cell("turns", "card1", to(None), action("draw"))),
    Mistake("a card of an unknown color", "usa", "train cards", cell("turns", "card1", to("z"), blind)),
    Mistake(
        "a blind card the deck had no more of",
        "usa",
        "train cards",
        cell("turns", "card1", other("r", "b"), blind),
        2000,
    ),
    Mistake("from the row, not the deck", "usa", "face-up cards", cell("turns", "card1_from", to("row"), blind), 20),
    Mistake("from the deck, not the row", "usa", "face-up cards", cell("turns", "card1_from", to("deck"), from_row)),
    Mistake("from nowhere", "usa", "drawing cards", cell("turns", "card1_from", to(None), action("draw"))),
    Mistake(
        "from the row without a row", "first_journey", "drawing cards", cell("turns", "card1_from", to("row"), blind)
    ),
    Mistake("card not replaced", "usa", "face-up cards", cell("turns", "fill1", to(""), holds("fill1"))),
    Mistake(
        "two cards for one", "usa", "face-up cards", cell("turns", "fill1", lambda fill: fill + "r", holds("fill1"))
    ),
    Mistake("another replacement", "usa", "face-up cards", cell("turns", "fill1", first_turned, holds("fill1"))),
    Mistake("fill of a blind draw", "usa", "face-up cards", cell("turns", "fill1", to("r"), blind)),
    Mistake("stopped at one card", "usa", "drawing cards", cell("turns", "card2", to(None), holds("card2"))),
    Mistake(
        "second card after a wild from the row",
        "usa",
        "drawing cards",
        cell("turns", "card2", to("r"), lambda row: from_row(row) and row.card1 == WILD_LETTER),
    ),
    Mistake(
        "wild from the row as second card",
        "usa",
        "drawing cards",
        cell("turns", "card2", to(WILD_LETTER), lambda row: row.card2_from == "row"),
    ),
    Mistake("second card from nowhere", "usa", "drawing cards", cell("turns", "card2_from", to(None), holds("card2"))),
    Mistake(
        "source of no second card",
        "usa",
        "drawing cards",
        cell("turns", "card2_from", to("deck"), lambda row: row.action == "draw" and row.card2 is None),
    ),
    Mistake("row not filled at the end", "usa", "face-up cards", cell("turns", "fill2", to(""), holds("fill2"))),
    Mistake("fill that was not needed", "usa", "face-up cards", cell("turns", "fill2", to("r"), action("claim"))),
    Mistake("fill without a row", "first_journey", "log", cell("turns", "fill2", to(""))),
    Mistake("fill not told", "usa", "log", cell("turns", "fill2", to(None), action("tickets"))),
]

CLAIM_MISTAKES = [
    Mistake("a route claimed before", "usa", "claiming routes", route_claimed_before),
    Mistake("a route beside an own one", "usa", "claiming routes", route_beside_own),
    Mistake("a route closed to others", "usa", "claiming routes", route_beside_others),
    Mistake("a route that is not there", "usa", "claiming routes", cell("turns", "route", to(999), claimed)),
    Mistake("no route", "usa", "claiming routes", cell("turns", "route", to(None), claimed)),
    Mistake("another color", "usa", "claiming routes", cell("turns", "color", other("r", "b"), holds("color")), 20),
    Mistake("no color", "usa", "claiming routes", cell("turns", "color", to(None), holds("color"))),
    Mistake("wilds as color", "usa", "claiming routes", cell("turns", "color", to(WILD_LETTER), holds("color"))),
    Mistake("a card too many", "usa", "claiming routes", cell("turns", "cards", more, claimed)),
    Mistake("a card too few", "usa", "claiming routes", cell("turns", "cards", less, claimed)),
    Mistake("cards not told", "usa", "claiming routes", cell("turns", "cards", to(None), claimed)),
    Mistake("a wild more", "usa", "claiming routes", cell("turns", "wilds", more, claimed), 20),
    Mistake("wilds not told", "usa", "claiming routes", cell("turns", "wilds", to(None), claimed)),
    Mistake("a ferry without wilds", "europe", "ferries", ferry_paid_without_wilds, 20),
    Mistake(
        "too few cards revealed",
        "europe",
        "tunnels",
        cell("turns", "tunnel_cards", lambda c: c[1:], holds("tunnel_cards")),
    ),
    Mistake("no cards revealed", "europe", "tunnels", cell("turns", "tunnel_cards", to(None), holds("tunnel_cards"))),
    Mistake("cards revealed for a plain route", "usa", "tunnels", cell("turns", "tunnel_cards", to("rbg"), claimed)),
    Mistake("another tunnel cost", "europe", "tunnels", cell("turns", "tunnel_cost", more, present("tunnel_cost"))),
    Mistake("tunnel cost of a plain route", "usa", "tunnels", cell("turns", "tunnel_cost", to(0), claimed)),
    Mistake("surcharge not paid", "europe", "claiming routes", surcharge_not_paid),
    Mistake("a free tunnel given up", "europe", "tunnels", free_tunnel_given_up),
    Mistake("a plain route given up", "usa", "tunnels", cell("turns", "claimed", to(False), claimed)),
    Mistake("claimed or not is not told", "usa", "claiming routes", cell("turns", "claimed", to(None), claimed)),
    Mistake(
        "a passenger left behind", "germany", "passengers", cell("turns", "passenger1", to(None), holds("passenger1"))
    ),
    Mistake("a passenger who was not there", "germany", "passengers", cell("turns", "passenger1", to("o"), claimed)),
    Mistake(
        "the other passenger left behind",
        "germany",
        "passengers",
        cell("turns", "passenger2", to(None), holds("passenger2")),
    ),
    Mistake("a passenger without the rule", "usa", "passengers", cell("turns", "passenger2", to("r"), claimed)),
    Mistake(
        "merchandise or not", "amsterdam", "merchandise", cell("turns", "merchandise", lambda has: not has, claimed)
    ),
    Mistake("merchandise without the rule", "usa", "merchandise", cell("turns", "merchandise", to(False), claimed)),
    Mistake(
        "bonus ticket or not",
        "first_journey",
        "bonus ticket",
        cell("turns", "bonus_ticket", lambda has: not has, claimed),
    ),
    Mistake("bonus ticket without the rule", "usa", "bonus ticket", cell("turns", "bonus_ticket", to(True), claimed)),
    Mistake("wanted by a seat that is not there", "usa", "log", cell("turns", "wanted_by", to(64), claimed)),
    Mistake("wanted by not told", "usa", "log", cell("turns", "wanted_by", to(None), claimed)),
]

TURN_MISTAKES = [
    Mistake("another turn number", "usa", "turn order", cell("turns", "turn", more)),
    Mistake("another seat", "usa", "turn order", cell("turns", "seat", other(0, 1))),
    Mistake("an unknown action", "usa", "log", cell("turns", "action", to("rest"))),
    Mistake("passed though there was something to do", "usa", "passing", draw_turned_into_pass),
    Mistake("a turn missing", "usa", "turn order", row_removed("turns")),
    Mistake("a turn doubled", "usa", "turn order", row_doubled("turns")),
    Mistake("a turn after the end", "usa", "end of the game", turn_after_the_end),
    Mistake("a turn after the end of a race", "first_journey", "end of the game", turn_after_the_end),
    Mistake("the last turn missing", "usa", "end of the game", last_turn_missing),
    Mistake("another public score", "usa", "scoring", cell("turns", "score", more)),
    Mistake("another public score of a race", "first_journey", "scoring", cell("turns", "score", more)),
    Mistake("other trains", "usa", "trains", cell("turns", "trains", less)),
    Mistake("a station in a city that has one", "europe", "stations", station_in_taken_city),
    Mistake("a station nowhere", "europe", "stations", cell("turns", "city", to(None), action("station"))),
    Mistake("a station outside the map", "europe", "stations", cell("turns", "city", to(99), action("station"))),
    Mistake("a cheap station", "europe", "stations", cell("turns", "cards", less, action("station"))),
    Mistake("a station without the rule", "usa", "stations", cell("turns", "action", to("station"), action("claim"))),
    Mistake("a city in a claim", "usa", "log", cell("turns", "city", to(3), claimed)),
    Mistake("a route in a draw", "usa", "log", cell("turns", "route", to(3), action("draw"))),
    Mistake("a card in a claim", "usa", "log", cell("turns", "card1", to("r"), claimed)),
    Mistake(
        "discarding without the rule",
        "usa",
        "discarding tickets",
        cell("turns", "action", to("discard"), action("tickets")),
    ),
]

TICKET_MISTAKES = [
    Mistake("another order", "usa", "drawing tickets", cell("tickets", "order", more)),
    Mistake("another seat's ticket", "usa", "drawing tickets", cell("tickets", "seat", other(0, 1))),
    Mistake("another turn of the offer", "usa", "drawing tickets", cell("tickets", "turn", more)),
    Mistake("a ticket dealt twice", "usa", "ticket decks", ticket_dealt_twice),
    Mistake("a ticket that is not there", "usa", "drawing tickets", cell("tickets", "ticket", to(500))),
    Mistake("a ticket of another deck", "europe", "drawing tickets", tickets_from_wrong_deck),
    Mistake("returned tickets out of order", "amsterdam", "ticket decks", returned_tickets_out_of_order),
    Mistake("too few tickets kept", "usa", "drawing tickets", nothing_kept),
    Mistake("kept or not", "usa", "completed tickets", cell("tickets", "kept", to(True), lambda row: not row.kept)),
    Mistake(
        "completed or not", "usa", "completed tickets", cell("tickets", "completed", lambda c: not c, holds("kept"))
    ),
    Mistake(
        "completed though not kept",
        "usa",
        "completed tickets",
        cell("tickets", "completed", to(False), lambda r: not r.kept),
    ),
    Mistake(
        "completed a turn later",
        "usa",
        "completed tickets",
        cell("tickets", "completed_turn", more, present("completed_turn")),
    ),
    Mistake(
        "completed, but not when",
        "usa",
        "completed tickets",
        cell("tickets", "completed_turn", to(None), present("completed_turn")),
    ),
    Mistake("a ticket missing", "usa", "drawing tickets", row_removed("tickets")),
    Mistake("a ticket doubled", "usa", "drawing tickets", row_doubled("tickets")),
    Mistake("a completed ticket not replaced", "first_journey", "drawing tickets", not_replaced),
    Mistake(
        "tickets drawn in a draw of cards",
        "usa",
        "drawing tickets",
        cell("turns", "action", to("tickets"), action("draw")),
    ),
]

MISTAKES = GAME_MISTAKES + SEAT_MISTAKES + DRAW_MISTAKES + CLAIM_MISTAKES + TURN_MISTAKES + TICKET_MISTAKES

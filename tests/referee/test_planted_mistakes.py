"""At least one planted mistake for every column and every rule: each is found, and named by the rule it breaks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest

from tests.referee.conftest import GamesOf
from tests.referee.spoiling import (
    Mistake,
    action,
    blind,
    cell_by_row,
    claimed,
    draw_turned_into_pass,
    ferry_paid_without_wilds,
    first_turned,
    free_tunnel_given_up,
    from_row,
    holds,
    last_turn_missing,
    lent_dropped,
    lent_without_station,
    less,
    letter_not_in_row,
    more,
    not_replaced,
    nothing_kept,
    of_game,
    of_seat,
    of_ticket,
    of_turn,
    other,
    passenger_moved,
    passenger_too_many,
    present,
    returned_tickets_out_of_order,
    route_beside_others,
    route_beside_own,
    route_claimed_before,
    row_doubled,
    row_removed,
    rows_swapped,
    station_in_taken_city,
    surcharge_not_paid,
    ticket_dealt_twice,
    tickets_from_wrong_deck,
    to,
    turn_after_the_end,
)
from ttr_sim.log import WILD_LETTER
from ttr_sim.referee.game import audit_game
from ttr_sim.referee.log import GameLog
from ttr_sim.referee.rulebook import Rulebook, Violation

GAME_MISTAKES = [
    Mistake("one player more", "usa", "setup", of_game("players", more)),
    Mistake("one player fewer", "europe", "setup", of_game("players", less)),
    Mistake("more players than the box has", "usa", "setup", of_game("players", to(6))),
    Mistake("one turn more", "usa", "log", of_game("turns", more)),
    Mistake("another end", "usa", "end of the game", of_game("end", other("stalled", "trains"))),
    Mistake("another end of a race", "first_journey", "end of the game", of_game("end", other("trains", "tickets"))),
    Mistake("another winner", "usa", "standings", of_game("winners", other(1, 2))),
    Mistake("row at setup: another card", "usa", "face-up cards", of_game("fill", first_turned)),
    Mistake("row at setup: a card more", "usa", "face-up cards", of_game("fill", lambda fill: fill + "r")),
    Mistake("row at setup: a card fewer", "usa", "face-up cards", of_game("fill", lambda fill: fill[:-1])),
    Mistake("row at setup missing", "usa", "face-up cards", of_game("fill", to(None))),
    Mistake("row at setup without a row", "first_journey", "setup", of_game("fill", to("rbgyo"))),
    Mistake("one reset more", "usa", "face-up cards", of_game("resets", more)),
    Mistake("one stuck row more", "usa", "face-up cards", of_game("stuck", more)),
    Mistake("one reshuffle more", "usa", "train cards", of_game("reshuffles", more)),
    Mistake("one reshuffle fewer", "usa", "train cards", of_game("reshuffles", less)),
    Mistake("one lead change more", "usa", "lead", of_game("lead_changes", more)),
    Mistake("lead a turn later", "usa", "lead", of_game("lead_turn", more, present("lead_turn"))),
    Mistake("lead forgotten", "usa", "lead", of_game("lead_turn", to(None), present("lead_turn"))),
    Mistake("lead invented", "first_journey", "lead", of_game("lead_turn", to(3), lambda row: row.lead_turn is None)),
    Mistake("another margin", "usa", "standings", of_game("margin", more)),
    Mistake("a passenger in another city", "germany", "passengers", passenger_moved),
    Mistake("too many passengers of a color", "germany", "passengers", passenger_too_many),
    Mistake("passengers not placed", "germany", "passengers", of_game("passengers", to(None))),
    Mistake("passengers without the rule", "usa", "passengers", of_game("passengers", to("r,b"))),
]

SEAT_MISTAKES = [
    Mistake("a seat missing", "usa", "setup", row_removed("seats")),
    Mistake("seats swapped", "usa", "setup", rows_swapped("seats")),
    Mistake("hand: a card more", "usa", "setup", of_seat("hand", lambda hand: hand + "*")),
    Mistake("hand: a card fewer", "usa", "setup", of_seat("hand", lambda hand: hand[:-1])),
    Mistake("hand not in order", "usa", "setup", of_seat("hand", lambda h: h[::-1], lambda r: r.hand != r.hand[::-1])),
    Mistake("hand: an unknown color", "usa", "train cards", of_seat("hand", lambda hand: "z" + hand[1:])),
    Mistake("hand: another card", "usa", "claiming routes", of_seat("hand", first_turned), tries=200),
    Mistake("another score", "usa", "scoring", of_seat("score", more)),
    Mistake("another score of a race", "first_journey", "scoring", of_seat("score", more)),
    Mistake("another rank", "usa", "standings", of_seat("rank", more)),
    Mistake("another win share", "usa", "standings", of_seat("win_share", other(0.5, 1.0))),
    Mistake("other route points", "usa", "scoring", of_seat("route_points", more)),
    Mistake("route points in a race", "first_journey", "scoring", of_seat("route_points", to(0))),
    Mistake("other ticket points", "usa", "scoring", of_seat("ticket_points", more)),
    Mistake("another ticket penalty", "usa", "scoring", of_seat("ticket_penalty", less)),
    Mistake("other points of the longest path", "usa", "scoring", of_seat("longest_points", other(0, 10))),
    Mistake("other globetrotter points", "germany", "scoring", of_seat("globetrotter_points", other(0, 15))),
    Mistake("other station points", "europe", "scoring", of_seat("station_points", more)),
    Mistake("other passenger points", "germany", "scoring", of_seat("passenger_points", more)),
    Mistake("other merchandise points", "amsterdam", "scoring", of_seat("merchandise_points", more)),
    Mistake("more tickets completed", "usa", "scoring", of_seat("tickets_completed", more)),
    Mistake("more tickets failed", "usa", "scoring", of_seat("tickets_failed", more)),
    Mistake("failed tickets in a race", "first_journey", "scoring", of_seat("tickets_failed", to(1))),
    Mistake("another longest path", "usa", "scoring", of_seat("longest_path", more)),
    Mistake("more routes", "usa", "scoring", of_seat("routes", more)),
    Mistake("fewer trains left", "usa", "scoring", of_seat("trains_left", less)),
    Mistake("more stations left", "europe", "scoring", of_seat("stations_left", more)),
    Mistake("lending left out", "europe", "lending stations", lent_dropped),
    Mistake("lending without a station", "europe", "lending stations", lent_without_station),
    Mistake("lending not told", "europe", "lending stations", of_seat("lent", to(None))),
    Mistake("lending without the rule", "usa", "lending stations", of_seat("lent", to(""))),
    Mistake("lending in strange words", "europe", "lending stations", of_seat("lent", to("x"))),
    Mistake("other passengers held", "germany", "scoring", of_seat("passengers", first_turned, holds("passengers"))),
    Mistake("more merchandise held", "amsterdam", "scoring", of_seat("merchandise", more)),
    Mistake("bonus ticket in the end", "first_journey", "scoring", of_seat("bonus_ticket", lambda has: not has)),
    Mistake("more turns of a seat", "usa", "scoring", of_seat("turns", more)),
]

DRAW_MISTAKES = [
    Mistake("another row before a turn", "usa", "face-up cards", of_turn("row", first_turned)),
    Mistake("row missing", "usa", "face-up cards", of_turn("row", to(None))),
    Mistake("row in a game without one", "first_journey", "face-up cards", of_turn("row", to("rbg"))),
    Mistake(
        "a card that does not lie there",
        "usa",
        "face-up cards",
        cell_by_row("turns", "card1", letter_not_in_row, from_row),
    ),
    Mistake("first card missing", "usa", "drawing cards", of_turn("card1", to(None), action("draw"))),
    Mistake("a card of an unknown color", "usa", "train cards", of_turn("card1", to("z"), blind)),
    Mistake(
        "a blind card the deck had no more of", "usa", "train cards", of_turn("card1", other("r", "b"), blind), 2000
    ),
    Mistake("from the row, not the deck", "usa", "face-up cards", of_turn("card1_from", to("row"), blind), 20),
    Mistake("from the deck, not the row", "usa", "face-up cards", of_turn("card1_from", to("deck"), from_row)),
    Mistake("from nowhere", "usa", "drawing cards", of_turn("card1_from", to(None), action("draw"))),
    Mistake("from the row without a row", "first_journey", "drawing cards", of_turn("card1_from", to("row"), blind)),
    Mistake("card not replaced", "usa", "face-up cards", of_turn("fill1", to(""), holds("fill1"))),
    Mistake("two cards for one", "usa", "face-up cards", of_turn("fill1", lambda fill: fill + "r", holds("fill1"))),
    Mistake("another replacement", "usa", "face-up cards", of_turn("fill1", first_turned, holds("fill1"))),
    Mistake("fill of a blind draw", "usa", "face-up cards", of_turn("fill1", to("r"), blind)),
    Mistake("stopped at one card", "usa", "drawing cards", of_turn("card2", to(None), holds("card2"))),
    Mistake(
        "second card after a wild from the row",
        "usa",
        "drawing cards",
        of_turn("card2", to("r"), lambda row: from_row(row) and row.card1 == WILD_LETTER),
    ),
    Mistake(
        "wild from the row as second card",
        "usa",
        "drawing cards",
        of_turn("card2", to(WILD_LETTER), lambda row: row.card2_from == "row"),
    ),
    Mistake("second card from nowhere", "usa", "drawing cards", of_turn("card2_from", to(None), holds("card2"))),
    Mistake(
        "source of no second card",
        "usa",
        "drawing cards",
        of_turn("card2_from", to("deck"), lambda row: row.action == "draw" and row.card2 is None),
    ),
    Mistake("row not filled at the end", "usa", "face-up cards", of_turn("fill2", to(""), holds("fill2"))),
    Mistake("fill that was not needed", "usa", "face-up cards", of_turn("fill2", to("r"), action("claim"))),
    Mistake("fill without a row", "first_journey", "log", of_turn("fill2", to(""))),
    Mistake("fill not told", "usa", "log", of_turn("fill2", to(None), action("tickets"))),
]

CLAIM_MISTAKES = [
    Mistake("a route claimed before", "usa", "claiming routes", route_claimed_before),
    Mistake("a route beside an own one", "usa", "claiming routes", route_beside_own),
    Mistake("a route closed to others", "usa", "claiming routes", route_beside_others),
    Mistake("a route that is not there", "usa", "claiming routes", of_turn("route", to(999), claimed)),
    Mistake("no route", "usa", "claiming routes", of_turn("route", to(None), claimed)),
    Mistake("another color", "usa", "claiming routes", of_turn("color", other("r", "b"), holds("color")), 20),
    Mistake("no color", "usa", "claiming routes", of_turn("color", to(None), holds("color"))),
    Mistake("wilds as color", "usa", "claiming routes", of_turn("color", to(WILD_LETTER), holds("color"))),
    Mistake("a card too many", "usa", "claiming routes", of_turn("cards", more, claimed)),
    Mistake("a card too few", "usa", "claiming routes", of_turn("cards", less, claimed)),
    Mistake("cards not told", "usa", "claiming routes", of_turn("cards", to(None), claimed)),
    Mistake("a wild more", "usa", "claiming routes", of_turn("wilds", more, claimed), 20),
    Mistake("wilds not told", "usa", "claiming routes", of_turn("wilds", to(None), claimed)),
    Mistake("a ferry without wilds", "europe", "ferries", ferry_paid_without_wilds, 20),
    Mistake(
        "too few cards revealed", "europe", "tunnels", of_turn("tunnel_cards", lambda c: c[1:], holds("tunnel_cards"))
    ),
    Mistake("no cards revealed", "europe", "tunnels", of_turn("tunnel_cards", to(None), holds("tunnel_cards"))),
    Mistake("cards revealed for a plain route", "usa", "tunnels", of_turn("tunnel_cards", to("rbg"), claimed)),
    Mistake("another tunnel cost", "europe", "tunnels", of_turn("tunnel_cost", more, present("tunnel_cost"))),
    Mistake("tunnel cost of a plain route", "usa", "tunnels", of_turn("tunnel_cost", to(0), claimed)),
    Mistake("surcharge not paid", "europe", "claiming routes", surcharge_not_paid),
    Mistake("a free tunnel given up", "europe", "tunnels", free_tunnel_given_up),
    Mistake("a plain route given up", "usa", "tunnels", of_turn("claimed", to(False), claimed)),
    Mistake("claimed or not is not told", "usa", "claiming routes", of_turn("claimed", to(None), claimed)),
    Mistake("a passenger left behind", "germany", "passengers", of_turn("passenger1", to(None), holds("passenger1"))),
    Mistake("a passenger who was not there", "germany", "passengers", of_turn("passenger1", to("o"), claimed)),
    Mistake(
        "the other passenger left behind", "germany", "passengers", of_turn("passenger2", to(None), holds("passenger2"))
    ),
    Mistake("a passenger without the rule", "usa", "passengers", of_turn("passenger2", to("r"), claimed)),
    Mistake("merchandise or not", "amsterdam", "merchandise", of_turn("merchandise", lambda has: not has, claimed)),
    Mistake("merchandise without the rule", "usa", "merchandise", of_turn("merchandise", to(False), claimed)),
    Mistake(
        "bonus ticket or not", "first_journey", "bonus ticket", of_turn("bonus_ticket", lambda has: not has, claimed)
    ),
    Mistake("bonus ticket without the rule", "usa", "bonus ticket", of_turn("bonus_ticket", to(True), claimed)),
    Mistake("wanted by a seat that is not there", "usa", "log", of_turn("wanted_by", to(64), claimed)),
    Mistake("wanted by not told", "usa", "log", of_turn("wanted_by", to(None), claimed)),
]

TURN_MISTAKES = [
    Mistake("another turn number", "usa", "turn order", of_turn("turn", more)),
    Mistake("another seat", "usa", "turn order", of_turn("seat", other(0, 1))),
    Mistake("an unknown action", "usa", "log", of_turn("action", to("rest"))),
    Mistake("passed though there was something to do", "usa", "passing", draw_turned_into_pass),
    Mistake("a turn missing", "usa", "turn order", row_removed("turns")),
    Mistake("a turn doubled", "usa", "turn order", row_doubled("turns")),
    Mistake("a turn after the end", "usa", "end of the game", turn_after_the_end),
    Mistake("a turn after the end of a race", "first_journey", "end of the game", turn_after_the_end),
    Mistake("the last turn missing", "usa", "end of the game", last_turn_missing),
    Mistake("another public score", "usa", "scoring", of_turn("score", more)),
    Mistake("another public score of a race", "first_journey", "scoring", of_turn("score", more)),
    Mistake("other trains", "usa", "trains", of_turn("trains", less)),
    Mistake("a station in a city that has one", "europe", "stations", station_in_taken_city),
    Mistake("a station nowhere", "europe", "stations", of_turn("city", to(None), action("station"))),
    Mistake("a station outside the map", "europe", "stations", of_turn("city", to(99), action("station"))),
    Mistake("a cheap station", "europe", "stations", of_turn("cards", less, action("station"))),
    Mistake("a station without the rule", "usa", "stations", of_turn("action", to("station"), action("claim"))),
    Mistake("a city in a claim", "usa", "log", of_turn("city", to(3), claimed)),
    Mistake("a route in a draw", "usa", "log", of_turn("route", to(3), action("draw"))),
    Mistake("a card in a claim", "usa", "log", of_turn("card1", to("r"), claimed)),
    Mistake(
        "discarding without the rule", "usa", "discarding tickets", of_turn("action", to("discard"), action("tickets"))
    ),
]

TICKET_MISTAKES = [
    Mistake("another order", "usa", "drawing tickets", of_ticket("order", more)),
    Mistake("another seat's ticket", "usa", "drawing tickets", of_ticket("seat", other(0, 1))),
    Mistake("another turn of the offer", "usa", "drawing tickets", of_ticket("turn", more)),
    Mistake("a ticket dealt twice", "usa", "ticket decks", ticket_dealt_twice),
    Mistake("a ticket that is not there", "usa", "drawing tickets", of_ticket("ticket", to(500))),
    Mistake("a ticket of another deck", "europe", "drawing tickets", tickets_from_wrong_deck),
    Mistake("returned tickets out of order", "amsterdam", "ticket decks", returned_tickets_out_of_order),
    Mistake("too few tickets kept", "usa", "drawing tickets", nothing_kept),
    Mistake("kept or not", "usa", "completed tickets", of_ticket("kept", to(True), lambda row: not row.kept)),
    Mistake("completed or not", "usa", "completed tickets", of_ticket("completed", lambda c: not c, holds("kept"))),
    Mistake(
        "completed though not kept", "usa", "completed tickets", of_ticket("completed", to(False), lambda r: not r.kept)
    ),
    Mistake(
        "completed a turn later",
        "usa",
        "completed tickets",
        of_ticket("completed_turn", more, present("completed_turn")),
    ),
    Mistake(
        "completed, but not when",
        "usa",
        "completed tickets",
        of_ticket("completed_turn", to(None), present("completed_turn")),
    ),
    Mistake("a ticket missing", "usa", "drawing tickets", row_removed("tickets")),
    Mistake("a ticket doubled", "usa", "drawing tickets", row_doubled("tickets")),
    Mistake("a completed ticket not replaced", "first_journey", "drawing tickets", not_replaced),
    Mistake(
        "tickets drawn in a draw of cards", "usa", "drawing tickets", of_turn("action", to("tickets"), action("draw"))
    ),
]

MISTAKES = GAME_MISTAKES + SEAT_MISTAKES + DRAW_MISTAKES + CLAIM_MISTAKES + TURN_MISTAKES + TICKET_MISTAKES


def test_there_are_many_kinds_with_a_name_each() -> None:
    names = [mistake.name for mistake in MISTAKES]
    assert len(names) == len(set(names)) >= 80


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name)
def test_planted_mistake_is_found(mistake: Mistake, games_of: GamesOf) -> None:
    rules, logs = games_of(mistake.edition)
    spoiled = list(islice(_spoiled(mistake, rules, logs), mistake.tries))
    assert spoiled, "no game had a place for this mistake"
    violations = next((found for found in (audit_game(rules, log) for log in spoiled) if _names(found, mistake)), [])
    assert violations, [violation.sentence() for violation in audit_game(rules, spoiled[0])]


def _spoiled(mistake: Mistake, rules: Rulebook, logs: list[GameLog]) -> Iterator[GameLog]:
    for log in logs:
        yield from mistake.spoil(rules, log)


def _names(violations: list[Violation], mistake: Mistake) -> bool:
    return any(violation.rule == mistake.rule for violation in violations)


@pytest.mark.parametrize("edition", ["usa", "europe", "germany", "amsterdam", "first_journey"])
def test_unspoiled_games_pass(edition: str, games_of: GamesOf) -> None:
    rules, logs = games_of(edition)
    assert [finding.sentence() for log in logs for finding in audit_game(rules, log)] == []

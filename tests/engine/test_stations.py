"""Stations: what they cost, where they stand, and the best lending at the end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.engine import kernels
from tests.engine.invariants import check_invariants
from tests.engine.rig import BLUE, RED, Position, edition_of, new_game, scored, with_rules
from ttr_sim.edition.model import Edition, End, Stations
from ttr_sim.engine.actions import ANSWER_STATION, WILD, build_station, pass_turn
from ttr_sim.log import END_NAMES


def build(game: Position, seat: int, *names: str) -> None:
    """Stations of a seat in these cities, unpaid."""
    table, hidden = game.view, game.state["hidden"]
    for name in names:
        place, count = game.city(name), game.edition.stations.count
        hidden["station_cities"][seat][count - int(table["stations"][seat])] = place
        table["station_owner"][place] = seat
        table["stations"][seat] -= 1


def payments(game: Position) -> set[tuple[int, int]]:
    return {(answer >> 16 & 255, answer >> 24 & 255) for answer in game.choices() if answer & 255 == ANSWER_STATION}


def test_europe_station_costs_one_two_and_three_cards_of_a_color() -> None:
    game = new_game("europe").rig(hands={0: "rrrb*"})
    assert payments(game) == {(RED, 0), (BLUE, 0), (WILD, 1)}
    build(game, 0, "Roma")
    assert payments(game) == {(RED, 0), (RED, 1), (BLUE, 1)}
    build(game, 0, "Paris")
    assert payments(game) == {(RED, 0), (RED, 1)}
    build(game, 0, "London")
    assert payments(game) == set()
    assert game.why_not(build_station(game.city("Wien"), RED, 0)) == "no station may be built"


def test_europe_station_is_paid_into_the_discards() -> None:
    game = new_game("europe").rig(hands={0: "rrb*"})
    build(game, 0, "Roma")
    game.apply(build_station(game.city("Wien"), RED, 1))
    game.expect(hand="rb", discards="r*", stations=1, seat=1, turn=1)
    assert game.points_for("station") == [4, 12]
    assert int(game.view["station_owner"][game.city("Wien")]) == 0
    check_invariants(game)


def test_europe_city_holds_one_station() -> None:
    game = new_game("europe").rig(hands={0: "rrr"})
    build(game, 0, "Roma")
    build(game, 1, "Paris")
    for name in ("Roma", "Paris"):
        assert game.why_not(build_station(game.city(name), RED, 0)) == "the city already has a station"
    assert game.can_answer(build_station(game.city("Wien"), RED, 0))


def test_no_pass_while_a_station_can_be_built() -> None:
    """All cards are in hands, no ticket is left, and no train: the station is all that can be done."""
    game = new_game("europe").rig_tickets({}, [[], []], hoarder=1)
    game.rig(hands={0: "r"}, row="", deck="")
    game.view["trains"][0] = 0
    assert len(game.choices()) == len(game.edition.cities)
    assert game.why_not(pass_turn()) == "a player who can act may not pass"
    assert not kernels.is_to_pass(game.boards, game.states)
    game.apply(build_station(game.city("Wien"), RED, 0))
    assert game.seat == 1


def lent(game: Position, seat: int = 0) -> list[int]:
    kernels.lend(game.boards, game.states, seat)
    built = game.edition.stations.count - int(game.view["stations"][seat])
    return [int(row) for row in game.state["results"][seat]["lent"][:built]]


def pairs(text: str) -> list[tuple[str, str]]:
    return [(a, b) for a, _, b in (ends.partition("-") for ends in text.split())]


def lend(tickets: str, own: str, theirs: str, stations: str, edition: str | Edition = "europe") -> Position:
    """Seat 0 with tickets, routes and stations, seat 1 with routes."""
    game = new_game(edition)
    game.rig_tickets({0: [game.ticket(*ends) for ends in pairs(tickets)]})
    game.give_between(0, *pairs(own)).give_between(1, *pairs(theirs))
    build(game, 0, *stations.split())
    return game


# Tickets, own routes, those of seat 1 and stations. Then the routes lent, the tickets completed, points and penalty.
NONE = (0, 0, -9)
TO_DANZIG = ("Bruxelles-Danzig", "Bruxelles-Frankfurt Berlin-Danzig", "Berlin-Frankfurt")
INTO_PARIS = (
    "Amsterdam-Pamplona Barcelona-Bruxelles",
    "Amsterdam-Frankfurt Barcelona-Pamplona Pamplona-Paris",
    "Frankfurt-Paris Bruxelles-Paris",
)
LENDING = {
    "nothing without a station": (*TO_DANZIG, "", "", NONE),
    "another player's route": (*TO_DANZIG, "Frankfurt", "Berlin-Frankfurt", (1, 9, 0)),
    "no free route": ("Berlin-Roma", "Berlin-Danzig", "", "Berlin", "-", NONE),
    "no route that does not touch its city": (*("Berlin-Roma", "Berlin-Danzig"), "Paris-Pamplona", "Berlin", "-", NONE),
    "the same route for all tickets": (*INTO_PARIS, "Paris", "Bruxelles-Paris", (1, 8, -7)),
    "a route for each station": (*INTO_PARIS, "Paris Frankfurt", "Bruxelles-Paris Frankfurt-Paris", (2, 15, 0)),
    "three around one city, which no own route touches": (
        *("Barcelona-Bruxelles Madrid-Dieppe", "Pamplona-Madrid Pamplona-Barcelona"),
        *("Paris-Pamplona Bruxelles-Paris Dieppe-Paris", "Pamplona Bruxelles Dieppe"),
        *("Paris-Pamplona Bruxelles-Paris Dieppe-Paris", (2, 16, 0)),
    ),
    "fewest routes among equals": (
        *("Bruxelles-Danzig", "Bruxelles-Frankfurt Berlin-Frankfurt Berlin-Danzig"),
        *("Paris-Pamplona", "Paris", "-", (1, 9, 0)),
    ),
}


@pytest.mark.parametrize(("tickets", "own", "theirs", "stations", "loans", "result"), LENDING.values(), ids=LENDING)
def test_station_lends_another_players_route(
    tickets: str, own: str, theirs: str, stations: str, loans: str, result: tuple[int, int, int]
) -> None:
    game = lend(tickets, own, theirs, stations)
    assert lent(game) == [-1 if ends == ("", "") else game.route(*ends) for ends in pairs(loans)]
    found = game.score()[0]
    assert (int(found["completed"]), scored(found, "ticket"), scored(found, "ticket_penalty")) == result


def test_nothing_is_lent_once_a_race_is_won() -> None:
    race = with_rules("europe", stations=Stations(1, 0), end=End(None, 6, False))
    game = lend(*TO_DANZIG, "Frankfurt", race)
    assert lent(game) == [game.route("Berlin", "Frankfurt")]
    game.state["hidden"]["end"] = END_NAMES.index("tickets")
    assert lent(game) == [-1]


def test_lending_more_tickets_comes_before_fewer_routes() -> None:
    """A ticket worth nothing is completed by a loan: the points are those of no loan at all."""
    worthless = tuple(replace(entry, points=0) for entry in edition_of("europe").tickets)
    game = lend(*TO_DANZIG, "Frankfurt", with_rules("europe", tickets=worthless))
    assert lent(game) == [game.route("Berlin", "Frankfurt")]
    assert int(game.score()[0]["completed"]) == 1


def test_lending_more_points_comes_before_more_tickets() -> None:
    """One station in Paris: a loan completes one ticket of eight points, or two of one point each."""
    ends = [("Barcelona", "Bruxelles"), ("Amsterdam", "Pamplona"), ("Barcelona", "München")]
    by_ends = {frozenset(pair): 8 if pair == ends[0] else 1 for pair in ends}
    tickets = tuple(
        replace(entry, points=by_ends.get(frozenset((entry.a, entry.b)), entry.points))
        for entry in edition_of("europe").tickets
    )
    own, theirs = "Amsterdam-Frankfurt Frankfurt-München Barcelona-Pamplona Pamplona-Paris", INTO_PARIS[2]
    game = lend(" ".join(map("-".join, ends)), own, theirs, "Paris", with_rules("europe", tickets=tickets))
    assert lent(game) == [game.route("Bruxelles", "Paris")]


def test_lent_routes_do_not_count_for_the_longest_path() -> None:
    game = new_game("europe")
    game.rig_tickets({0: [game.ticket("Berlin", "Roma")]})
    game.give_between(0, ("Berlin", "Wien"))
    game.give_between(1, ("Wien", "Budapest"))
    build(game, 0, "Wien")
    assert int(game.score()[0]["longest"]) == 3

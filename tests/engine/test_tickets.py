"""Tickets: deals, mixes, offers, what is kept and what is returned."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, pairwise
from typing import Any

import networkx as nx
import pytest

from tests.engine.invariants import check_invariants
from tests.engine.rig import Position, edition_of, new_game, scored
from ttr_sim.edition.model import Edition
from ttr_sim.engine.actions import ANSWER_TICKETS, ASK_KEEP, ASK_MIX, draw_tickets, keep, ticket_mix
from ttr_sim.log import NULL


def held(game: Position, seat: int) -> list[int]:
    holding = game.state["holdings"][seat]
    return [int(row) for row in holding["tickets"][: int(holding["n_tickets"])]]


def offered(game: Position) -> list[int]:
    return [int(row) for row in game.view["offered"][: int(game.view["n_offered"])]]


def kept_masks(game: Position) -> set[int]:
    return {answer >> 8 & 255 for answer in game.choices()}


def ticket_answers(game: Position) -> set[int]:
    return {answer for answer in game.choices() if answer & 255 == ANSWER_TICKETS}


def masks_of(offer: int, least: int) -> set[int]:
    """All ways to keep at least so many of an offer."""
    return {
        sum(1 << place for place in places)
        for size in range(least, offer + 1)
        for places in combinations(range(offer), size)
    }


def rules(edition: Edition, **changes: Any) -> Edition:
    return replace(edition, ticket_rules=replace(edition.ticket_rules, **changes))


@pytest.mark.parametrize(
    ("name", "decks", "least"), [("usa", [0, 0, 0], 2), ("europe", [0, 0, 0, 1], 2), ("amsterdam", [0, 0], 1)]
)
def test_setup_deal_and_what_must_be_kept(name: str, decks: list[int], least: int) -> None:
    """In Europe three regular tickets and a long one."""
    game = Position(edition_of(name), 3)
    for seat in range(3):
        assert (game.seat, game.view["decision"]) == (seat, ASK_KEEP)
        assert [game.edition.tickets[row].deck for row in offered(game)] == decks
        assert kept_masks(game) == masks_of(len(decks), least)
        game.apply(game.choices()[0])
    assert (game.turn, game.seat) == (0, 0)


def test_europe_returns_and_undealt_long_tickets_leave_the_game() -> None:
    game = Position(edition_of("europe"), 2)
    returned = []
    for _ in range(2):
        returned += offered(game)[2:]
        game.apply(keep(0b0011))
    assert not set(returned) & set(game.ticket_deck())
    assert [int(n) for n in game.view["deck_tickets"][:2]] == [34, 0]
    check_invariants(game)


def test_usa_returns_at_setup_go_to_the_bottom_by_seat_in_the_order_drawn() -> None:
    game = Position(edition_of("usa"), 3)
    returned = []
    for _ in range(3):
        returned.append(offered(game)[0])
        game.apply(keep(0b110))
    assert game.ticket_deck()[-3:] == returned
    assert len(game.ticket_deck()) == 30 - 6


def test_germany_all_announce_then_all_choose_then_returns_are_shuffled_in() -> None:
    game = Position(edition_of("germany"), 3)
    for seat, mix in enumerate([(4, 0), (2, 2), (0, 4)]):
        assert (game.seat, game.view["decision"]) == (seat, ASK_MIX)
        assert set(game.choices()) == {ticket_mix(4 - long, long, 0, 0) for long in range(5)}
        game.apply(ticket_mix(*mix, 0, 0))
    left = [game.ticket_deck(deck) for deck in (0, 1)]
    assert [len(tickets) for tickets in left] == [55 - 6, 34 - 6]
    returned: list[list[int]] = [[], []]
    for seat in range(3):
        assert (game.seat, game.view["decision"]) == (seat, ASK_KEEP)
        assert kept_masks(game) == masks_of(4, 2)
        for row in offered(game)[2:]:
            returned[game.edition.tickets[row].deck].append(row)
        game.apply(keep(0b0011))
    for deck in (0, 1):
        now = game.ticket_deck(deck)
        assert sorted(now) == sorted(left[deck] + returned[deck])
        assert set(now[-len(returned[deck]) :]) != set(returned[deck]), "they lie at the bottom"
        assert [row for row in now if row in left[deck]] != left[deck], "the rest was not shuffled"
    check_invariants(game)


def test_case_6_last_seats_mix_at_setup_shrinks_with_what_is_left() -> None:
    germany = edition_of("germany")
    few = [row for row, entry in enumerate(germany.tickets) if entry.deck == 0][:10]
    game = Position(replace(germany, tickets=tuple(germany.tickets[row] for row in few)), 3)
    for size in (4, 4, 2):
        assert game.choices() == [ticket_mix(size, 0, 0, 0)]
        game.apply(game.choices()[0])
    assert [len(offered(game)), len(game.ticket_deck())] == [4, 0]


@pytest.mark.parametrize(("name", "drawn"), [("usa", 3), ("europe", 3), ("amsterdam", 2)])
def test_action_draws_and_at_least_one_is_kept(name: str, drawn: int) -> None:
    game = new_game(name)
    top, before = game.ticket_deck()[:drawn], held(game, 0)
    game.apply(draw_tickets())
    assert offered(game) == top
    assert kept_masks(game) == masks_of(drawn, 1)
    game.apply(keep(0b10))
    assert held(game, 0) == [*before, top[1]]
    assert game.ticket_deck()[-drawn + 1 :] == [row for row in top if row != top[1]]
    assert (game.seat, game.turn) == (1, 1)
    check_invariants(game)


def test_keeping_nothing_or_what_was_not_offered_is_refused() -> None:
    game = new_game("usa")
    game.apply(draw_tickets())
    assert game.why_not(keep(0)) == "more tickets must be kept"
    assert game.why_not(keep(0b1001)) == "a ticket was not offered"


def test_case_6_tickets_left_that_must_all_be_kept() -> None:
    usa = edition_of("usa")
    for edition, left in ((usa, [0]), (edition_of("amsterdam"), [5]), (rules(usa, keep=3), [4, 5])):
        game = new_game(edition).rig_tickets({}, [left], hoarder=1)
        game.apply(draw_tickets())
        assert (held(game, 0), game.ticket_deck(), game.seat) == (left, [], 1)
        check_invariants(game)


def test_case_6_fewer_tickets_than_an_action_draws() -> None:
    game = new_game("usa").rig_tickets({}, [[0, 1]], hoarder=1)
    game.apply(draw_tickets())
    assert (offered(game), kept_masks(game)) == ([0, 1], {1, 2, 3})


@pytest.mark.parametrize(("name", "deck"), [("usa", None), ("europe", 1)])
def test_case_6_no_ticket_left(name: str, deck: int | None) -> None:
    """Or only in a deck that no action draws from."""
    game = new_game(name)
    left = [[row for row, entry in enumerate(game.edition.tickets) if entry.deck == deck][:1]]
    game.rig_tickets({}, left if deck is None else [[], *left], hoarder=1)
    assert game.why_not(draw_tickets()) == "no ticket is left to draw"
    assert not ticket_answers(game)


def test_no_action_draws_a_mix_of_none() -> None:
    assert not ticket_answers(new_game(rules(edition_of("germany"), draw_total=0)))


def germany_with(short: int, long: int) -> Position:
    """A game with so many tickets left in the two decks."""
    game = new_game("germany")
    by_deck = [[row for row, entry in enumerate(game.edition.tickets) if entry.deck == deck] for deck in (0, 1)]
    return game.rig_tickets({}, [by_deck[0][:short], by_deck[1][:long]], hoarder=1)


MIXES = {
    (9, 9): [(4, 0), (3, 1), (2, 2), (1, 3), (0, 4)],
    (2, 9): [(2, 2), (1, 3), (0, 4)],
    (9, 1): [(4, 0), (3, 1)],
    (2, 1): [(2, 1)],
    (0, 3): [(0, 3)],
    (0, 0): [],
}


@pytest.mark.parametrize(("left", "mixes"), MIXES.items())
def test_germany_mixes_that_the_decks_can_serve(left: tuple[int, int], mixes: list[tuple[int, int]]) -> None:
    assert ticket_answers(germany_with(*left)) == {ticket_mix(*mix, 0, 0) for mix in mixes}


def test_germany_mixes_that_are_refused() -> None:
    game = germany_with(2, 9)
    assert game.why_not(ticket_mix(2, 2, 0, 0)) is None
    for mix in ((3, 1), (1, 1), (0, 0), (2, 3)):
        assert game.why_not(ticket_mix(*mix, 0, 0)) is not None


def _connect(game: Position, a: str, b: str) -> None:
    """Give seat 0 the routes along a path with the fewest routes."""
    graph = nx.Graph()
    for row, entry in enumerate(game.edition.routes):
        graph.add_edge(game.edition.cities[entry.a].name, game.edition.cities[entry.b].name, row=row)
    game.give(0, *(graph.edges[near, far]["row"] for near, far in pairwise(nx.shortest_path(graph, a, b))))


def met_turn(game: Position) -> int:
    return int(game.state["holdings"][0]["met_turn"][0])


def test_ticket_connected_before_it_is_kept_is_met_in_the_turn_of_the_offer() -> None:
    game = new_game("usa").rig_tickets({0: []}, [[0]])
    _connect(game, game.edition.tickets[0].a, game.edition.tickets[0].b)
    game.apply(draw_tickets())
    game.apply(keep(0b001))
    assert met_turn(game) == 0


def test_ticket_is_met_once() -> None:
    game = new_game("usa").rig_tickets({0: [0]})
    entry = game.edition.tickets[0]
    assert met_turn(game) == NULL
    _connect(game, entry.a, entry.b)
    assert met_turn(game) == 0
    result = game.score()[0]
    assert (scored(result, "ticket"), scored(result, "ticket_penalty")) == (entry.points, 0)
    game.view["turn"] = 7
    game.give(0, next(row for row in range(len(game.edition.routes)) if game.view["owner"][row] == -1))
    assert met_turn(game) == 0


def spots(game: Position, place: str) -> list[str]:
    """The city of this name, or all the spots of a country."""
    return [entry.name for entry in game.edition.cities if place in (entry.name, entry.country)]


@pytest.mark.parametrize("n_countries", [1, 2])
def test_germany_country_is_met_by_any_of_its_spots(n_countries: int) -> None:
    """In tickets between a city and a country, and between two countries."""
    countries = {entry.country for entry in edition_of("germany").cities if entry.country}
    tickets = enumerate(edition_of("germany").tickets)
    row, entry = next((row, e) for row, e in tickets if (e.a in countries) + (e.b in countries) == n_countries)
    game = new_game("germany")
    for a in spots(game, entry.a):
        for b in spots(game, entry.b):
            game = new_game("germany").rig_tickets({0: [row]})
            _connect(game, a, b)
            assert int(game.score()[0]["completed"]) == 1


def test_germany_spots_of_a_country_are_not_connected() -> None:
    """A network that reaches one spot from each side does not run through the country."""
    game = new_game("germany")
    by_country: dict[str, list[int]] = {}
    for row, entry in enumerate(game.edition.cities):
        if entry.country:
            by_country.setdefault(entry.country, []).append(row)
    first, second = next(places for places in by_country.values() if len(places) > 1)[:2]
    for spot in (first, second):
        game.give(0, next(row for row, entry in enumerate(game.edition.routes) if spot in (entry.a, entry.b)))
    network = game.view["network"][0]
    assert network[first] != network[second]

"""Tickets: deals, mixes, offers, what is kept and what is returned."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, pairwise
from typing import Any

import networkx as nx
import pytest

from tests.engine.invariants import check_invariants
from tests.engine.rig import edition_of, give, new_game, rig, rig_tickets, score, scored, ticket_deck
from ttr_sim.edition.model import Edition
from ttr_sim.engine.actions import ANSWER_TICKETS, ASK_KEEP, ASK_MIX, draw_tickets, keep, ticket_mix
from ttr_sim.engine.stepping import Game
from ttr_sim.log import NULL


def held(game: Game, seat: int) -> list[int]:
    holding = game.state["holdings"][seat]
    return [int(row) for row in holding["tickets"][: int(holding["n_tickets"])]]


def offered(game: Game) -> list[int]:
    return [int(row) for row in game.view["offered"][: int(game.view["n_offered"])]]


def kept_masks(game: Game) -> set[int]:
    return {answer >> 8 & 255 for answer in game.choices()}


def masks_of(offer: int, least: int) -> set[int]:
    """All ways to keep at least so many of an offer."""
    return {
        sum(1 << place for place in places)
        for size in range(least, offer + 1)
        for places in combinations(range(offer), size)
    }


def rules(edition: Edition, **changes: Any) -> Edition:
    return replace(edition, ticket_rules=replace(edition.ticket_rules, **changes))


@pytest.mark.parametrize(("name", "dealt", "least"), [("usa", 3, 2), ("europe", 4, 2), ("amsterdam", 2, 1)])
def test_setup_deal_and_what_must_be_kept(name: str, dealt: int, least: int) -> None:
    game = Game(edition_of(name), 3)
    for seat in range(3):
        assert (game.seat, game.view["decision"], len(offered(game))) == (seat, ASK_KEEP, dealt)
        assert kept_masks(game) == masks_of(dealt, least)
        game.apply(game.choices()[0])
    assert (game.turn, game.seat) == (0, 0)


def test_europe_setup_deals_three_regular_and_one_long() -> None:
    game = Game(edition_of("europe"), 5)
    for _ in range(5):
        decks = [game.edition.decks[game.edition.tickets[row].deck].name for row in offered(game)]
        assert decks == ["regular", "regular", "regular", "long"]
        game.apply(game.choices()[-1])


def test_europe_returns_and_undealt_long_tickets_leave_the_game() -> None:
    game = Game(edition_of("europe"), 2)
    returned = []
    for _ in range(2):
        returned += offered(game)[2:]
        game.apply(keep(0b0011))
    assert not set(returned) & set(ticket_deck(game))
    assert [int(n) for n in game.view["deck_tickets"][:2]] == [34, 0]
    check_invariants(game)


def test_usa_returns_at_setup_go_to_the_bottom_by_seat_in_the_order_drawn() -> None:
    game = Game(edition_of("usa"), 3)
    returned = []
    for _ in range(3):
        returned.append(offered(game)[0])
        game.apply(keep(0b110))
    assert ticket_deck(game)[-3:] == returned
    assert len(ticket_deck(game)) == 30 - 6


def test_first_journey_keeps_both_tickets_without_a_question() -> None:
    game = Game(edition_of("first_journey"), 4)
    assert game.turn == 0
    assert [len(held(game, seat)) for seat in range(4)] == [2, 2, 2, 2]
    assert len(ticket_deck(game)) == 24


def test_germany_all_announce_then_all_choose_then_returns_are_shuffled_in() -> None:
    game = Game(edition_of("germany"), 3)
    for seat, mix in enumerate([(4, 0), (2, 2), (0, 4)]):
        assert (game.seat, game.view["decision"]) == (seat, ASK_MIX)
        assert set(game.choices()) == {ticket_mix(4 - long, long, 0, 0) for long in range(5)}
        game.apply(ticket_mix(*mix, 0, 0))
    left = [ticket_deck(game, deck) for deck in (0, 1)]
    assert [len(tickets) for tickets in left] == [55 - 6, 34 - 6]
    returned: list[list[int]] = [[], []]
    for seat in range(3):
        assert (game.seat, game.view["decision"]) == (seat, ASK_KEEP)
        assert kept_masks(game) == masks_of(4, 2)
        for row in offered(game)[2:]:
            returned[game.edition.tickets[row].deck].append(row)
        game.apply(keep(0b0011))
    for deck in (0, 1):
        now = ticket_deck(game, deck)
        assert sorted(now) == sorted(left[deck] + returned[deck])
        assert set(now[-len(returned[deck]) :]) != set(returned[deck]), "they lie at the bottom"
        assert [row for row in now if row in left[deck]] != left[deck], "the rest was not shuffled"
    check_invariants(game)


def test_case_6_last_seats_mix_at_setup_shrinks_with_what_is_left() -> None:
    germany = edition_of("germany")
    few = [row for row, entry in enumerate(germany.tickets) if entry.deck == 0][:10]
    game = Game(replace(germany, tickets=tuple(germany.tickets[row] for row in few)), 3)
    for size in (4, 4, 2):
        assert game.choices() == [ticket_mix(size, 0, 0, 0)]
        game.apply(game.choices()[0])
    assert [len(offered(game)), len(ticket_deck(game))] == [4, 0]


@pytest.mark.parametrize(("name", "drawn"), [("usa", 3), ("europe", 3), ("amsterdam", 2)])
def test_action_draws_and_at_least_one_is_kept(name: str, drawn: int) -> None:
    game = new_game(name)
    top = ticket_deck(game)[:drawn]
    game.apply(draw_tickets())
    assert offered(game) == top
    assert kept_masks(game) == masks_of(drawn, 1)
    before = held(game, 0)
    game.apply(keep(0b10))
    assert held(game, 0) == [*before, top[1]]
    assert ticket_deck(game)[-drawn + 1 :] == [row for row in top if row != top[1]]
    assert (game.seat, game.turn) == (1, 1)
    check_invariants(game)


def test_keeping_nothing_or_what_was_not_offered_is_refused() -> None:
    game = new_game("usa")
    game.apply(draw_tickets())
    assert game.why_not(keep(0)) == "more tickets must be kept"
    assert game.why_not(keep(0b1001)) == "a ticket was not offered"


def test_europe_action_never_draws_long_tickets() -> None:
    edition = rules(edition_of("europe"), returned_at_start="bottom")
    game = new_game(edition)
    assert game.view["deck_tickets"][1] > 0
    game.apply(draw_tickets())
    assert {game.edition.tickets[row].deck for row in offered(game)} == {0}


@pytest.mark.parametrize("left", [1, 2])
def test_case_6_fewer_tickets_than_an_action_draws(left: int) -> None:
    game = rig_tickets(new_game("usa"), {}, [list(range(left))], hoarder=1)
    game.apply(draw_tickets())
    if left == 1:
        assert (held(game, 0), game.seat) == ([0], 1)
    else:
        assert (offered(game), kept_masks(game)) == ([0, 1], {1, 2, 3})


def test_case_6_no_ticket_left() -> None:
    game = rig_tickets(new_game("usa"), {}, [[]], hoarder=1)
    assert game.why_not(draw_tickets()) == "no ticket is left to draw"
    assert not any(answer & 255 == ANSWER_TICKETS for answer in game.choices())


def test_no_action_draws_a_mix_of_none() -> None:
    game = new_game(rules(edition_of("germany"), draw_total=0))
    assert not any(answer & 255 == ANSWER_TICKETS for answer in game.choices())


def test_amsterdam_one_contract_left_must_be_kept() -> None:
    game = rig_tickets(new_game("amsterdam"), {}, [[5]], hoarder=1)
    game.apply(draw_tickets())
    assert (held(game, 0), ticket_deck(game), game.seat) == ([5], [], 1)
    check_invariants(game)


def test_case_6_number_to_keep_shrinks_with_what_is_left() -> None:
    game = rig_tickets(new_game(rules(edition_of("usa"), keep=3)), {}, [[4, 5]], hoarder=1)
    game.apply(draw_tickets())
    assert (held(game, 0), game.seat) == ([4, 5], 1)


@pytest.mark.parametrize(
    ("short", "long", "mixes"),
    [
        (9, 9, [(4, 0), (3, 1), (2, 2), (1, 3), (0, 4)]),
        (2, 9, [(2, 2), (1, 3), (0, 4)]),
        (9, 1, [(4, 0), (3, 1)]),
        (2, 1, [(2, 1)]),
        (0, 3, [(0, 3)]),
        (0, 0, []),
    ],
)
def test_germany_mixes_that_the_decks_can_serve(short: int, long: int, mixes: list[tuple[int, int]]) -> None:
    game = new_game("germany")
    by_deck: list[list[int]] = [[], []]
    for row, entry in enumerate(game.edition.tickets):
        by_deck[entry.deck].append(row)
    rig_tickets(game, {}, [by_deck[0][:short], by_deck[1][:long]], hoarder=1)
    drawn = {answer for answer in game.choices() if answer & 255 == ANSWER_TICKETS}
    assert drawn == {ticket_mix(*mix, 0, 0) for mix in mixes}


def test_germany_mixes_that_are_refused() -> None:
    game = new_game("germany")
    by_deck = [[row for row, entry in enumerate(game.edition.tickets) if entry.deck == deck] for deck in (0, 1)]
    rig_tickets(game, {}, [by_deck[0][:2], by_deck[1][:9]], hoarder=1)
    assert game.why_not(ticket_mix(2, 2, 0, 0)) is None
    for mix in ((3, 1), (1, 1), (0, 0), (2, 3)):
        assert game.why_not(ticket_mix(*mix, 0, 0)) is not None


def test_no_ticket_is_left_when_only_decks_that_no_action_draws_from_have_some() -> None:
    game = new_game("europe")
    long = next(row for row, entry in enumerate(game.edition.tickets) if entry.deck == 1)
    rig_tickets(game, {}, [[], [long]], hoarder=1)
    assert game.why_not(draw_tickets()) == "no ticket is left to draw"


def test_germany_returns_go_under_their_own_decks() -> None:
    game = rig(new_game("germany"))
    short, long = ticket_deck(game, 0)[:2], ticket_deck(game, 1)[:2]
    game.apply(ticket_mix(2, 2, 0, 0))
    assert offered(game) == [*short, *long]
    game.apply(keep(0b0001))
    assert ticket_deck(game, 0)[-1] == short[1]
    assert ticket_deck(game, 1)[-2:] == long
    check_invariants(game)


def test_tickets_come_back_once_the_deck_has_gone_round() -> None:
    game = rig_tickets(new_game("usa"), {}, [[3, 4, 5]], hoarder=1)
    game.apply(draw_tickets())
    game.apply(keep(0b010))
    assert ticket_deck(game) == [3, 5]


def test_ticket_connected_before_it_is_kept_is_met_in_the_turn_of_the_offer() -> None:
    game = new_game("usa")
    entry = game.edition.tickets[0]
    rig_tickets(game, {0: []}, [[0]])
    _connect(game, 0, entry.a, entry.b)
    game.apply(draw_tickets())
    game.apply(keep(0b001))
    assert int(game.state["holdings"][0]["met_turn"][0]) == 0


def test_claim_meets_a_ticket() -> None:
    game = new_game("usa")
    entry = game.edition.tickets[0]
    rig_tickets(game, {0: [0]})
    assert int(game.state["holdings"][0]["met_turn"][0]) == NULL
    _connect(game, 0, entry.a, entry.b)
    assert int(game.state["holdings"][0]["met_turn"][0]) == 0
    result = score(game)[0]
    assert (scored(result, "ticket"), scored(result, "ticket_penalty")) == (entry.points, 0)


def test_ticket_is_met_once() -> None:
    game = new_game("usa")
    entry = game.edition.tickets[0]
    rig_tickets(game, {0: [0]})
    _connect(game, 0, entry.a, entry.b)
    game.view["turn"] = 7
    give(game, 0, next(row for row in range(len(game.edition.routes)) if game.view["owner"][row] == -1))
    assert int(game.state["holdings"][0]["met_turn"][0]) == 0


def _connect(game: Game, seat: int, a: str, b: str) -> None:
    """Routes of the seat along a path with the fewest routes."""
    graph = nx.Graph()
    for row, entry in enumerate(game.edition.routes):
        graph.add_edge(game.edition.cities[entry.a].name, game.edition.cities[entry.b].name, row=row)
    path = nx.shortest_path(graph, a, b)
    give(game, seat, *(graph.edges[near, far]["row"] for near, far in pairwise(path)))


def test_failed_ticket_subtracts_its_value() -> None:
    game = rig_tickets(new_game("usa"), {0: [0, 1]})
    entries = game.edition.tickets[:2]
    result = score(game)[0]
    assert scored(result, "ticket_penalty") == -sum(entry.points for entry in entries)
    assert int(result["failed"]) == 2


def test_nothing_is_subtracted_where_the_edition_says_so() -> None:
    game = rig_tickets(new_game(rules(edition_of("usa"), failed_subtract=False)), {0: [0, 1]})
    assert int(score(game)[0]["score"]) == 0


def country_ticket(game: Game, both: bool) -> int:
    countries = {entry.country for entry in game.edition.cities if entry.country}
    return next(
        row
        for row, entry in enumerate(game.edition.tickets)
        if (entry.a in countries) + (entry.b in countries) == 1 + both
    )


def spots(game: Game, country: str) -> list[int]:
    return [row for row, entry in enumerate(game.edition.cities) if entry.country == country]


def routes_to(game: Game, place: int) -> list[int]:
    return [row for row, entry in enumerate(game.edition.routes) if place in (entry.a, entry.b)]


def test_germany_country_is_met_by_any_of_its_spots() -> None:
    game = new_game("germany")
    row = country_ticket(game, both=False)
    entry = game.edition.tickets[row]
    countries = {place.country for place in game.edition.cities}
    land, town = (entry.a, entry.b) if entry.a in countries else (entry.b, entry.a)
    for spot in spots(game, land):
        game = rig_tickets(new_game("germany"), {0: [row]})
        _connect(game, 0, game.edition.cities[spot].name, town)
        assert int(score(game)[0]["completed"]) == 1


def test_germany_country_to_country_ticket() -> None:
    game = new_game("germany")
    row = country_ticket(game, both=True)
    entry = game.edition.tickets[row]
    for a in spots(game, entry.a):
        for b in spots(game, entry.b):
            game = rig_tickets(new_game("germany"), {0: [row]})
            _connect(game, 0, game.edition.cities[a].name, game.edition.cities[b].name)
            assert int(score(game)[0]["completed"]) == 1


def test_germany_spots_of_a_country_are_not_connected() -> None:
    """A network that reaches one spot from each side does not run through the country."""
    game = new_game("germany")
    entries = game.edition.cities
    by_country: dict[str, list[int]] = {}
    for row, entry in enumerate(entries):
        if entry.country:
            by_country.setdefault(entry.country, []).append(row)
    for places in by_country.values():
        assert all(len({_far(game, row, spot) for row in routes_to(game, spot)}) == 1 for spot in places)
    first, second = next(places for places in by_country.values() if len(places) > 1)[:2]
    give(game, 0, routes_to(game, first)[0], routes_to(game, second)[0])
    network = game.view["network"][0]
    assert network[first] != network[second]


def _far(game: Game, row: int, city: int) -> int:
    entry = game.edition.routes[row]
    return entry.a + entry.b - city

"""Randomness: orders by keys, streams by purpose, numbers that break ties."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from tests.engine.rig import Position, edition_of, is_plausible
from ttr_sim.edition.canonical import route_keys, ticket_keys
from ttr_sim.edition.model import Edition
from ttr_sim.engine.actions import WILD, draw_deck
from ttr_sim.engine.records import BOT_MEMORY
from ttr_sim.engine.rng import (
    BOT,
    PASSENGERS,
    RESHUFFLE,
    TICKET_DECK,
    TINY,
    TRAIN_DECK,
    deal_key,
    draw_below,
    purpose_key,
)
from ttr_sim.engine.stepping import start_game


def ticket_order(game: Position, deck: int = 0) -> list[tuple[str, str]]:
    """All of a deck as shuffled, dealt ones first, by name."""
    hidden = game.state["hidden"]
    n = sum(entry.deck == deck for entry in game.edition.tickets)
    names = [game.edition.tickets[int(row)] for row in hidden["ring"][deck][:n]]
    return [(entry.a, entry.b) for entry in names]


def train_order(game: Position) -> list[int]:
    return [int(card) for card in game.state["hidden"]["deck"][: int(game.boards[0]["n_cards"])]]


USA = edition_of("usa")


@pytest.mark.parametrize("place", [0, 7, 30])
def test_added_ticket_leaves_the_order_of_all_others(place: int) -> None:
    added = replace(USA.tickets[0], a="Denver", b="Omaha", copy=0)
    longer = replace(USA, tickets=(*USA.tickets[:place], added, *USA.tickets[place:]))
    for deal in range(20):
        before, after = Position(USA, 2, deal=deal), Position(longer, 2, deal=deal)
        assert [pair for pair in ticket_order(after) if pair != ("Denver", "Omaha")] == ticket_order(before)
        assert train_order(before) == train_order(after)


def test_added_cards_leave_the_order_of_all_others() -> None:
    more = replace(USA, wilds=USA.wilds + 3)
    for deal in range(10):
        before, after = train_order(Position(USA, 2, deal=deal)), train_order(Position(more, 2, deal=deal))
        assert [card for card in after if card != WILD] == [card for card in before if card != WILD]


def test_other_rules_leave_the_deal_as_it_was() -> None:
    other = replace(USA, trains=30, longest_path=None, route_scores=(1,) * 6)
    for deal in range(5):
        games = [Position(edition, 4, deal=deal) for edition in (USA, other)]
        assert train_order(games[0]) == train_order(games[1])
        assert ticket_order(games[0]) == ticket_order(games[1])


def test_deal_does_not_depend_on_who_plays_or_how_many() -> None:
    """Up to the first reshuffle the same cards come in the same order."""
    for players in (2, 3, 5):
        game = Position(USA, players, deal=3)
        order = train_order(game)
        assert order == train_order(Position(USA, 4, deal=3))
        game.play_some(Random(players), 20)
        assert game.state["hidden"]["reshuffles"] == 0
        assert train_order(game) == order


def test_seed_and_deal_decide_the_game() -> None:
    again = [Position(edition_of("germany"), 3, seed=5, deal=9).play_some(Random(1), 60) for _ in range(2)]
    assert again[0].states.tobytes() == again[1].states.tobytes()
    games = [Position(USA, 2, seed=seed, deal=deal) for seed in range(1, 6) for deal in range(5)]
    assert len({tuple(train_order(game)) for game in games}) == 25
    assert len({tuple(ticket_order(game)) for game in games}) == 25


def test_streams_by_purpose_differ() -> None:
    """Every purpose has a key of its own, in every deal."""
    purposes = [TRAIN_DECK, PASSENGERS, *(TICKET_DECK + n for n in range(4)), *(RESHUFFLE + n for n in range(50))]
    purposes += [BOT + 256 * rotation + place for rotation in range(6) for place in range(6)]
    deals = [np.uint64(deal_key(np.uint64(1), deal)) for deal in range(20)]
    keys = {int(purpose_key(deal, purpose)) for deal in deals for purpose in purposes}
    assert len(keys) == 20 * len(purposes)


N_DEALS = 3_000


@pytest.fixture(scope="module")
def orders() -> tuple[np.ndarray, np.ndarray]:
    """Tickets and cards as shuffled, a row a deal."""
    game = Position(USA, 2)
    tickets, cards = np.zeros((N_DEALS, 30), int), np.zeros((N_DEALS, 110), int)
    for deal in range(N_DEALS):
        start_game(game.boards, game.states, 2, np.uint64(2), deal)
        tickets[deal] = game.state["hidden"]["ring"][0][:30]
        cards[deal] = game.state["hidden"]["deck"][:110]
    return tickets, cards


@pytest.mark.parametrize("place", [0, 1, 15, 29])
def test_every_ticket_is_as_likely_at_every_place(orders: tuple[np.ndarray, np.ndarray], place: int) -> None:
    assert is_plausible(list(np.bincount(orders[0][:, place], minlength=30)))


def test_neighbors_in_the_ticket_deck_are_independent(orders: tuple[np.ndarray, np.ndarray]) -> None:
    """Every ordered pair of tens of tickets on top is as frequent as a fair shuffle makes it."""
    first, second = orders[0][:, 0] // 10, orders[0][:, 1] // 10
    for a in range(3):
        for b in range(3):
            chance = 10 / 30 * (9 if a == b else 10) / 29
            found = int(((first == a) & (second == b)).sum())
            assert abs(found - N_DEALS * chance) < 4.5 * (N_DEALS * chance) ** 0.5


@pytest.mark.parametrize("place", [0, 1, 55, 109])
def test_every_card_is_as_likely_at_every_place(orders: tuple[np.ndarray, np.ndarray], place: int) -> None:
    found = [int((orders[1][:, place] == color).sum()) for color in (*range(8), WILD)]
    assert is_plausible(found, [n / 110 for n in (*[12] * 8, 14)])


def test_reshuffles_are_fair_and_unlike_one_another() -> None:
    tops: Counter[str] = Counter()
    for deal in range(400):
        game = Position(edition_of("first_journey"), 2, deal=deal).rig(hands={0: ""}, deck="", discards="ygwkbr")
        game.apply(draw_deck())
        tops[game.hand(0)] += 1
    assert is_plausible([tops[color.letter] for color in edition_of("first_journey").colors])


def test_every_color_is_as_likely_to_stand_at_a_city() -> None:
    game = Position(edition_of("germany"), 2)
    village = next(row for row, city in enumerate(game.edition.cities) if city.passengers == 1)
    counts = np.zeros(12, int)
    for deal in range(1_200):
        start_game(game.boards, game.states, 2, np.uint64(3), deal)
        counts += game.view["passengers"][village]
    assert is_plausible([int(n) for n in counts if n])
    assert (counts > 0).sum() == 6


def test_bots_numbers_are_uniform() -> None:
    seat = np.zeros(1, BOT_MEMORY)
    counts = Counter(int(draw_below(seat[0], 7)) for _ in range(7_000))
    assert is_plausible([counts[n] for n in range(7)])


KINDS = ("route", "ticket", "city", "color")


def ties(edition: Edition, kind: str, seed: int = 1, deal: int = 0) -> list[float]:
    game = Position(edition, 2, seed, deal)
    sizes = {"route": game.edition.routes, "ticket": game.edition.tickets, "city": game.edition.cities}
    return [float(number) for number in game.view[f"{kind}_tie"][: len(sizes.get(kind, game.edition.colors))]]


@pytest.mark.parametrize("kind", KINDS)
def test_ties_differ_by_thing_seed_and_deal_and_are_smaller_than_anything_that_means_something(kind: str) -> None:
    drawn = [ties(USA, kind, seed, deal) for seed, deal in ((1, 0), (1, 1), (2, 0))]
    numbers = [number for numbers in drawn for number in numbers]
    assert len(set(numbers)) == len(numbers)
    assert min(numbers) >= 0 and max(numbers) < TINY


def test_no_place_is_preferred() -> None:
    """The mean over many deals of what each route draws, in standard errors of a uniform number."""
    drawn = np.array([ties(edition_of("first_journey"), "route", deal=deal) for deal in range(400)]) / TINY
    error = np.sqrt(1 / 12 / len(drawn))
    assert np.abs(drawn.mean(axis=0) - 0.5).max() < 4.5 * error


def test_an_edit_of_lengths_and_points_leaves_those_of_all_others() -> None:
    routes = tuple(replace(route, length=route.length % 6 + 1) for route in USA.routes)
    tickets = tuple(replace(ticket, points=30 - ticket.points) for ticket in USA.tickets)
    edited = replace(USA, routes=routes, tickets=tickets)
    for kind in KINDS:
        assert ties(edited, kind) == ties(USA, kind)


def test_a_thing_that_goes_leaves_those_of_all_others() -> None:
    smaller = replace(USA, routes=USA.routes[1:], tickets=USA.tickets[1:])
    for kind, keys in (("route", route_keys), ("ticket", ticket_keys)):
        before = dict(zip(keys(USA), ties(USA, kind), strict=True))
        after = dict(zip(keys(smaller), ties(smaller, kind), strict=True))
        assert after == {key: number for key, number in before.items() if key in after}

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
from ttr_sim.engine import rng
from ttr_sim.engine.actions import WILD, draw_deck
from ttr_sim.engine.records import BOT_MEMORY
from ttr_sim.engine.stepping import start_game

USA, GERMANY, JOURNEY = edition_of("usa"), edition_of("germany"), edition_of("first_journey")
NEW = replace(USA.tickets[0], a="Denver", b="Omaha", copy=0)
N_DEALS = 3_000
KINDS = ("route", "ticket", "city", "color")


def ticket_order(game: Position) -> list[tuple[str, str]]:
    """The first deck as shuffled, dealt ones first, by name."""
    n = sum(entry.deck == 0 for entry in game.edition.tickets)
    names = [game.edition.tickets[int(row)] for row in game.state["hidden"]["ring"][0][:n]]
    return [(entry.a, entry.b) for entry in names]


def train_order(game: Position) -> list[int]:
    return [int(card) for card in game.state["hidden"]["deck"][: int(game.boards[0]["n_cards"])]]


@pytest.mark.parametrize(
    ("edited", "added"),
    [
        *((replace(USA, tickets=(*USA.tickets[:n], NEW, *USA.tickets[n:])), (NEW.a, NEW.b)) for n in (0, 7, 30)),
        (replace(USA, wilds=USA.wilds + 3), WILD),
        (replace(USA, trains=30, longest_path=None, route_scores=(1,) * 6), None),
    ],
    ids=["first ticket", "ticket between", "last ticket", "wilds", "rules"],
)
def test_edit_leaves_the_order_of_all_other_cards_and_tickets(edited: Edition, added: object) -> None:
    for deal in range(20):
        before, after = (Position(edition, 2, deal=deal) for edition in (USA, edited))
        for order in (ticket_order, train_order):
            assert [each for each in order(after) if each != added] == [each for each in order(before) if each != added]


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
    again = [Position(GERMANY, 3, seed=5, deal=9).play_some(Random(1), 60) for _ in range(2)]
    assert again[0].states.tobytes() == again[1].states.tobytes()
    games = [Position(USA, 2, seed=seed, deal=deal) for seed in range(1, 6) for deal in range(5)]
    assert len({tuple(train_order(game)) for game in games}) == 25
    assert len({tuple(ticket_order(game)) for game in games}) == 25


def test_streams_by_purpose_differ() -> None:
    """Every purpose has a key of its own, in every deal."""
    purposes = [
        rng.TRAIN_DECK,
        rng.PASSENGERS,
        *(rng.TICKET_DECK + n for n in range(4)),
        *(rng.RESHUFFLE + n for n in range(50)),
    ]
    purposes += [rng.BOT + 256 * rotation + place for rotation in range(6) for place in range(6)]
    deals = [np.uint64(rng.deal_key(np.uint64(1), deal)) for deal in range(20)]
    keys = {int(rng.purpose_key(deal, purpose)) for deal in deals for purpose in purposes}
    assert len(keys) == 20 * len(purposes)


@pytest.fixture(scope="module")
def orders() -> dict[str, np.ndarray]:
    """Tickets and cards as shuffled, a row a deal."""
    game = Position(USA, 2)
    rows = {"ring": np.zeros((N_DEALS, 30), int), "deck": np.zeros((N_DEALS, 110), int)}
    for deal in range(N_DEALS):
        start_game(game.boards, game.states, 2, np.uint64(2), deal)
        rows["ring"][deal] = game.state["hidden"]["ring"][0][:30]
        rows["deck"][deal] = game.state["hidden"]["deck"][:110]
    return rows


@pytest.mark.parametrize(
    ("pile", "place"), [*(("ring", place) for place in (0, 1, 15, 29)), *(("deck", place) for place in (0, 1, 55, 109))]
)
def test_every_ticket_and_card_is_as_likely_at_every_place(
    orders: dict[str, np.ndarray], pile: str, place: int
) -> None:
    copies = dict.fromkeys(range(30), 1) if pile == "ring" else {**dict.fromkeys(range(8), 12), WILD: 14}
    found = [int((orders[pile][:, place] == each).sum()) for each in copies]
    assert is_plausible(found, [n / sum(copies.values()) for n in copies.values()])


def test_neighbors_in_the_ticket_deck_are_independent(orders: dict[str, np.ndarray]) -> None:
    """Every ordered pair of tens of tickets on top is as frequent as a fair shuffle makes it."""
    first, second = orders["ring"][:, 0] // 10, orders["ring"][:, 1] // 10
    for a in range(3):
        for b in range(3):
            chance = 10 / 30 * (9 if a == b else 10) / 29
            found = int(((first == a) & (second == b)).sum())
            assert abs(found - N_DEALS * chance) < 4.5 * (N_DEALS * chance) ** 0.5


def test_reshuffles_are_fair_and_unlike_one_another() -> None:
    tops: Counter[str] = Counter()
    for deal in range(400):
        game = Position(JOURNEY, 2, deal=deal).rig(hands={0: ""}, deck="", discards="ygwkbr")
        game.apply(draw_deck())
        tops[game.hand(0)] += 1
    assert is_plausible([tops[color.letter] for color in JOURNEY.colors])


def test_every_color_is_as_likely_to_stand_at_a_city() -> None:
    game, counts = Position(GERMANY, 2), np.zeros(12, int)
    village = next(row for row, city in enumerate(game.edition.cities) if city.passengers == 1)
    for deal in range(1_200):
        start_game(game.boards, game.states, 2, np.uint64(3), deal)
        counts += game.view["passengers"][village]
    assert is_plausible([int(n) for n in counts if n])
    assert (counts > 0).sum() == 6


def test_bots_numbers_are_uniform() -> None:
    seat = np.zeros(1, BOT_MEMORY)
    counts = Counter(int(rng.draw_below(seat[0], 7)) for _ in range(7_000))
    assert is_plausible([counts[n] for n in range(7)])


def ties(edition: Edition, kind: str, seed: int = 1, deal: int = 0) -> list[float]:
    game = Position(edition, 2, seed, deal)
    sizes = {"route": game.edition.routes, "ticket": game.edition.tickets, "city": game.edition.cities}
    return [float(number) for number in game.view[f"{kind}_tie"][: len(sizes.get(kind, game.edition.colors))]]


@pytest.mark.parametrize("kind", KINDS)
def test_ties_differ_by_thing_seed_and_deal_and_are_smaller_than_anything_that_means_something(kind: str) -> None:
    numbers = [number for seed, deal in ((1, 0), (1, 1), (2, 0)) for number in ties(USA, kind, seed, deal)]
    assert len(set(numbers)) == len(numbers)
    assert min(numbers) >= 0 and max(numbers) < rng.TINY


def test_no_place_is_preferred() -> None:
    """The mean over many deals of what each route draws, in standard errors of a uniform number."""
    drawn = np.array([ties(JOURNEY, "route", deal=deal) for deal in range(400)]) / rng.TINY
    assert np.abs(drawn.mean(axis=0) - 0.5).max() < 4.5 * np.sqrt(1 / 12 / len(drawn))


def test_an_edit_leaves_the_ties_of_all_others() -> None:
    routes = tuple(replace(route, length=route.length % 6 + 1) for route in USA.routes)
    tickets = tuple(replace(ticket, points=30 - ticket.points) for ticket in USA.tickets)
    edited = replace(USA, routes=routes, tickets=tickets)
    assert [ties(edited, kind) for kind in KINDS] == [ties(USA, kind) for kind in KINDS]
    smaller = replace(USA, routes=USA.routes[1:], tickets=USA.tickets[1:])
    for kind, keys in (("route", route_keys), ("ticket", ticket_keys)):
        before = dict(zip(keys(USA), ties(USA, kind), strict=True))
        after = dict(zip(keys(smaller), ties(smaller, kind), strict=True))
        assert after == {key: number for key, number in before.items() if key in after}

"""The numbers that break ties: drawn by identity, small, and never the same for two."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.engine.rig import edition_of
from ttr_sim.edition.canonical import route_keys, ticket_keys
from ttr_sim.edition.model import Edition
from ttr_sim.engine.rng import TINY
from ttr_sim.engine.stepping import Game

KINDS = ("route", "ticket", "city", "color")


def ties(edition: Edition, kind: str, seed: int = 1, deal: int = 0) -> list[float]:
    game = Game(edition, 2, seed, deal)
    sizes = {"route": game.edition.routes, "ticket": game.edition.tickets, "city": game.edition.cities}
    return [float(number) for number in game.view[f"{kind}_tie"][: len(sizes.get(kind, game.edition.colors))]]


@pytest.mark.parametrize("kind", KINDS)
def test_all_are_different_and_smaller_than_any_difference_that_means_something(kind: str) -> None:
    numbers = ties(edition_of("europe"), kind)
    assert len(set(numbers)) == len(numbers)
    assert min(numbers) >= 0 and max(numbers) < TINY


@pytest.mark.parametrize("kind", KINDS)
def test_seed_and_deal_draw_others(kind: str) -> None:
    drawn = [ties(edition_of("usa"), kind, seed, deal) for seed, deal in ((1, 0), (1, 1), (2, 0))]
    assert not set(drawn[0]) & set(drawn[1]) and not set(drawn[0]) & set(drawn[2])


def test_no_place_is_preferred() -> None:
    """The mean over many deals of what each route draws, in standard errors of a uniform number."""
    drawn = np.array([ties(edition_of("first_journey"), "route", deal=deal) for deal in range(400)]) / TINY
    error = np.sqrt(1 / 12 / len(drawn))
    assert np.abs(drawn.mean(axis=0) - 0.5).max() < 4.5 * error


def test_an_edit_of_lengths_and_points_leaves_those_of_all_others() -> None:
    usa = edition_of("usa")
    routes = tuple(replace(route, length=route.length % 6 + 1) for route in usa.routes)
    tickets = tuple(replace(ticket, points=30 - ticket.points) for ticket in usa.tickets)
    edited = replace(usa, routes=routes, tickets=tickets)
    for kind in KINDS:
        assert ties(edited, kind) == ties(usa, kind)


def test_a_thing_that_goes_leaves_those_of_all_others() -> None:
    usa = edition_of("usa")
    smaller = replace(usa, routes=usa.routes[1:], tickets=usa.tickets[1:])
    for kind, keys in (("route", route_keys), ("ticket", ticket_keys)):
        before = dict(zip(keys(usa), ties(usa, kind), strict=True))
        after = dict(zip(keys(smaller), ties(smaller, kind), strict=True))
        assert after == {key: number for key, number in before.items() if key in after}

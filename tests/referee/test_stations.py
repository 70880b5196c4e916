"""Lending stations, against trying every choice with another library on games as they were played."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import networkx as nx
import pytest

from tests.referee.built import built, changed, game_log, messages, ticket_row
from tests.referee.conftest import GamesOf
from ttr_sim.edition import load_edition
from ttr_sim.edition.model import Edition
from ttr_sim.referee.claims import settle_lending
from ttr_sim.referee.log import SETUP, GameLog, SeatRow

CHECKED_SEATS = 25


def test_no_choice_is_better_than_the_one_that_was_lent(games_of: GamesOf) -> None:
    rules, logs = games_of("europe")
    seats = [(log, row) for log in logs for row in log.seats][:CHECKED_SEATS]
    for log, row in seats:
        assert row.ticket_points is not None and row.ticket_penalty is not None
        assert row.ticket_points + row.ticket_penalty == max(_net_points(rules.edition, log, row))


def _net_points(edition: Edition, log: GameLog, row: SeatRow) -> Iterator[int]:
    """For each choice of routes to lend, what the tickets are worth."""
    claims = [(turn.seat, turn.route) for turn in log.turns if turn.action == "claim" and turn.claimed]
    own = [route for seat, route in claims if seat == row.seat and route is not None]
    others = [route for seat, route in claims if seat != row.seat and route is not None]
    stations = [turn.city for turn in log.turns if turn.action == "station" and turn.seat == row.seat]
    tickets = [edition.tickets[entry.ticket] for entry in log.tickets if entry.seat == row.seat and entry.kept]
    lendable = [[None, *(r for r in others if city in (edition.routes[r].a, edition.routes[r].b))] for city in stations]
    for choice in product(*lendable):
        network = _network(edition, own + [route for route in choice if route is not None])
        yield sum(t.points if nx.has_path(network, t.a_cities[0], t.b_cities[0]) else -t.points for t in tickets)


def _network(edition: Edition, routes: list[int]) -> nx.Graph:
    network = nx.Graph()
    network.add_nodes_from(range(len(edition.cities)))
    network.add_edges_from((edition.routes[route].a, edition.routes[route].b) for route in routes)
    return network


@pytest.mark.parametrize(("lent", "complaints"), [("1:0", []), ("", ["the routes lent bring 0 points"])])
def test_more_tickets_come_before_fewer_routes_lent(lent: str, complaints: list[str]) -> None:
    """A ticket worth nothing, which only a lent route completes."""
    europe = load_edition("europe")
    a, b = europe.routes[0].a, europe.routes[0].b
    worthless = replace(europe.tickets[0], a_cities=(a,), b_cities=(b,), points=0)
    log = game_log(2, [ticket_row(0, 0)])
    log.seats[0] = changed(log.seats[0], lent=lent.replace("1:", f"{a}:"))
    position = built(replace(europe, tickets=(worthless, *europe.tickets[1:])), log)
    position.turn = SETUP
    position.hold(position.draw_ticket())
    position.seats[0].stations = [a]
    position.owner[0] = 1
    met = settle_lending(position, 0)
    assert len(met) == bool(lent)
    assert [message[: len(start)] for message, start in zip(messages(position), complaints, strict=True)] == complaints

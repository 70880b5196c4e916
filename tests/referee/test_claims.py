"""Claims and stations that real play hardly ever reaches: few cards left, merchandise and bonus tickets used up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import networkx as nx
import pytest

from tests.referee.built import built, changed, game_log, messages, ticket_row, turn
from tests.referee.conftest import GamesOf
from ttr_sim.edition import load_edition
from ttr_sim.edition.model import Edition
from ttr_sim.referee.claims import claim_route, settle_lending
from ttr_sim.referee.log import SETUP, GameLog, SeatRow, TurnRow
from ttr_sim.referee.position import Position
from ttr_sim.referee.rulebook import RuleError


def tunnel_position(hand: str, deck: str) -> Position:
    return built("europe", game_log(2), hand, deck)


def claim_tunnel(position: Position, **cells: Any) -> TurnRow:
    """The first gray tunnel of two spaces tried with red cards."""
    routes = position.edition.routes
    route = next(n for n, r in enumerate(routes) if (r.kind, r.length, r.color) == ("tunnel", 2, None))
    row = turn("claim", **{"route": route, "color": "r", "wilds": 0, "claimed": True, "wanted_by": 0, **cells})
    claim_route(position, row)
    return row


def test_a_tunnel_with_no_card_to_reveal_costs_nothing_extra() -> None:
    position = tunnel_position("rr", deck="")
    claim_tunnel(position, cards=2, tunnel_cards="", tunnel_cost=0)
    assert (messages(position), position.piles.discards["r"], position.seats[0].trains) == ([], 2, 43)


def test_the_cards_laid_down_are_not_among_those_revealed() -> None:
    with pytest.raises(RuleError, match="2 cards were revealed, 0 should have been"):
        claim_tunnel(tunnel_position("rrrr", deck=""), cards=4, tunnel_cards="rr", tunnel_cost=2)


def test_a_tunnel_that_costs_nothing_extra_cannot_be_given_up() -> None:
    with pytest.raises(RuleError, match="given up, though it cost no extra cards"):
        claim_tunnel(tunnel_position("rr", deck=""), cards=2, tunnel_cards="", tunnel_cost=0, claimed=False)


def test_a_tunnel_with_two_cards_to_reveal() -> None:
    position = tunnel_position("rrr", deck="rb")
    claim_tunnel(position, cards=3, tunnel_cards="rb", tunnel_cost=1)
    assert (messages(position), position.piles.discards["r"], position.piles.discards["b"]) == ([], 4, 1)
    with pytest.raises(RuleError, match="1 cards were revealed, 2 should have been"):
        claim_tunnel(tunnel_position("rrr", deck="rb"), cards=3, tunnel_cards="r", tunnel_cost=1)


@pytest.mark.parametrize(("left", "earned"), [(0, False), (1, True)])
def test_merchandise_is_earned_while_any_is_left(left: int, earned: bool) -> None:
    position = built("amsterdam", game_log(2), hand="****")
    position.merchandise_left = left
    route = next(n for n, r in enumerate(position.edition.routes) if r.merchandise)
    length = position.edition.routes[route].length
    cells = {"route": route, "cards": length, "wilds": length, "claimed": True, "wanted_by": 0}
    claim_route(position, turn("claim", merchandise=True, **cells))
    assert position.seats[0].merchandise == earned
    assert messages(position) == ([] if earned else ["merchandise is true in the log but should be false"])


@pytest.mark.parametrize(("held", "left", "earned"), [(False, 4, True), (True, 3, False), (False, 0, False)])
def test_a_bonus_ticket_is_earned_once_and_while_any_is_left(held: bool, left: int, earned: bool) -> None:
    position = built("first_journey", game_log(2), hand="****")
    state = position.seats[0]
    state.bonus_ticket, position.bonus_tickets_left = held, left
    ends = position.rules.bonus_ends
    assert ends is not None
    state.network.join(ends[0][0], ends[1][0])
    route = next(n for n, r in enumerate(position.edition.routes) if r.length == 1)
    claim_route(
        position,
        turn("claim", route=route, cards=1, wilds=1, claimed=True, wanted_by=0, bonus_ticket=earned),
    )
    assert (messages(position), state.bonus_ticket) == ([], held or earned)


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

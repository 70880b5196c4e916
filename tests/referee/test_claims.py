"""Claims and stations that real play hardly ever reaches: few cards left, merchandise and bonus tickets used up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import networkx as nx
import pytest

from tests.referee.built import built, changed, game_log, messages, ticket_row, turn
from tests.referee.conftest import GamesOf
from ttr_sim.edition import load_edition
from ttr_sim.edition.model import Edition
from ttr_sim.referee.claims import claim_route, settle_lending
from ttr_sim.referee.log import SETUP, GameLog, SeatRow
from ttr_sim.referee.rulebook import RuleError

# Hand, deck, cards paid, cards revealed and their cost. Then the discards, or why it is refused.
TUNNELS = {
    "no card to reveal": ("rr", "", 2, "", 0, "rr"),
    "one that costs nothing extra cannot be given up": ("rr", "", 2, "", 0, "given up, though it cost no extra cards"),
    "the cards laid down are not revealed": ("rrrr", "", 4, "rr", 2, "2 cards were revealed, 0 should have been"),
    "two cards to reveal": ("rrr", "rb", 3, "rb", 1, "rrrrb"),
    "fewer revealed than there are": ("rrr", "rb", 3, "r", 1, "1 cards were revealed, 2 should have been"),
}


@pytest.mark.parametrize("name", TUNNELS)
def test_tunnel_tried_with_red_cards(name: str) -> None:
    """The first gray tunnel of two spaces."""
    hand, deck, cards, revealed, cost, then = TUNNELS[name]
    position = built("europe", game_log(2), hand, deck)
    kinds = [(route.kind, route.length, route.color) for route in position.edition.routes]
    cells = {"route": kinds.index(("tunnel", 2, None)), "color": "r", "wilds": 0, "wanted_by": 0, "cards": cards}
    row = turn("claim", **cells, tunnel_cards=revealed, tunnel_cost=cost, claimed="given up" not in then)
    if " " in then:
        with pytest.raises(RuleError, match=then):
            claim_route(position, row)
    else:
        claim_route(position, row)
        assert (messages(position), position.seats[0].trains) == ([], 43)
        assert "".join(letter * n for letter, n in position.piles.discards.items()) == then


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
    claim_route(position, turn("claim", route=route, cards=1, wilds=1, claimed=True, wanted_by=0, bonus_ticket=earned))
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

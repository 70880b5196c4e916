"""Paying with what hurts least."""

from __future__ import annotations

from tests.bots.planner.skill_bench import bench
from ttr_sim.bots.planner.paying import CANNOT_PAY, best_payment, claim_in_color, claim_payable, missing_cards
from ttr_sim.engine.actions import WILD, claim


def test_wilds_fill_what_the_color_lacks() -> None:
    at = bench()
    route = at.route("Helena", "Seattle")  # six yellow
    at.hold(yellow=4, wilds=3, red=9)
    assert missing_cards(at.board, at.view, route) == 0
    assert claim_payable(at.board, at.view, at.memory, route) == claim(route, at.color("yellow"), 2)
    at.hold(yellow=4, wilds=1)
    assert missing_cards(at.board, at.view, route) == 1
    assert best_payment(at.board, at.view, at.memory, route)[0] == CANNOT_PAY


def test_gray_route_spares_the_color_the_plan_needs() -> None:
    at = bench()
    route = at.route("Santa Fe", "El Paso")  # two gray
    at.hold(yellow=2, blue=2)
    at.memory["need"][at.color("yellow")] = 6
    harm, color = best_payment(at.board, at.view, at.memory, route)
    assert (harm, color) == (0, at.color("blue"))
    at.memory["need"][at.color("blue")] = 2
    assert best_payment(at.board, at.view, at.memory, route)[0] == 2


def test_wilds_alone_are_claimed_as_such() -> None:
    at = bench()
    route = at.route("Santa Fe", "El Paso")
    at.hold(wilds=2)
    assert claim_in_color(at.board, at.view, route, at.color("red")) == claim(route, WILD, 2)


def test_ferry_asks_for_its_wilds() -> None:
    at = bench("europe")
    ferry = next(row for row, route in enumerate(at.game.edition.routes) if route.locomotives == 2)
    at.hold(red=12, wilds=1)
    assert missing_cards(at.board, at.view, ferry) == 1
    assert best_payment(at.board, at.view, at.memory, ferry)[0] == CANNOT_PAY


def test_tunnel_is_tried_with_a_card_to_spare_until_the_last_turn() -> None:
    at = bench("europe")
    routes = enumerate(at.game.edition.routes)
    tunnel = next(row for row, route in routes if route.kind == "tunnel" and route.length == 2 and route.color is None)
    at.hold(red=2)
    assert missing_cards(at.board, at.view, tunnel) == 1
    at.view["final_turns"] = 1
    assert missing_cards(at.board, at.view, tunnel) == 0

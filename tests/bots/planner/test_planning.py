"""Joint plans: shared ways, goals given up, parallel routes, loans."""

from __future__ import annotations

import pytest
from pytest import approx

from tests.bots.planner.skill_bench import Bench, bench, cities
from tests.engine.rig import give
from ttr_sim.bots.planner.plan import adopt_candidate, best_plan, is_plan_good
from ttr_sim.bots.planner.ways import price_by_trains
from ttr_sim.bots.planner.worth import add_goal
from ttr_sim.engine.networks import has_route

FOREVER = 1000.0
LOAN = 6.0


def want(at: Bench, *pairs: tuple[str, str], value: float = 30.0) -> None:
    at.memory["n_goals"] = 0
    for a, b in pairs:
        add_goal(at.memory, cities(at.city(a)), cities(at.city(b)), value)


def plan(at: Bench, turns: float = FOREVER) -> float:
    price_by_trains(at.board, at.view, at.memory, LOAN)
    return float(best_plan(at.board, at.view, at.memory, turns))


def trains(at: Bench) -> int:
    routes = at.memory["candidate"][: at.memory["n_candidate"]]
    return sum(at.game.edition.routes[route].length for route in routes)


def test_goals_share_their_ways() -> None:
    at = bench()
    want(at, ("Seattle", "Helena"), ("Vancouver", "Helena"))
    assert plan(at) == approx(2 * 30 - 7)  # Seattle is on the way from Vancouver
    assert trains(at) == 7


def test_what_costs_more_than_it_brings_is_given_up() -> None:
    at = bench()
    want(at, ("Seattle", "Helena"), value=5.0)
    assert plan(at) == 0
    assert at.memory["n_candidate"] == 0


def test_plan_fits_trains_and_turns() -> None:
    at = bench()
    want(at, ("Seattle", "Miami"), value=100.0)
    assert plan(at, turns=5.0) == 0
    at.view["trains"][at.view["seat"]] = 10
    assert plan(at) == 0


@pytest.mark.parametrize("starts", [("Boston", "Miami", "Seattle"), ("Seattle", "Boston", "Miami")])
def test_no_route_is_planned_twice(starts: tuple[str, ...]) -> None:
    at = bench()
    want(at, *((start, "Denver") for start in starts), value=60.0)
    plan(at)
    routes = list(at.memory["candidate"][: at.memory["n_candidate"]])
    groups = [at.game.edition.routes[route].group for route in routes]
    assert len(set(groups)) == len(groups)


def test_adopted_plan_is_published_until_it_is_robbed() -> None:
    at = bench()
    want(at, ("Seattle", "Helena"))
    plan(at)
    adopt_candidate(at.view, at.seat, at.memory)
    route = at.route("Seattle", "Helena")
    assert has_route(at.seat["wants"], route)
    assert is_plan_good(at.view, at.seat, at.memory)
    give(at.game, 1 - int(at.view["seat"]), route)
    assert not is_plan_good(at.view, at.seat, at.memory)


def test_route_of_another_is_lent_for_a_station() -> None:
    at = bench("europe")
    other = 1 - int(at.view["seat"])
    give(at.game, other, at.route("Madrid", "Cadiz"))
    want(at, ("Madrid", "Cadiz"))
    assert plan(at) == approx(30 - 5), "the way round by Lisboa is shorter than a loan"
    give(at.game, other, at.route("Lisboa", "Madrid"))
    assert plan(at) == approx(30 - LOAN)
    assert at.memory["borrowed"] == 1

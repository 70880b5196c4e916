"""Joint plans: shared ways, goals given up, parallel routes, loans; and what each parameter of foresight changes."""

from __future__ import annotations

import pytest
from pytest import approx

from tests.bots.planner.skill_bench import Bench, bench, cities
from ttr_sim.bots.planner.claiming import claim_target
from ttr_sim.bots.planner.drawing import wish_for_targets
from ttr_sim.bots.planner.params import PARAM
from ttr_sim.bots.planner.plan import adopt_candidate, best_plan, choose_extras, is_plan_good
from ttr_sim.bots.planner.tickets import best_deck
from ttr_sim.bots.planner.ways import price_by_trains, price_by_turns
from ttr_sim.bots.planner.worth import add_goal, turns_expected, turns_left
from ttr_sim.engine.actions import DEFAULT
from ttr_sim.engine.networks import has_route

FOREVER = 1000.0
PLENTY = 40.0  # turns
LOAN = 6.0


def want(at: Bench, *pairs: tuple[str, str], value: float = 30.0) -> None:
    at.memory["n_goals"] = 0
    for a, b in pairs:
        add_goal(at.memory, cities(at.game.city(a)), cities(at.game.city(b)), value)


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
    route = at.game.route("Seattle", "Helena")
    assert has_route(at.seat["wants"], route)
    assert is_plan_good(at.view, at.seat, at.memory)
    at.game.give(1 - int(at.view["seat"]), route)
    assert not is_plan_good(at.view, at.seat, at.memory)


def test_route_of_another_is_lent_for_a_station() -> None:
    at = bench("europe")
    other = 1 - int(at.view["seat"])
    at.game.give(other, at.game.route("Madrid", "Cadiz"))
    want(at, ("Madrid", "Cadiz"))
    assert plan(at) == approx(30 - 5), "the way round by Lisboa is shorter than a loan"
    at.game.give(other, at.game.route("Lisboa", "Madrid"))
    assert plan(at) == approx(30 - LOAN)
    assert at.memory["borrowed"] == 1


@pytest.mark.parametrize(
    ("detour", "turns", "fewest"), [(0.0, PLENTY, 6), (0.0, 3.0, 0), (1.0, PLENTY, 6), (1.0, 3.0, 8)]
)
def test_another_way_is_taken_when_the_cheapest_takes_too_long(detour: float, turns: float, fewest: int) -> None:
    at = bench()
    at.hold(red=4)  # pays Seattle-Calgary and Calgary-Helena, gray both, but nothing of the yellow Seattle-Helena
    at.memory["detour"] = detour
    want(at, ("Seattle", "Helena"))
    plan(at, turns)
    assert trains(at) == fewest


def test_the_game_lasts_as_long_as_the_seat_believes() -> None:
    at = bench()
    seen = turns_left(at.board, at.view)
    at.seat["parameters"][PARAM.pace] = at.seat["parameters"][PARAM.reserve] = 0.0
    assert turns_expected(at.board, at.view, at.seat) == seen
    at.seat["parameters"][PARAM.pace], at.seat["parameters"][PARAM.reserve] = 0.5, 2.0
    assert turns_expected(at.board, at.view, at.seat) == approx(1.5 * seen + 2.0)
    at.view["final_turns"] = 1
    assert turns_expected(at.board, at.view, at.seat) == 1


def test_a_chain_goes_on_where_it_ends() -> None:
    at = bench()
    at.game.give(int(at.view["seat"]), at.game.route("Seattle", "Helena"))
    at.seat["parameters"][PARAM.chain] = 10.0
    choose_extras(at.board, at.view, at.seat, at.memory, PLENTY)
    first = at.game.edition.routes[at.memory["targets"][0]]
    assert {first.a, first.b} & {at.game.city("Seattle"), at.game.city("Helena")}


def test_a_hoard_is_filled_before_anything_is_claimed_in_peace() -> None:
    at = bench()
    at.hold(red=3, blue=3, green=6)
    at.view["hand_cards"][at.view["seat"]] = 12
    at.seat["parameters"][PARAM.hoard] = 0.0
    assert claim_target(at.board, at.view, at.seat, at.memory, PLENTY) != DEFAULT
    at.seat["parameters"][PARAM.hoard] = 13.0
    assert claim_target(at.board, at.view, at.seat, at.memory, PLENTY) == DEFAULT
    assert claim_target(at.board, at.view, at.seat, at.memory, 1.0) != DEFAULT, "not in the last turn"


def test_cards_of_aims_are_wished_for_most() -> None:
    at = bench()
    at.hold()
    at.memory["n_aims"], at.memory["n_targets"] = 1, 2
    at.memory["targets"][:2] = at.game.route("Seattle", "Helena"), at.game.route("Helena", "Winnipeg")  # yellow, blue
    wish_for_targets(at.board, at.view, at.memory, 0.0)
    yellow, blue = at.color("yellow"), at.color("blue")
    before = at.memory["wish"].copy()
    at.memory["focus"] = 0.5
    wish_for_targets(at.board, at.view, at.memory, 0.0)
    assert at.memory["wish"][yellow] == approx(before[yellow] + 0.5)
    assert at.memory["wish"][blue] == before[blue]


def test_tickets_are_worth_more_beside_a_plan() -> None:
    at = bench()
    at.memory["n_aims"] = 1
    at.memory["targets"][0] = at.game.route("Seattle", "Helena")
    price_by_turns(at.board, at.view, at.seat, at.memory)
    alone, _ = best_deck(at.board, at.view, at.memory, PLENTY)
    at.memory["synergy"] = 1.0
    beside, _ = best_deck(at.board, at.view, at.memory, PLENTY)
    assert beside > alone

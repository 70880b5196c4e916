"""What the planner's newer tastes change, one at a time."""

from __future__ import annotations

import pytest

from tests.bots.planner.skill_bench import Bench, bench, cities
from tests.engine.rig import give
from ttr_sim.bots.planner import params
from ttr_sim.bots.planner.claiming import claim_target
from ttr_sim.bots.planner.drawing import wish_for_targets
from ttr_sim.bots.planner.endgame import turns_expected, turns_left
from ttr_sim.bots.planner.plan import best_plan, choose_extras
from ttr_sim.bots.planner.tickets import best_deck
from ttr_sim.bots.planner.ways import price_by_trains, price_by_turns
from ttr_sim.bots.planner.worth import add_goal
from ttr_sim.engine.actions import DEFAULT

PLENTY = 40.0  # turns


def trains_planned(at: Bench, turns: float) -> int:
    at.memory["n_goals"] = 0
    add_goal(at.memory, cities(at.city("Seattle")), cities(at.city("Helena")), 30.0)
    price_by_trains(at.board, at.view, at.memory, 6.0)
    best_plan(at.board, at.view, at.memory, turns)
    return sum(at.game.edition.routes[route].length for route in at.memory["candidate"][: at.memory["n_candidate"]])


@pytest.mark.parametrize(
    ("detour", "turns", "trains"), [(0.0, PLENTY, 6), (0.0, 3.0, 0), (1.0, PLENTY, 6), (1.0, 3.0, 8)]
)
def test_another_way_is_taken_when_the_cheapest_takes_too_long(detour: float, turns: float, trains: int) -> None:
    at = bench()
    at.hold(red=4)  # pays Seattle-Calgary and Calgary-Helena, gray both, but nothing of the yellow Seattle-Helena
    at.memory["detour"] = detour
    assert trains_planned(at, turns) == trains


def test_the_game_lasts_as_long_as_the_seat_believes() -> None:
    at = bench()
    seen = turns_left(at.board, at.view)
    at.seat["parameters"][params.PACE] = at.seat["parameters"][params.RESERVE] = 0.0
    assert turns_expected(at.board, at.view, at.seat) == seen
    at.seat["parameters"][params.PACE], at.seat["parameters"][params.RESERVE] = 0.5, 2.0
    assert turns_expected(at.board, at.view, at.seat) == pytest.approx(1.5 * seen + 2.0)
    at.view["final_turns"] = 1
    assert turns_expected(at.board, at.view, at.seat) == 1


def test_a_chain_goes_on_where_it_ends() -> None:
    at = bench()
    give(at.game, int(at.view["seat"]), at.route("Seattle", "Helena"))
    at.seat["parameters"][params.CHAIN] = 10.0
    choose_extras(at.board, at.view, at.seat, at.memory, PLENTY)
    first = at.game.edition.routes[at.memory["targets"][0]]
    assert {first.a, first.b} & {at.city("Seattle"), at.city("Helena")}


def test_a_hoard_is_filled_before_anything_is_claimed_in_peace() -> None:
    at = bench()
    at.hold(red=3, blue=3, green=6)
    at.view["hand_cards"][at.view["seat"]] = 12
    at.seat["parameters"][params.HOARD] = 0.0
    assert claim_target(at.board, at.view, at.seat, at.memory, PLENTY) != DEFAULT
    at.seat["parameters"][params.HOARD] = 13.0
    assert claim_target(at.board, at.view, at.seat, at.memory, PLENTY) == DEFAULT
    assert claim_target(at.board, at.view, at.seat, at.memory, 1.0) != DEFAULT, "not in the last turn"


def test_cards_of_aims_are_wished_for_most() -> None:
    at = bench()
    at.hold()
    at.memory["n_aims"], at.memory["n_targets"] = 1, 2
    at.memory["targets"][:2] = at.route("Seattle", "Helena"), at.route("Helena", "Winnipeg")  # yellow, blue
    wish_for_targets(at.board, at.view, at.memory, 0.0)
    yellow, blue = at.color("yellow"), at.color("blue")
    before = at.memory["wish"].copy()
    at.memory["focus"] = 0.5
    wish_for_targets(at.board, at.view, at.memory, 0.0)
    assert at.memory["wish"][yellow] == pytest.approx(before[yellow] + 0.5)
    assert at.memory["wish"][blue] == before[blue]


def test_tickets_are_worth_more_beside_a_plan() -> None:
    at = bench()
    at.memory["n_aims"] = 1
    at.memory["targets"][0] = at.route("Seattle", "Helena")
    price_by_turns(at.board, at.view, at.seat, at.memory)
    alone, _ = best_deck(at.board, at.view, at.memory, PLENTY)
    at.memory["synergy"] = 1.0
    beside, _ = best_deck(at.board, at.view, at.memory, PLENTY)
    assert beside > alone

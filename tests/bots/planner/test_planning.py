"""Plans: ways against networkx, goals shared and given up, loans, tickets kept and drawn, parameters of foresight."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import networkx as nx
import numpy as np
import pytest
from pytest import approx

from tests.bots.bot_games import EDITIONS, play
from tests.bots.planner.skill_bench import Bench, bench, cities
from ttr_sim.bots.planner import ways, worth
from ttr_sim.bots.planner.claiming import claim_target
from ttr_sim.bots.planner.drawing import wish_for_targets
from ttr_sim.bots.planner.params import PARAM
from ttr_sim.bots.planner.plan import adopt_candidate, best_plan, choose_extras, is_plan_good
from ttr_sim.bots.planner.tickets import best_deck, best_mask
from ttr_sim.engine.actions import DEFAULT
from ttr_sim.engine.networks import has_route, is_met

NO_LOAN = 1e9
FOREVER = 1000.0
PLENTY = 40.0  # turns
LOAN = 6.0


@pytest.mark.parametrize("edition", EDITIONS)
def test_ways_are_as_short_as_can_be(edition: str) -> None:
    at, graph = bench(edition), nx.MultiGraph()
    ways.price_by_trains(at.board, at.view, at.memory, NO_LOAN)
    ways.use_prices(at.board, at.memory)
    ways.join_free(at.board, at.view, at.memory)
    for route in at.game.edition.routes:
        graph.add_edge(route.a, route.b, weight=route.length)
    for source, distances in nx.all_pairs_dijkstra_path_length(graph):
        for target, length in distances.items():
            assert ways.find_way(at.board, at.view, at.memory, cities(source), cities(target), ways.FAR) == target
            assert at.memory["distance"][target] == approx(length)


def want(at: Bench, *pairs: tuple[str, str], value: float = 30.0) -> None:
    at.memory["n_goals"] = 0
    for a, b in pairs:
        worth.add_goal(at.memory, cities(at.game.city(a)), cities(at.game.city(b)), value)


def plan(at: Bench, turns: float = FOREVER) -> float:
    ways.price_by_trains(at.board, at.view, at.memory, LOAN)
    return float(best_plan(at.board, at.view, at.memory, turns))


def trains(at: Bench) -> int:
    routes = at.memory["candidate"][: at.memory["n_candidate"]]
    return sum(at.game.edition.routes[route].length for route in routes)


def test_goals_share_their_ways() -> None:
    at = bench()
    want(at, ("Seattle", "Helena"), ("Vancouver", "Helena"))
    assert plan(at) == approx(2 * 30 - 7)  # Seattle is on the way from Vancouver
    assert trains(at) == 7


def test_what_costs_more_than_it_brings_or_does_not_fit_trains_and_turns_is_given_up() -> None:
    at = bench()
    want(at, ("Seattle", "Helena"), value=5.0)
    assert plan(at) == 0
    assert at.memory["n_candidate"] == 0
    want(at, ("Seattle", "Miami"), value=100.0)
    assert plan(at, turns=5.0) == 0
    at.view["trains"][at.me] = 10
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
    at.game.give(1 - at.me, route)
    assert not is_plan_good(at.view, at.seat, at.memory)


def test_route_of_another_is_lent_for_a_station() -> None:
    at = bench("europe")
    other = 1 - at.me
    at.game.give_between(other, ("Madrid", "Cadiz"))
    want(at, ("Madrid", "Cadiz"))
    assert plan(at) == approx(30 - 5), "the way round by Lisboa is shorter than a loan"
    at.game.give_between(other, ("Lisboa", "Madrid"))
    assert plan(at) == approx(30 - LOAN)
    assert at.memory["borrowed"] == 1


def test_a_taste_for_stations_lets_no_way_wander_forever() -> None:
    log = play(["planner:station=-20", "planner"], "europe", blocks=3)
    assert not log.stopped
    assert log.failure is None


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
    seen = worth.turns_left(at.board, at.view)
    at.seat["parameters"][PARAM.pace] = at.seat["parameters"][PARAM.reserve] = 0.0
    assert worth.turns_expected(at.board, at.view, at.seat) == seen
    at.seat["parameters"][PARAM.pace], at.seat["parameters"][PARAM.reserve] = 0.5, 2.0
    assert worth.turns_expected(at.board, at.view, at.seat) == approx(1.5 * seen + 2.0)
    at.view["final_turns"] = 1
    assert worth.turns_expected(at.board, at.view, at.seat) == 1


def test_a_chain_goes_on_where_it_ends() -> None:
    at = bench()
    at.game.give_between(at.me, ("Seattle", "Helena"))
    at.seat["parameters"][PARAM.chain] = 10.0
    choose_extras(at.board, at.view, at.seat, at.memory, PLENTY)
    first = at.game.edition.routes[at.memory["targets"][0]]
    assert {first.a, first.b} & {at.game.city("Seattle"), at.game.city("Helena")}


def test_a_hoard_is_filled_before_anything_is_claimed_in_peace() -> None:
    at = bench()
    at.hold(red=3, blue=3, green=6)
    at.view["hand_cards"][at.me] = 12
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
    ways.price_by_turns(at.board, at.view, at.seat, at.memory)
    alone, _ = best_deck(at.board, at.view, at.memory, PLENTY)
    at.memory["synergy"] = 1.0
    beside, _ = best_deck(at.board, at.view, at.memory, PLENTY)
    assert beside > alone


def test_tickets_are_worth_more_to_a_wide_network() -> None:
    at = bench()
    ways.price_by_turns(at.board, at.view, at.seat, at.memory)
    before, _ = best_deck(at.board, at.view, at.memory, 20.0)
    ends = ("Seattle", "Helena", "Duluth", "Chicago", "Pittsburgh", "New York", "Boston")
    at.game.give(at.me, *(at.game.route(a, b) for a, b in pairwise(ends)))
    ways.price_by_turns(at.board, at.view, at.seat, at.memory)
    after, _ = best_deck(at.board, at.view, at.memory, 20.0)
    assert after > before + 3


def value_of_keeping(at: Bench, mask: int, turns: float, caution: float) -> float:
    """What the tickets of this mask gain, by the best of all trials, planned for them alone."""
    worth.collect_goals(at.board, at.view, at.memory)
    value = 0.0
    for i, ticket in enumerate(at.view["offered"][: at.view["n_offered"]]):
        if not (mask >> i) & 1:
            continue
        value -= at.view["ticket_tie"][ticket]
        if is_met(at.board, at.view["network"][at.me], ticket):
            value += worth.ticket_gain(at.board, ticket)
        else:
            value -= worth.ticket_loss(at.board, ticket) + caution
            worth.add_ticket(at.board, at.memory, ticket)
    return value + float(best_plan(at.board, at.view, at.memory, turns))


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("turns", [6.0, 12.0, 40.0])
def test_what_is_kept_is_the_best_of_all_masks(edition: str, turns: float) -> None:
    random, at = Random(3), bench(edition)
    for _ in range(10):
        tickets = random.sample(range(len(at.game.edition.tickets)), 6)
        at.view["n_offered"], at.view["n_tickets"], at.view["keep_at_least"] = 4, 2, random.choice([1, 2])
        at.view["offered"][:4], at.view["tickets"][:2] = tickets[:4], tickets[4:]
        at.memory["detour"] = random.choice([0.0, 1.0])
        at.game.give(at.me, int(random.choice(np.flatnonzero(at.view["owner"] < 0)[:40])))
        ways.price_by_turns(at.board, at.view, at.seat, at.memory)
        allowed = [mask for mask in range(16) if mask.bit_count() >= at.view["keep_at_least"]]
        values = {mask: value_of_keeping(at, mask, turns, 1.0) for mask in allowed}
        assert best_mask(at.board, at.view, at.memory, turns, 1.0) == max(values, key=values.__getitem__)

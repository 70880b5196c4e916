"""Ways over a board: as short as networkx finds them."""

from __future__ import annotations

from random import Random

import networkx as nx
import pytest
from pytest import approx

from tests.bots.bot_games import EDITIONS
from tests.bots.planner.skill_bench import Bench, bench, cities
from tests.engine.rig import give
from ttr_sim.bots.planner.citysets import join_free
from ttr_sim.bots.planner.ways import FAR, NOWHERE, find_new_way, find_way, price_by_trains, step_back, use_prices

NO_LOAN = 1e9


def graph_of(at: Bench) -> nx.MultiGraph:
    graph = nx.MultiGraph()
    graph.add_nodes_from(range(len(at.game.edition.cities)))
    for route in at.game.edition.routes:
        graph.add_edge(route.a, route.b, weight=route.length)
    return graph


@pytest.mark.parametrize("edition", EDITIONS)
def test_ways_are_as_short_as_can_be(edition: str) -> None:
    at = bench(edition)
    price_by_trains(at.board, at.view, at.memory, NO_LOAN)
    use_prices(at.board, at.memory)
    shortest = dict(nx.all_pairs_dijkstra_path_length(graph_of(at)))
    for source, distances in shortest.items():
        for target, length in distances.items():
            assert find_way(at.board, at.view, at.memory, cities(source), cities(target), FAR) == target
            assert at.memory["distance"][target] == approx(length)


def test_way_leads_back_to_the_nearest_source() -> None:
    at = bench()
    price_by_trains(at.board, at.view, at.memory, NO_LOAN)
    use_prices(at.board, at.memory)
    start, other = at.city("Seattle"), at.city("Miami")
    city = find_way(at.board, at.view, at.memory, cities(start, other), cities(at.city("Helena")), FAR)
    assert city == at.city("Helena")
    route, before = step_back(at.board, at.memory, city)
    assert (route, before) == (at.route("Seattle", "Helena"), start)
    assert step_back(at.board, at.memory, before)[0] == NOWHERE


def test_closed_routes_lead_nowhere() -> None:
    at = bench()
    at.memory["cost"][:] = FAR
    assert find_way(at.board, at.view, at.memory, cities(at.city("Seattle")), cities(at.city("Helena")), FAR) == NOWHERE


def way_to(at: Bench, end: int) -> list[int]:
    """The routes of the way that cost something, from its end on."""
    routes, (route, city) = [], step_back(at.board, at.memory, end)
    while route != NOWHERE:
        routes.append(route)
        route, city = step_back(at.board, at.memory, city)
    return [route for route in routes if at.memory["cost"][route] > 0]


@pytest.mark.parametrize("edition", EDITIONS)
def test_search_from_either_side_finds_the_same_way(edition: str) -> None:
    random, at = Random(1), bench(edition)
    rows, n_cities = range(len(at.game.edition.routes)), len(at.game.edition.cities)
    give(at.game, int(at.view["seat"]), *random.sample(rows, 8))
    give(at.game, 1 - int(at.view["seat"]), *(row for row in random.sample(rows, 20) if at.view["owner"][row] < 0))
    price_by_trains(at.board, at.view, at.memory, NO_LOAN)
    use_prices(at.board, at.memory)
    join_free(at.board, at.view, at.memory)
    for _ in range(200):
        sources, targets = cities(*random.sample(range(n_cities), 2)), cities(random.randrange(n_cities))
        limit = random.choice([FAR, 12.0])
        end = find_way(at.board, at.view, at.memory, sources, targets, limit)
        found = None if end == NOWHERE else (way_to(at, end), float(at.memory["distance"][end]))
        end = find_new_way(at.board, at.view, at.memory, sources, targets, limit)
        assert found == (None if end == NOWHERE else (way_to(at, end), float(at.memory["distance"][end])))

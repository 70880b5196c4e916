"""Ways over a board: as short as networkx finds them."""

from __future__ import annotations

import networkx as nx
import pytest
from pytest import approx

from tests.bots.bot_games import EDITIONS
from tests.bots.skills.skill_bench import Bench, bench, cities
from ttr_sim.bots.skills.ways import FAR, NOWHERE, find_way, price_by_trains, step_back, use_prices

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
    price_by_trains(at.board, at.view, at.mind, NO_LOAN)
    use_prices(at.board, at.mind)
    shortest = dict(nx.all_pairs_dijkstra_path_length(graph_of(at)))
    for source, distances in shortest.items():
        for target, length in distances.items():
            assert find_way(at.board, at.view, at.mind, cities(source), cities(target), FAR) == target
            assert at.mind["distance"][target] == approx(length)


def test_way_leads_back_to_the_nearest_source() -> None:
    at = bench()
    price_by_trains(at.board, at.view, at.mind, NO_LOAN)
    use_prices(at.board, at.mind)
    start, other = at.city("Seattle"), at.city("Miami")
    city = find_way(at.board, at.view, at.mind, cities(start, other), cities(at.city("Helena")), FAR)
    assert city == at.city("Helena")
    route, before = step_back(at.board, at.mind, city)
    assert (route, before) == (at.route("Seattle", "Helena"), start)
    assert step_back(at.board, at.mind, before)[0] == NOWHERE


def test_closed_routes_lead_nowhere() -> None:
    at = bench()
    at.mind["cost"][:] = FAR
    assert find_way(at.board, at.view, at.mind, cities(at.city("Seattle")), cities(at.city("Helena")), FAR) == NOWHERE

"""Ways over a board, and cities that own routes join, against networkx."""

from __future__ import annotations

from random import Random

import networkx as nx
import pytest
from pytest import approx

from tests.bots.bot_games import EDITIONS
from tests.bots.planner.skill_bench import Bench, bench, cities
from ttr_sim.bots.planner.ways import (
    FAR,
    all_joined,
    are_near,
    find_way,
    join_free,
    price_by_trains,
    use_prices,
)

NO_LOAN = 1e9


def lay_out(at: Bench) -> Bench:
    """Set prices, costs and joined cities for the position as it stands."""
    price_by_trains(at.board, at.view, at.memory, NO_LOAN)
    use_prices(at.board, at.memory)
    join_free(at.board, at.view, at.memory)
    return at


def graph_of(at: Bench) -> nx.MultiGraph:
    graph = nx.MultiGraph()
    graph.add_nodes_from(range(len(at.game.edition.cities)))
    for route in at.game.edition.routes:
        graph.add_edge(route.a, route.b, weight=route.length)
    return graph


@pytest.mark.parametrize("edition", EDITIONS)
def test_ways_are_as_short_as_can_be(edition: str) -> None:
    at = lay_out(bench(edition))
    shortest = dict(nx.all_pairs_dijkstra_path_length(graph_of(at)))
    for source, distances in shortest.items():
        for target, length in distances.items():
            assert find_way(at.board, at.view, at.memory, cities(source), cities(target), FAR) == target
            assert at.memory["distance"][target] == approx(length)


def with_own_routes(edition: str, seed: int) -> tuple[Bench, set[int]]:
    at = bench(edition)
    own = set(Random(seed).sample(range(len(at.game.edition.routes)), 9))
    at.game.give(int(at.view["seat"]), *own)
    return lay_out(at), own


def new_routes_between(at: Bench, own: set[int]) -> dict[int, dict[int, int]]:
    """The fewest routes between two cities, own ones not counted."""
    graph = nx.Graph()
    for row, route in enumerate(at.game.edition.routes):
        cost = min(int(row not in own), graph.get_edge_data(route.a, route.b, {"weight": 1})["weight"])
        graph.add_edge(route.a, route.b, weight=cost)
    return dict(nx.all_pairs_dijkstra_path_length(graph))


@pytest.mark.parametrize("edition", EDITIONS)
def test_cities_are_near_as_networkx_counts(edition: str) -> None:
    at, own = with_own_routes(edition, seed=2)
    for city, others in new_routes_between(at, own).items():
        assert int(all_joined(at.memory, cities(city))) == sum(1 << other for other, n in others.items() if n == 0)
        for other, n in others.items():
            ends = cities(city), cities(other)
            assert are_near(at.board, at.memory, *ends, float(n))
            assert n == 0 or not are_near(at.board, at.memory, *ends, n - 0.1)


def test_a_lent_route_joins_its_cities() -> None:
    at = bench("europe")
    route = at.game.route("Madrid", "Cadiz")
    at.game.give(1 - int(at.view["seat"]), route)
    at.view["station_owner"][at.game.city("Cadiz")] = at.view["seat"]
    lay_out(at)
    assert int(all_joined(at.memory, cities(at.game.city("Madrid")))) == int(
        cities(at.game.city("Madrid"), at.game.city("Cadiz"))
    )

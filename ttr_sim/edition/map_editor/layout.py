"""Places for cities that a file gives no position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ttr_sim.edition.map_editor.format import BOARD
from ttr_sim.edition.map_editor.reading import CityLine, RouteLine


def with_positions(cities: Sequence[CityLine], routes: Sequence[RouteLine], notes: list[str]) -> list[CityLine]:
    """Return the cities with a position each: those without one are pulled into place by their routes."""
    missing = [city.name for city in cities if city.at is None]
    if not missing:
        return list(cities)
    import networkx

    graph = networkx.Graph()
    graph.add_nodes_from(city.name for city in cities)
    graph.add_edges_from((route.source, route.target) for route in routes)
    known = {city.name: city.at for city in cities if city.at is not None}
    middle = (BOARD[0] / 2, BOARD[1] / 2)
    # Cities in place hold the others; without any, the drawing is centered on the editor's board.
    where = {"pos": known, "fixed": list(known)} if known else {"center": middle, "scale": min(middle)}
    found = networkx.spring_layout(graph, seed=1, **where)
    notes.append(f"{len(missing)} of {len(cities)} cities have no position and are placed by their routes.")
    return [_placed(city, found[city.name]) for city in cities]


def _placed(city: CityLine, at: Sequence[float]) -> CityLine:
    return city if city.at is not None else replace(city, at=(round(float(at[0]), 1), round(float(at[1]), 1)))

"""What is shown when a route or city of the map is pointed at."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ttr_sim.analysis.tables import Unit
from ttr_sim.analysis.words import ends
from ttr_sim.edition.canonical import color_name
from ttr_sim.report.numbers import is_missing, players_words, written

if TYPE_CHECKING:
    import pandas as pd

    from ttr_sim.analysis.analysis import Analysis
    from ttr_sim.edition.model import Edition
    from ttr_sim.edition.statics import Statics

MOST_TICKETS = 6  # named for a route
OF_A_ROUTE: tuple[tuple[str, str, Unit], ...] = (
    ("claimed {} %", "claimed", "share"),
    ("fought over {} %", "contention", "share"),
    ("locked out {} %", "denial", "share"),
    ("in round {}", "round", "rounds"),
    ("who takes it wins {} %", "claimer_win_share", "share"),
)


def map_titles(analysis: Analysis, board: Statics) -> Iterator[tuple[str, str]]:
    """Yield what is shown when a route or city is pointed at."""
    routes = _rows_by(analysis.tables["routes"], "route")
    for number, words in enumerate(route_names(analysis.edition)):
        told = [_told(row) for row in routes[number]]
        yield f"route-{number}", "\n".join([words, *told, *_wanted(analysis.edition, board, number)])
    cities = _rows_by(analysis.tables["cities"], "city")
    for number, city in enumerate(analysis.edition.cities):
        told = [
            f"{players_words(row['players'])}: {written(row['claims'], 'number')} claims per game"
            for row in cities[number]
        ]
        for kind in ("city", "name"):
            yield f"{kind}-{number}", "\n".join([city.name, *told])


def _rows_by(table: pd.DataFrame, key: str) -> defaultdict[int, list[dict[Any, Any]]]:
    rows: defaultdict[int, list[dict[Any, Any]]] = defaultdict(list)
    for row in table.to_dict("records"):
        rows[row[key]].append(row)
    return rows


def _told(row: Mapping[Any, Any]) -> str:
    """Write a route's numbers for a player count."""
    known = [words.format(written(row[name], unit)) for words, name, unit in OF_A_ROUTE if not is_missing(row[name])]
    return f"{players_words(row['players'])}: {', '.join(known)}"


def _wanted(edition: Edition, board: Statics, number: int) -> Iterator[str]:
    """Name the tickets whose ways use a route."""
    tickets = [edition.tickets[row] for row, _ in board.tickets_wanting(number)]
    names = [f"{t.a}–{t.b}" if edition.is_race else f"{t.a}–{t.b} ({t.points})" for t in tickets]
    if names:
        more = f" and {len(names) - MOST_TICKETS} more" if len(names) > MOST_TICKETS else ""
        yield f"On the ways of {', '.join(names[:MOST_TICKETS])}{more}"
    else:
        yield "On no ticket's way"


def route_names(edition: Edition) -> list[str]:
    """Write `Atlanta–Miami, blue 5`, with its kind when that is not plain."""
    names = []
    for route in edition.routes:
        kind = "" if route.kind == "plain" else f" {route.kind}"
        words = ends({"from": edition.cities[route.a].name, "to": edition.cities[route.b].name})
        names.append(f"{words}, {color_name(edition, route)} {route.length}{kind}")
    return names

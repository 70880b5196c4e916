"""The measures of a board, one number each: the one list that `show`, `check`, docs and pages go by."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import fsum, hypot
from statistics import fmean

from ttr_sim.edition.model import City, Edition
from ttr_sim.edition.statics.board import CROWDED, NEAR_DUPLICATE, Statics


@dataclass(frozen=True, slots=True)
class Measure:
    """What is measured, in which unit, and how it is taken; None where a board has no such thing."""

    name: str
    definition: str
    unit: str
    file: str  # where a designer would change it
    of: Callable[[Statics], float | None]


def shown(value: float | None, unit: str = "") -> str:
    """Return a value in three digits with its unit, as users read it."""
    return "-" if value is None else f"{value:.3g} {unit}".rstrip()


def _percent(part: float, whole: float) -> float | None:
    return 100 * part / whole if whole else None


def _crowded(board: Statics) -> int:
    return sum(load.crowded for load in board.loads)


def _double_ratio(board: Statics) -> float | None:
    loads = list(zip(board.loads, board.net.connections, strict=True))
    double = [load.tickets for load, connection in loads if len(connection.routes) > 1]
    single = [load.tickets for load, connection in loads if len(connection.routes) == 1]
    return fmean(double) / fmean(single) if double and single and fsum(single) else None


def _worth_their_path(board: Statics) -> float | None:
    if board.edition.is_race:
        return None
    exact = sum(ticket.points == ways.trains for ticket, ways in zip(board.edition.tickets, board.ways, strict=True))
    return _percent(exact, len(board.ways))


def _spread(board: Statics) -> float | None:
    """Return how far ticket ends lie from the middle of the drawing, relative to all places."""
    at = _positions(board.edition)
    middle_x, middle_y = (fmean(axis) for axis in zip(*at.values(), strict=True))
    away = {place: hypot(x - middle_x, y - middle_y) for place, (x, y) in at.items()}
    named = board.tickets_by_place
    ends = sum(named.values())
    if not ends:
        return None
    return _percent(fsum(away[place] * times for place, times in named.items()) / ends, fmean(away.values()))


def _positions(edition: Edition) -> dict[str, tuple[float, float]]:
    """Return where each place is drawn; a country is in the middle of its spots."""
    spots: dict[str, list[City]] = {}
    for city in edition.cities:
        spots.setdefault(city.country or city.name, []).append(city)
    return {place: (fmean(city.x for city in at), fmean(city.y for city in at)) for place, at in spots.items()}


def _spaces(edition: Edition, color: int | None) -> int:
    return sum(route.length for route in edition.routes if route.color == color)


def _spaces_by_color(edition: Edition) -> list[int]:
    return [_spaces(edition, number) for number in range(len(edition.colors))]


def _color_peak(board: Statics) -> float | None:
    spaces = _spaces_by_color(board.edition)
    return max(spaces) / fmean(spaces) if any(spaces) else None


def _cards_per_space(board: Statics) -> float:
    edition = board.edition
    cards = edition.wilds + sum(color.cards for color in edition.colors)
    return cards / sum(route.length for route in edition.routes)


def _scarcest_color(board: Statics) -> float | None:
    colors = zip(board.edition.colors, _spaces_by_color(board.edition), strict=True)
    return min((color.cards / spaces for color, spaces in colors if spaces), default=None)


ROUTES, TICKETS = "routes.csv", "tickets.csv"

MEASURES: tuple[Measure, ...] = (
    Measure(
        "crowded connections",
        f"connections whose load per lane is at least {CROWDED} times the mean of the board",
        "connections",
        ROUTES,
        _crowded,
    ),
    Measure(
        "share of crowded connections",
        "crowded connections among all connections",
        "%",
        ROUTES,
        lambda board: _percent(_crowded(board), len(board.loads)),
    ),
    Measure(
        "load",
        "tickets of a full table expected to want a connection, over its lanes; mean of all connections",
        "tickets per lane",
        ROUTES,
        lambda board: fmean(load.per_lane for load in board.loads),
    ),
    Measure(
        "heaviest load",
        "the highest load per lane of any connection",
        "tickets per lane",
        ROUTES,
        lambda board: max(load.per_lane for load in board.loads),
    ),
    Measure(
        "unneeded connections",
        "connections on no shortest path of any ticket, among all connections",
        "%",
        ROUTES,
        lambda board: _percent(sum(not load.needed for load in board.loads), len(board.loads)),
    ),
    Measure(
        "double to single",
        "mean load of connections of two or more routes (not per lane) over that of single routes",
        "times",
        ROUTES,
        _double_ratio,
    ),
    Measure(
        "bridges",
        "connections whose loss cuts the board in two",
        "connections",
        ROUTES,
        lambda board: len(board.shape.bridges),
    ),
    Measure(
        "cut cities",
        "cities without which others could not reach each other",
        "cities",
        ROUTES,
        lambda board: len(board.shape.cut_cities),
    ),
    Measure(
        "dead ends",
        "cities with one neighbor only",
        "cities",
        ROUTES,
        lambda board: len(board.shape.dead_ends),
    ),
    Measure(
        "regions",
        "groups of two cities up to a third of the board that the rest reaches through one or two cities only",
        "regions",
        ROUTES,
        lambda board: len(board.shape.regions),
    ),
    Measure(
        "worth their path",
        "tickets worth exactly the trains of their shortest path, among all tickets",
        "%",
        TICKETS,
        _worth_their_path,
    ),
    Measure(
        "near-duplicates",
        f"pairs of tickets whose ways have at least {NEAR_DUPLICATE:.0%} of their trains in common, among all pairs",
        "%",
        TICKETS,
        lambda board: _percent(len(board.near_duplicates), len(board.pairs)),
    ),
    Measure(
        "overlap",
        "share of the trains of two tickets' ways that they have in common; mean of all pairs",
        "%",
        TICKETS,
        lambda board: 100 * fmean(pair.overlap for pair in board.pairs) if board.pairs else None,
    ),
    Measure(
        "tickets per place",
        "tickets that name a place, a city or a country; mean of all places",
        "tickets",
        TICKETS,
        lambda board: fmean(board.tickets_by_place.values()),
    ),
    Measure(
        "most at one place",
        "tickets that name the place most often named",
        "tickets",
        TICKETS,
        lambda board: max(board.tickets_by_place.values()),
    ),
    Measure(
        "places without",
        "places that no ticket names, among all places",
        "%",
        TICKETS,
        lambda board: _percent(sum(not n for n in board.tickets_by_place.values()), len(board.tickets_by_place)),
    ),
    Measure(
        "spread",
        "mean distance of ticket ends from the middle of the drawing over that of all places",
        "%",
        TICKETS,
        _spread,
    ),
    Measure(
        "gray spaces",
        "spaces of gray routes among all spaces",
        "%",
        ROUTES,
        lambda board: _percent(_spaces(board.edition, None), sum(route.length for route in board.edition.routes)),
    ),
    Measure(
        "fullest color",
        "spaces of the color with the most spaces over the mean of the colors",
        "times",
        ROUTES,
        _color_peak,
    ),
    Measure(
        "cards per space",
        "train cards, wilds included, over all spaces of the board",
        "cards",
        ROUTES,
        _cards_per_space,
    ),
    Measure(
        "scarcest color",
        "cards of a color over its spaces, for the color where that is lowest",
        "cards",
        ROUTES,
        _scarcest_color,
    ),
)

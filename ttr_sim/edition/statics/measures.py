"""The measures of a board, one number each: the one list behind `show`, `check`, docs and pages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import fsum, hypot
from statistics import fmean

from ttr_sim.edition.load import load_edition, official_names
from ttr_sim.edition.model import City, Edition
from ttr_sim.edition.statics.board import CROWDED, NEAR_DUPLICATE, Statics, statics


@dataclass(frozen=True, slots=True)
class Measure:
    """A number about a board. `of` gives None where it does not apply."""

    name: str
    definition: str
    unit: str
    file: str  # where a designer would change it
    of: Callable[[Statics], float | None]


@dataclass(frozen=True, slots=True)
class ComparedMeasure:
    """A measure of one board, and the lowest and highest of the official ones."""

    measure: Measure
    value: float | None
    low: float | None
    high: float | None

    def beyond(self, share: float) -> bool:
        """Check whether the value lies outside the range by more than a share of its width."""
        if self.value is None or self.low is None or self.high is None:
            return False
        margin = share * (self.high - self.low)
        return not self.low - margin <= self.value <= self.high + margin


def measured(board: Statics, *, among_others: bool = True) -> list[ComparedMeasure]:
    """Compare all measures with the official boards. `among_others`: an official board not with itself."""
    # A variant or renamed copy of an official board is recognized by its content.
    own = board.edition.fingerprint if among_others else ""
    others = [values for fingerprint, values in official_values() if fingerprint != own]
    rows = []
    for number, measure in enumerate(MEASURES):
        known = [value for values in others if (value := values[number]) is not None]
        rows.append(ComparedMeasure(measure, measure.of(board), min(known, default=None), max(known, default=None)))
    return rows


@cache
def official_values() -> tuple[tuple[str, tuple[float | None, ...]], ...]:
    """Fingerprint and measures of each official board."""
    boards = [statics(load_edition(name)) for name in official_names()]
    return tuple((board.edition.fingerprint, tuple(measure.of(board) for measure in MEASURES)) for board in boards)


def shown(value: float | None, unit: str = "") -> str:
    """Format a value in three digits with its unit."""
    return "-" if value is None else f"{value:.3g} {unit}".rstrip()


def _percent(part: float, whole: float) -> float | None:
    return 100 * part / whole if whole else None


def crowded(board: Statics) -> int:
    return sum(load.crowded for load in board.loads)


def double_ratio(board: Statics) -> float | None:
    loads = list(zip(board.loads, board.net.connections, strict=True))
    double = [load.tickets for load, connection in loads if len(connection.routes) > 1]
    single = [load.tickets for load, connection in loads if len(connection.routes) == 1]
    return fmean(double) / fmean(single) if double and single and fsum(single) else None


def worth_their_path(board: Statics) -> float | None:
    if board.edition.is_race:
        return None
    exact = sum(ticket.points == ways.trains for ticket, ways in zip(board.edition.tickets, board.ways, strict=True))
    return _percent(exact, len(board.ways))


def spread(board: Statics) -> float | None:
    """Mean distance of ticket ends from the middle of the drawing, relative to all places."""
    spots: dict[str, list[City]] = {}
    for city in board.edition.cities:
        spots.setdefault(city.country or city.name, []).append(city)
    # A country is in the middle of its spots.
    at = {place: (fmean(city.x for city in here), fmean(city.y for city in here)) for place, here in spots.items()}
    middle_x, middle_y = (fmean(axis) for axis in zip(*at.values(), strict=True))
    away = {place: hypot(x - middle_x, y - middle_y) for place, (x, y) in at.items()}
    named = board.tickets_by_place
    ends = sum(named.values())
    if not ends:
        return None
    return _percent(fsum(away[place] * times for place, times in named.items()) / ends, fmean(away.values()))


def _spaces(edition: Edition) -> int:
    return sum(route.length for route in edition.routes)


def gray_spaces(board: Statics) -> float | None:
    gray = sum(route.length for route in board.edition.routes if route.color is None)
    return _percent(gray, _spaces(board.edition))


def cards_per_space(board: Statics) -> float:
    cards = board.edition.wilds + sum(color.cards for color in board.edition.colors)
    return cards / _spaces(board.edition)


def spaces_by_color(board: Statics) -> list[int]:
    spaces = [0] * len(board.edition.colors)
    for route in board.edition.routes:
        if route.color is not None:
            spaces[route.color] += route.length
    return spaces


def color_peak(board: Statics) -> float | None:
    spaces = spaces_by_color(board)
    return max(spaces) / fmean(spaces) if any(spaces) else None


def scarcest_color(board: Statics) -> float | None:
    colors = zip(board.edition.colors, spaces_by_color(board), strict=True)
    return min((color.cards / spaces for color, spaces in colors if spaces), default=None)


# Where a designer would change a measure.
ROUTES, TICKETS = "routes.csv", "tickets.csv"

DEFINITIONS = {
    "crowded connections": f"connections whose load per lane is at least {CROWDED} times the mean of the board",
    "share of crowded connections": "crowded connections among all connections",
    "load": "tickets of a full table expected to want a connection, over its lanes; mean of all connections",
    "heaviest load": "the highest load per lane of any connection",
    "unneeded connections": "connections on no shortest path of any ticket, among all connections",
    "double to single": "mean load of connections of two or more routes (not per lane) over that of single routes",
    "bridges": "connections whose loss cuts the board in two",
    "cut cities": "cities without which others could not reach each other",
    "dead ends": "cities with one neighbor only",
    "regions": "groups of two cities up to a third of the board that the rest reaches through one or two cities only",
    "worth their path": "tickets worth exactly the trains of their shortest path, among all tickets",
    "near-duplicates": (
        f"pairs of tickets whose ways have at least {NEAR_DUPLICATE:.0%} of their trains in common, among all pairs"
    ),
    "overlap": "share of the trains of two tickets' ways that they have in common; mean of all pairs",
    "tickets per place": "tickets that name a place, a city or a country; mean of all places",
    "most at one place": "tickets that name the place most often named",
    "places without": "places that no ticket names, among all places",
    "spread": "mean distance of ticket ends from the middle of the drawing over that of all places",
    "gray spaces": "spaces of gray routes among all spaces",
    "fullest color": "spaces of the color with the most spaces over the mean of the colors",
    "cards per space": "train cards, wilds included, over all spaces of the board",
    "scarcest color": "cards of a color over its spaces, for the color where that is lowest",
}

# Name, unit, file and function of each measure.
_TABLE: tuple[tuple[str, str, str, Callable[[Statics], float | None]], ...] = (
    ("crowded connections", "connections", ROUTES, crowded),
    ("share of crowded connections", "%", ROUTES, lambda board: _percent(crowded(board), len(board.loads))),
    ("load", "tickets per lane", ROUTES, lambda board: fmean(load.per_lane for load in board.loads)),
    ("heaviest load", "tickets per lane", ROUTES, lambda board: max(load.per_lane for load in board.loads)),
    (
        "unneeded connections",
        "%",
        ROUTES,
        lambda board: _percent(sum(not load.needed for load in board.loads), len(board.loads)),
    ),
    ("double to single", "times", ROUTES, double_ratio),
    ("bridges", "connections", ROUTES, lambda board: len(board.shape.bridges)),
    ("cut cities", "cities", ROUTES, lambda board: len(board.shape.cut_cities)),
    ("dead ends", "cities", ROUTES, lambda board: len(board.shape.dead_ends)),
    ("regions", "regions", ROUTES, lambda board: len(board.shape.regions)),
    ("worth their path", "%", TICKETS, worth_their_path),
    ("near-duplicates", "%", TICKETS, lambda board: _percent(len(board.near_duplicates), len(board.pairs))),
    ("overlap", "%", TICKETS, lambda board: 100 * fmean(pair.overlap for pair in board.pairs) if board.pairs else None),
    ("tickets per place", "tickets", TICKETS, lambda board: fmean(board.tickets_by_place.values())),
    ("most at one place", "tickets", TICKETS, lambda board: max(board.tickets_by_place.values())),
    (
        "places without",
        "%",
        TICKETS,
        lambda board: _percent(sum(not n for n in board.tickets_by_place.values()), len(board.tickets_by_place)),
    ),
    ("spread", "%", TICKETS, spread),
    ("gray spaces", "%", ROUTES, gray_spaces),
    ("fullest color", "times", ROUTES, color_peak),
    ("cards per space", "cards", ROUTES, cards_per_space),
    ("scarcest color", "cards", ROUTES, scarcest_color),
)
MEASURES = tuple(Measure(name, DEFINITIONS[name], unit, file, of) for name, unit, file, of in _TABLE)

"""Write an edition as the editor's three tables."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path

from ttr_sim.edition.map_editor.format import BOARD, COLORS, FORMULA, LONG, ROUTES, SAME_COLOR, STOPS, TICKETS
from ttr_sim.edition.model import Edition, Ticket
from ttr_sim.edition.statics.network import RouteNetwork, network
from ttr_sim.errors import UserError

Rows = Iterable[Sequence[object]]


def export_map(edition: Edition, folder: Path) -> list[str]:
    """Write stops.csv, routes.csv and tickets.csv, and return in sentences what they cannot hold."""
    tables = {STOPS: _stops(edition), ROUTES: _routes(edition), TICKETS: _tickets(edition)}
    paths = {kind: folder / f"{kind}.csv" for kind in tables}
    for path in paths.values() if folder.is_dir() else [folder]:
        if path.exists() or path.is_symlink():
            raise UserError(f"{path} already exists and is not overwritten; choose another folder with --out")
    folder.mkdir(parents=True, exist_ok=True)
    for kind, rows in tables.items():
        # As the editor writes them: a byte-order mark, so that Excel reads é, and lines that end as on Windows.
        paths[kind].write_bytes(_csv(rows).encode("utf-8-sig"))
    return list(_not_held(edition))


def _csv(rows: Rows) -> str:
    text = io.StringIO()
    csv.writer(text).writerows([_cell(value) for value in row] for row in rows)
    return text.getvalue()


def _cell(value: object) -> str:
    """Return a cell that no spreadsheet takes for a formula; numbers stay as they are."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else str(value)


def _stops(edition: Edition) -> Rows:
    yield ("Name", "Type", "X", "Y")
    for city in edition.cities:
        yield (city.name, "Regular", city.x, city.y)


def _routes(edition: Edition) -> Rows:
    yield ("From", "To", "Length", "Colour", "Type", "Wagon style", "Locomotives")
    for route in edition.routes:
        ends = (edition.cities[route.a].name, edition.cities[route.b].name)
        color = "Grey" if route.color is None else _color(edition.colors[route.color].name, edition)
        boat, style = "Boat" if route.kind == "ferry" else "Railway", "Tunnel" if route.kind == "tunnel" else ""
        yield (*ends, route.length, color, boat, style, route.locomotives)


def _color(name: str, edition: Edition) -> str:
    """Return the editor's name of a color, if it has one."""
    both = {"pink", "purple"} <= {color.name.casefold() for color in edition.colors}
    known = name if both else {"pink": SAME_COLOR["pink"]}.get(name.casefold(), name)
    return known.capitalize() if known.casefold() in COLORS else name


def _tickets(edition: Edition) -> Rows:
    yield ("Deck", "From", "To", "Points", "Long deck")
    net = network(edition)
    labels = _labels(edition)
    for ticket in edition.tickets:
        long = edition.decks[ticket.deck].name.casefold() == LONG
        yield (labels[ticket.deck], *_ends(net, ticket), ticket.points, "yes" if long else "")


def _labels(edition: Edition) -> list[str]:
    """Return the editor's deck for each deck: one for all where the only other is the long one."""
    others = [deck.name for deck in edition.decks if deck.name.casefold() != LONG]
    return [others[0] if len(others) == 1 else deck.name for deck in edition.decks]


def _ends(net: RouteNetwork, ticket: Ticket) -> tuple[str, str]:
    """Return the stops of a ticket; for a country its spot nearest to the other end."""
    pairs = ((net.distances[a][b], a, b) for a in ticket.a_cities for b in ticket.b_cities)
    _, a, b = min(pairs)
    return net.name(a), net.name(b)


def _not_held(edition: Edition) -> Iterable[str]:
    yield from _not_held_of_map(edition)
    yield f"The editor's files hold no rules: to read them back, add --from {edition.name} for its edition.toml."


def _not_held_of_map(edition: Edition) -> Iterable[str]:
    countries = {city.country for city in edition.cities if city.country}
    if countries:
        yield (
            f"The editor knows no countries: the spots of {', '.join(sorted(countries))} become separate stops, "
            "and a ticket to a country names the nearest of them."
        )
    carts = sum(route.merchandise for route in edition.routes)
    for count, words in (
        (sum(city.passengers for city in edition.cities), "passengers of cities"),
        (sum(city.region is not None for city in edition.cities), "regions of cities"),
        (carts, "merchandise symbols of routes"),
    ):
        if count:
            yield f"The editor has no place for {words}: {count} are left out."
    labels = set(_labels(edition))
    if len(labels) > 1:
        yield f"The editor takes decks for alternatives of which one is played: {', '.join(sorted(labels))}."
    strange = [color.name for color in edition.colors if _color(color.name, edition).casefold() not in COLORS]
    if strange:
        yield f"The editor makes routes gray that have a color it does not know: {', '.join(strange)}."
    if any(not (0 <= city.x <= BOARD[0] and 0 <= city.y <= BOARD[1]) for city in edition.cities):
        yield "Some cities lie beyond the editor's board, so it will scale the drawing to fit."

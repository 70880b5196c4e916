"""Write an edition as the three tables of the map editor."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from ttr_sim.edition.map_editor import BOARD, COLORS, FORMULA, LONG, ROUTES, SAME_COLOR, STOPS, TICKETS
from ttr_sim.edition.model import Edition
from ttr_sim.edition.network import distances
from ttr_sim.errors import UserError


def export_map(edition: Edition, folder: Path) -> list[str]:
    """Write stops.csv, routes.csv and tickets.csv. Sentences name all that they cannot hold."""
    names = [city.name for city in edition.cities]
    stops: list[tuple[object, ...]] = [("Name", "Type", "X", "Y")]
    stops += [(city.name, "Regular", city.x, city.y) for city in edition.cities]
    routes: list[tuple[object, ...]] = [("From", "To", "Length", "Colour", "Type", "Wagon style", "Locomotives")]
    for route in edition.routes:
        color = "Grey" if route.color is None else _color(edition.colors[route.color].name, edition)
        boat, style = "Boat" if route.kind == "ferry" else "Railway", "Tunnel" if route.kind == "tunnel" else ""
        routes.append((names[route.a], names[route.b], route.length, color, boat, style, route.locomotives))
    tickets: list[tuple[object, ...]] = [("Deck", "From", "To", "Points", "Long deck")]
    labels, trains = _deck_labels(edition), distances(edition)
    for ticket in edition.tickets:
        # For a country, its spot nearest to the other end.
        _, a, b = min((trains[a][b], a, b) for a in ticket.a_cities for b in ticket.b_cities)
        long = edition.decks[ticket.deck].name.casefold() == LONG
        tickets.append((labels[ticket.deck], names[a], names[b], ticket.points, "yes" if long else ""))

    tables = {folder / f"{kind}.csv": rows for kind, rows in ((STOPS, stops), (ROUTES, routes), (TICKETS, tickets))}
    for path in tables if folder.is_dir() else [folder]:
        if path.exists() or path.is_symlink():
            raise UserError(f"{path} already exists and is not overwritten; choose another folder with --out")
    folder.mkdir(parents=True, exist_ok=True)
    for path, rows in tables.items():
        text = io.StringIO()
        writer = csv.writer(text)
        for row in rows:
            # No spreadsheet shall take a name for a formula; numbers stay as they are.
            guarded = [isinstance(value, str) and value.startswith(FORMULA) for value in row]
            writer.writerow([f"'{value}" if guard else str(value) for value, guard in zip(row, guarded, strict=True)])
        # As the editor writes them: a byte-order mark, so that Excel reads é, and lines that end as on Windows.
        path.write_bytes(text.getvalue().encode("utf-8-sig"))
    return list(_losses(edition))


def _color(name: str, edition: Edition) -> str:
    """Translate a color into the editor's, if it has it."""
    has_both = {"pink", "purple"} <= {color.name.casefold() for color in edition.colors}
    known = SAME_COLOR["pink"] if name.casefold() == "pink" and not has_both else name
    return known.capitalize() if known.casefold() in COLORS else name


def _deck_labels(edition: Edition) -> list[str]:
    """The editor's deck for each deck: one for all where the only other is the long one."""
    others = [deck.name for deck in edition.decks if deck.name.casefold() != LONG]
    return [others[0] if len(others) == 1 else deck.name for deck in edition.decks]


def _losses(edition: Edition) -> Iterator[str]:
    countries = {city.country for city in edition.cities if city.country}
    if countries:
        yield (
            f"The editor knows no countries: the spots of {', '.join(sorted(countries))} become separate stops, "
            "and a ticket to a country names the nearest of them."
        )
    counts = {
        "passengers of cities": sum(city.passengers for city in edition.cities),
        "regions of cities": sum(city.region is not None for city in edition.cities),
        "merchandise symbols of routes": sum(route.merchandise for route in edition.routes),
    }
    for words, count in counts.items():
        if count:
            yield f"The editor has no place for {words}: {count} are left out."
    labels = set(_deck_labels(edition))
    if len(labels) > 1:
        yield f"The editor takes decks for alternatives of which one is played: {', '.join(sorted(labels))}."
    unknown = [color.name for color in edition.colors if _color(color.name, edition).casefold() not in COLORS]
    if unknown:
        yield f"The editor makes routes gray that have a color it does not know: {', '.join(unknown)}."
    if any(not (0 <= city.x <= BOARD[0] and 0 <= city.y <= BOARD[1]) for city in edition.cities):
        yield "Some cities lie beyond the editor's board, so it will scale the drawing to fit."
    yield f"The editor's files hold no rules: to read them back, add --from {edition.name} for its edition.toml."

"""`ttr-sim show`: print the numbers of a board and draw it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from ttr_sim.cli.completion import editions
from ttr_sim.cli.options import force_option, json_option
from ttr_sim.cli.show_statics import json_of_statics, text_of_statics
from ttr_sim.cli.text import aligned, paragraph
from ttr_sim.edition import Edition, load_edition
from ttr_sim.edition.describe import BoardSize, ColorFacts, Description, describe
from ttr_sim.edition.statics import measured, statics
from ttr_sim.report.board import check_image, draw_board
from ttr_sim.report.folder import own_file

TOP = 12  # rows in the tables of cities and routes


@click.command(epilog="Example: ttr-sim show europe --out europe.svg")
@click.argument("edition", shell_complete=editions)
@click.option("--out", type=click.Path(path_type=Path), help="Draw the board to this .png or .svg file.")
@force_option
@json_option
def command(edition: str, out: Path | None, force: bool, as_json: bool) -> None:
    """Show the numbers of a board. EDITION is a name or a folder."""
    if out is not None:
        check_image(out)
    loaded = load_edition(edition)
    description, board = describe(loaded), statics(loaded)
    rows = measured(board)
    if as_json:
        shown = {**_as_json(loaded, description), "statics": json_of_statics(board, rows)}
        click.echo(json.dumps(shown, ensure_ascii=False, indent=2))
    else:
        click.echo("\n\n".join([*_sections(loaded, description), *text_of_statics(board, rows)]))
    if out is not None:
        with own_file(out, loaded.name, force) as file:
            draw_board(loaded, file)
        click.echo(f"Drew the board to {out}.", err=True)


def _as_json(edition: Edition, description: Description) -> dict[str, Any]:
    names = ("name", "title", "provenance", "fingerprint", "trains", "players")
    about = {name: getattr(edition, name) for name in names}
    return {**about, "folder": str(edition.folder), **asdict(description, dict_factory=_with_ends)}


def _with_ends(fields: list[tuple[str, Any]]) -> dict[str, Any]:
    """Name the ends as the CSV files do, with words that Python reserves."""
    return {{"source": "from", "target": "to"}.get(name, name): value for name, value in fields}


def _sections(edition: Edition, description: Description) -> Iterator[str]:
    low, high = edition.players
    yield f"{edition.title}: {low} to {high} players, {edition.trains} trains each (fingerprint {edition.fingerprint})"
    if edition.provenance:
        yield paragraph(edition.provenance)
    yield _size(description.size)
    yield _colors(description.colors)
    yield "Tickets by deck\n" + aligned(
        ("deck", "tickets", "points", "lowest", "highest", "mean"),
        [(row.deck, row.tickets, row.points, row.lowest, row.highest, row.mean) for row in description.decks],
    )
    yield _off_their_path(edition, description)
    yield _cities(description)
    yield _routes(description)


def _size(size: BoardSize) -> str:
    """List each count on its own line, and only what the board has."""
    counts = (
        (size.cities, "cities"),
        (size.spots, f"spots of {size.countries} countries"),
        (size.routes, f"routes in {size.groups} groups ({size.doubles} double, {size.triples} triple)"),
        (size.spaces, "spaces"),
        (size.tunnels, "tunnels"),
        (size.ferries, f"ferries with {size.locomotives} locomotives"),
        (size.merchandise, "routes that earn merchandise"),
        (size.passengers, "passengers"),
        (size.tickets, f"tickets worth {size.ticket_points} points"),
    )
    lines = [f"{count:>5} {words}" for count, words in counts if count]
    far = f"{size.diameter:>5} trains between the two cities farthest apart"
    return "\n".join([*lines, f"{size.parts:>5} unconnected parts" if size.parts > 1 else far])


def _colors(rows: Sequence[ColorFacts]) -> str:
    lengths = sorted({length for row in rows for length in row.by_length})
    return "Routes by color and length\n" + aligned(
        ("color", "cards", "routes", "spaces", *(f"of {length}" for length in lengths)),
        [(row.color, row.cards, row.routes, row.spaces, *(row.by_length.get(n, 0) for n in lengths)) for row in rows],
    )


def _off_their_path(edition: Edition, description: Description) -> str:
    """List the tickets whose points differ from the length of their shortest path."""
    if edition.is_race:
        lengths = sorted(row.trains for row in description.tickets if row.trains is not None)
        return f"Shortest paths of the tickets: {lengths[0]} to {lengths[-1]} trains" if lengths else "No tickets"
    off = [row for row in description.tickets if row.points != row.trains]
    if not off:
        return f"All {len(description.tickets)} tickets are worth the length of their shortest path."
    return "Tickets not worth the length of their shortest path\n" + aligned(
        ("from", "to", "deck", "points", "trains"),
        [(row.source, row.target, row.deck, row.points, row.trains) for row in off],
    )


def _cities(description: Description) -> str:
    names = [row.city for row in description.cities if row.articulation]
    first = paragraph(f"Cities that hold the board together: {', '.join(names) or 'none'}", "", "  ")
    top = sorted(description.cities, key=lambda row: (-row.betweenness, row.city))[:TOP]
    return f"{first}\n\nThe {len(top)} cities that most shortest paths run through\n" + aligned(
        ("city", "routes", "neighbors", "tickets", "betweenness"),
        [(row.city, row.routes, row.neighbors, row.tickets, row.betweenness) for row in top],
    )


def _routes(description: Description) -> str:
    unused = sum(row.tickets == 0 for row in description.routes)
    top = sorted(description.routes, key=lambda row: (-row.tickets, row.source, row.target, row.color))[:TOP]
    return f"The {len(top)} routes on the most tickets' shortest paths ({unused} routes are on none)\n" + aligned(
        ("from", "to", "length", "color", "kind", "tickets"),
        [(row.source, row.target, row.length, row.color, row.kind, row.tickets) for row in top],
    )

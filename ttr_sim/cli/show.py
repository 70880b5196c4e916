"""`ttr-sim show`: print the numbers of a board and draw it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from ttr_sim.cli.completion import editions
from ttr_sim.cli.options import force_option, json_option
from ttr_sim.cli.show_statics import json_of_statics, text_of_statics
from ttr_sim.cli.text import aligned, paragraph
from ttr_sim.edition import Edition, load_edition
from ttr_sim.edition.describe import Facts, describe
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


def _as_json(edition: Edition, description: Facts) -> dict[str, Any]:
    names = ("name", "title", "provenance", "fingerprint", "trains", "players")
    about = {name: getattr(edition, name) for name in names}
    return {**about, "folder": str(edition.folder), **description}


def _sections(edition: Edition, description: Facts) -> Iterator[str]:
    low, high = edition.players
    yield f"{edition.title}: {low} to {high} players, {edition.trains} trains each (fingerprint {edition.fingerprint})"
    if edition.provenance:
        yield paragraph(edition.provenance)
    yield _size(description["size"])
    yield _colors(description["colors"])
    columns = ("deck", "tickets", "points", "lowest", "highest", "mean")
    yield _table("Tickets by deck", columns, description["decks"])
    yield _off_their_path(edition, description["tickets"])
    yield _cities(description["cities"])
    yield _routes(description["routes"])


def _table(title: str, columns: Sequence[str], rows: Sequence[Facts]) -> str:
    return f"{title}\n" + aligned(columns, [[row[column] for column in columns] for row in rows])


def _size(size: Facts) -> str:
    """List each count on its own line, and only those the board has."""
    sentences = {
        "cities": "cities",
        "spots": "spots of {countries} countries",
        "routes": "routes in {groups} groups ({doubles} double, {triples} triple)",
        "spaces": "spaces",
        "tunnels": "tunnels",
        "ferries": "ferries with {locomotives} locomotives",
        "merchandise": "routes that earn merchandise",
        "passengers": "passengers",
        "tickets": "tickets worth {ticket_points} points",
    }
    if size["parts"] > 1:
        sentences["parts"] = "unconnected parts"
    else:
        sentences["diameter"] = "trains between the two cities farthest apart"
    return "\n".join(f"{size[key]:>5} {words.format(**size)}" for key, words in sentences.items() if size[key])


def _colors(rows: Sequence[Facts]) -> str:
    lengths = sorted({length for row in rows for length in row["by_length"]})
    columns = ("color", "cards", "routes", "spaces")
    return "Routes by color and length\n" + aligned(
        (*columns, *(f"of {length}" for length in lengths)),
        [(*(row[column] for column in columns), *(row["by_length"].get(n, 0) for n in lengths)) for row in rows],
    )


def _off_their_path(edition: Edition, tickets: Sequence[Facts]) -> str:
    """List the tickets whose points differ from the length of their shortest path."""
    if edition.is_race:
        lengths = sorted(row["trains"] for row in tickets if row["trains"] is not None)
        return f"Shortest paths of the tickets: {lengths[0]} to {lengths[-1]} trains" if lengths else "No tickets"
    off = [row for row in tickets if row["points"] != row["trains"]]
    if not off:
        return f"All {len(tickets)} tickets are worth the length of their shortest path."
    title = "Tickets not worth the length of their shortest path"
    return _table(title, ("from", "to", "deck", "points", "trains"), off)


def _cities(cities: Sequence[Facts]) -> str:
    names = [row["city"] for row in cities if row["articulation"]]
    first = paragraph(f"Cities that hold the board together: {', '.join(names) or 'none'}", "", "  ")
    top = sorted(cities, key=lambda row: (-row["betweenness"], row["city"]))[:TOP]
    title = f"The {len(top)} cities that most shortest paths run through"
    return f"{first}\n\n" + _table(title, ("city", "routes", "neighbors", "tickets", "betweenness"), top)


def _routes(routes: Sequence[Facts]) -> str:
    unused = sum(row["tickets"] == 0 for row in routes)
    top = sorted(routes, key=lambda row: (-row["tickets"], row["from"], row["to"], row["color"]))[:TOP]
    title = f"The {len(top)} routes on the most tickets' shortest paths ({unused} routes are on none)"
    return _table(title, ("from", "to", "length", "color", "kind", "tickets"), top)

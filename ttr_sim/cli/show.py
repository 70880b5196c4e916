"""`ttr-sim show`: print the numbers of a board, before anyone plays, and draw it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from ttr_sim.cli.options import complete_editions, force_option, json_option
from ttr_sim.cli.output import aligned, paragraph, print_json
from ttr_sim.edition import Edition, load_edition
from ttr_sim.edition.describe import Facts, describe
from ttr_sim.edition.statics import ComparedMeasure, Statics, measured, shown, statics
from ttr_sim.report.board import check_image, draw_board
from ttr_sim.report.folder import own_file

TOP = 12  # rows in the tables of cities, routes, connections and tickets


@click.command(epilog="Example: ttr-sim show europe --out europe.svg")
@click.argument("edition", shell_complete=complete_editions)
@click.option("--out", type=click.Path(path_type=Path), help="Draw the board to this .png or .svg file.")
@force_option
@json_option
def command(edition: str, out: Path | None, force: bool, as_json: bool) -> None:
    """Show the numbers of a board. EDITION is a name or a folder."""
    if out is not None:
        check_image(out)
    loaded = load_edition(edition)
    description, board = describe(loaded), statics(loaded)
    measures = measured(board)
    if as_json:
        names = ("name", "title", "provenance", "fingerprint", "trains", "players")
        about = {name: getattr(loaded, name) for name in names} | {"folder": str(loaded.folder)}
        print_json({**about, **description, "statics": _statics_object(board, measures)}, indent=2)
    else:
        click.echo("\n\n".join([*_sections(loaded, description), *_statics_sections(board, measures)]))
    if out is not None:
        with own_file(out, loaded.name, force) as file:
            draw_board(loaded, file)
        click.echo(f"Drew the board to {out}.", err=True)


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


def _statics_sections(board: Statics, measures: list[ComparedMeasure]) -> Iterator[str]:
    """Write the measures beside the official boards, and the places they come from."""
    players = board.edition.players[1]
    yield f"Before anyone plays, with {players} players and the tickets that setup deals\n" + aligned(
        ("measure", "value", "official boards", "in"),
        [
            (row.measure.name, shown(row.value), f"{shown(row.low)} to {shown(row.high)}", row.measure.unit)
            for row in measures
        ],
    )
    name, shape = board.net.name, board.shape
    lines = (
        (
            "Connections whose loss cuts the board in two",
            ["–".join(_ends(board, number).values()) for number in shape.bridges],
        ),
        ("Dead ends", [name(city) for city in shape.dead_ends]),
        ("Regions reached through one or two cities", [", ".join(map(name, region)) for region in shape.regions]),
    )
    yield "\n".join(paragraph(f"{words}: {'; '.join(found) or 'none'}", "", "  ") for words, found in lines)
    rows = []
    for number, load in sorted(enumerate(board.loads), key=lambda load: -load[1].per_lane)[:TOP]:
        connection, ends = board.net.connections[number], _ends(board, number).values()
        crowded = "crowded" if load.crowded else ""
        rows.append((*ends, connection.length, connection.lanes, load.tickets, load.per_lane, crowded))
    yield f"The {len(rows)} connections with the highest load per lane\n" + aligned(
        ("from", "to", "length", "lanes", "tickets", "per lane", ""), rows
    )
    yield _near_duplicates(board)


def _near_duplicates(board: Statics) -> str:
    pairs, tickets = board.near_duplicates, board.edition.tickets
    if not pairs:
        return "No two tickets want nearly the same routes."
    rows = []
    for pair in pairs[:TOP]:
        first, second = tickets[pair.first], tickets[pair.second]
        rows.append((f"{first.a}–{first.b}", f"{second.a}–{second.b}", f"{100 * pair.overlap:.0f} %"))
    heading = f"Pairs of tickets that want nearly the same routes: the {len(rows)} most alike of {len(pairs)}"
    return heading + "\n" + aligned(("ticket", "ticket", "in common"), rows)


def _statics_object(board: Statics, measures: list[ComparedMeasure]) -> dict[str, Any]:
    """Give the same to scripts, with every connection and every near-duplicate."""
    name, shape = board.net.name, board.shape
    connections = []
    for number, (connection, load) in enumerate(zip(board.net.connections, board.loads, strict=True)):
        entry: dict[str, Any] = {**_ends(board, number), "length": connection.length, "lanes": connection.lanes}
        entry |= {what: getattr(load, what) for what in ("tickets", "per_lane", "crowded", "needed")}
        connections.append(entry)

    def ticket(row: int) -> dict[str, str]:
        found = board.edition.tickets[row]
        return {"from": found.a, "to": found.b, "deck": board.edition.decks[found.deck].name}

    return {
        "measures": [
            {
                **{about: getattr(row.measure, about) for about in ("name", "definition", "unit")},
                "value": row.value,
                "official": [row.low, row.high],
            }
            for row in measures
        ],
        "connections": connections,
        "bridges": [_ends(board, number) for number in shape.bridges],
        "cut_cities": [name(city) for city in shape.cut_cities],
        "dead_ends": [name(city) for city in shape.dead_ends],
        "regions": [[name(city) for city in region] for region in shape.regions],
        "tickets_by_place": dict(board.tickets_by_place),
        "near_duplicates": [
            {"tickets": [ticket(pair.first), ticket(pair.second)], "overlap": pair.overlap}
            for pair in board.near_duplicates
        ],
    }


def _ends(board: Statics, number: int) -> dict[str, str]:
    connection = board.net.connections[number]
    return {"from": board.net.name(connection.a), "to": board.net.name(connection.b)}

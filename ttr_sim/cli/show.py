"""`ttr-sim show`: print the numbers of a board, before anyone plays, and draw it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from ttr_sim.cli import options
from ttr_sim.cli.output import aligned, paragraph, print_json
from ttr_sim.edition import Edition, load_edition
from ttr_sim.edition.statics import Facts, Statics, describe, measured, shown, statics
from ttr_sim.report.board import IMAGE_TYPES, draw_board
from ttr_sim.report.folder import check_file, own_file

TOP = 12  # rows in the tables of cities, routes, connections and tickets
SIZES = {
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


@options.command(epilog="Example: ttr-sim show europe --out europe.svg")
@click.argument("edition", required=False, shell_complete=options.complete_editions, callback=options.as_known)
@options.out("Draw the board to this .png or .svg file.", cls=click.Option)
@options.force
@options.json
def show_command(edition: str | None, out: Path | None, force: bool, as_json: bool) -> None:
    """Show the numbers of a board. EDITION is a name or a folder; without it, list the editions."""
    if edition is None:
        if out is not None:
            raise click.UsageError("--out draws a board; name its EDITION")
        from ttr_sim.cli.editions import list_editions

        list_editions(as_json)
        return
    if out is not None:
        check_file(out, "draw to", IMAGE_TYPES)
    loaded = load_edition(edition)
    if out is not None:
        with own_file(out, loaded.name, force) as file:
            draw_board(loaded, file)
        click.echo(f"Drew the board to {out}.", err=True)
    description, board = describe(loaded), statics(loaded)
    facts = _statics_facts(board)
    if as_json:
        names = ("name", "title", "provenance", "fingerprint", "trains", "players")
        about = {name: getattr(loaded, name) for name in names} | {"folder": str(loaded.folder)}
        print_json({**about, **description, "statics": facts}, indent=2)
    else:
        from ttr_sim.cli.verdict import print_lines

        heading, *sections = _sections(loaded, description)
        compared, *places = _statics_sections(loaded, facts)
        print_lines("\n\n".join([heading, compared, *sections, *places]).splitlines())


def _sections(edition: Edition, facts: Facts) -> Iterator[str]:
    """Write a section for each subject of the board."""
    low, high = edition.players
    yield (
        f"{edition.title} · {len(edition.routes)} routes · {len(edition.tickets)} tickets · {edition.trains} trains · "
        f"{low}–{high} players"
    )
    if edition.provenance:
        yield paragraph(edition.provenance)
    size = facts["size"]
    is_whole = size["parts"] == 1
    last = {"diameter": "trains between the two cities farthest apart"} if is_whole else {"parts": "unconnected parts"}
    # A feature that the board lacks has no line.
    yield "\n".join(f"{size[key]:>5} {words.format(**size)}" for key, words in (SIZES | last).items() if size[key])
    colors = facts["colors"]
    lengths = sorted({length for row in colors for length in row["by_length"]})
    columns = ("color", "cards", "routes", "spaces")
    rows = [(*(row[column] for column in columns), *(row["by_length"].get(n, 0) for n in lengths)) for row in colors]
    yield "Routes by color and length\n" + aligned((*columns, *(f"of {length}" for length in lengths)), rows)
    yield _table("Tickets by deck", ("deck", "tickets", "points", "lowest", "highest", "mean"), facts["decks"])
    yield _off_their_path(edition, facts["tickets"])
    cities, routes = facts["cities"], facts["routes"]
    names = [row["city"] for row in cities if row["articulation"]]
    yield paragraph(f"Cities that hold the board together: {', '.join(names) or 'none'}", "", "  ")
    top = sorted(cities, key=lambda row: (-row["betweenness"], row["city"]))[:TOP]
    title = f"The {len(top)} cities that most shortest paths run through"
    yield _table(title, ("city", "routes", "neighbors", "tickets", "betweenness"), top)
    unused = sum(row["tickets"] == 0 for row in routes)
    top = sorted(routes, key=lambda row: (-row["tickets"], row["from"], row["to"], row["color"]))[:TOP]
    title = f"The {len(top)} routes on the most tickets' shortest paths ({unused} routes are on none)"
    yield _table(title, ("from", "to", "length", "color", "kind", "tickets"), top)


def _table(title: str, columns: Sequence[str], rows: Sequence[Facts]) -> str:
    return f"{title}\n" + aligned(columns, [[row[column] for column in columns] for row in rows])


def _off_their_path(edition: Edition, tickets: Sequence[Facts]) -> str:
    """List tickets with other points than the length of their shortest path."""
    if edition.is_race:
        lengths = sorted(row["trains"] for row in tickets if row["trains"] is not None)
        return f"Shortest paths of the tickets: {lengths[0]} to {lengths[-1]} trains" if lengths else "No tickets"
    off = [row for row in tickets if row["points"] != row["trains"]]
    if not off:
        return f"All {len(tickets)} tickets are worth the length of their shortest path."
    title = "Tickets not worth the length of their shortest path"
    return _table(title, ("from", "to", "deck", "points", "trains"), off)


def _statics_sections(edition: Edition, facts: Facts) -> Iterator[str]:
    """Compare the measures with the official boards, and name the places they come from."""
    rows: list[tuple[object, ...]] = []
    for row in facts["measures"]:
        low, high = row["official"]
        is_usual = None in (low, high, row["value"]) or low <= row["value"] <= high
        state = " " if is_usual else "!"
        rows.append((state, row["name"], shown(row["value"]), f"{shown(low)} to {shown(high)}", row["unit"]))
    title = f"Before anyone plays, with {edition.players[1]} players and the tickets that setup deals"
    odd = sum(row[0] == "!" for row in rows)
    legend = (
        f"{len(rows) - odd} of {len(rows)} measures as on official boards{', ! outside of their range' * bool(odd)}"
    )
    yield f"{title}\n{legend}\n" + aligned(("", "measure", "value", "official boards", "in"), rows)
    places = {
        "Connections whose loss cuts the board in two": ["–".join(ends.values()) for ends in facts["bridges"]],
        "Dead ends": facts["dead_ends"],
        "Regions reached through one or two cities": [", ".join(region) for region in facts["regions"]],
    }
    yield "\n".join(paragraph(f"{name}: {'; '.join(found) or 'none'}", "", "  ") for name, found in places.items())
    columns = ("from", "to", "length", "lanes", "tickets", "per_lane")
    top = sorted(facts["connections"], key=lambda row: -row["per_lane"])[:TOP]
    rows = [(*(row[column] for column in columns), "crowded" if row["crowded"] else "") for row in top]
    headings = (*columns[:-1], "per lane", "")
    yield f"The {len(top)} connections with the highest load per lane\n" + aligned(headings, rows)
    pairs = facts["near_duplicates"]
    if not pairs:
        yield "No two tickets want nearly the same routes."
        return
    rows = []
    for pair in pairs[:TOP]:
        first, second = (f"{ticket['from']}–{ticket['to']}" for ticket in pair["tickets"])
        rows.append((first, second, f"{100 * pair['overlap']:.0f} %"))
    title = f"Pairs of tickets that want nearly the same routes: the {len(rows)} most alike of {len(pairs)}"
    yield f"{title}\n" + aligned(("ticket", "ticket", "in common"), rows)


def _statics_facts(board: Statics) -> Facts:
    """List all measures and places of the board before anyone plays, as in --json."""
    net, shape, tickets = board.net, board.shape, board.edition.tickets
    ends = [{"from": net.name(connection.a), "to": net.name(connection.b)} for connection in net.connections]

    def ticket(row: int) -> dict[str, str]:
        found = tickets[row]
        return {"from": found.a, "to": found.b, "deck": board.edition.decks[found.deck].name}

    measures = []
    for row in measured(board):
        about = {"name": row.measure.name, "definition": row.measure.definition, "unit": row.measure.unit}
        measures.append({**about, "value": row.value, "official": [row.low, row.high]})
    connections = []
    for pair, connection, load in zip(ends, net.connections, board.loads, strict=True):
        loads = {name: getattr(load, name) for name in ("tickets", "per_lane", "crowded", "needed")}
        connections.append({**pair, "length": connection.length, "lanes": connection.lanes, **loads})
    duplicates = []
    for alike in board.near_duplicates:
        duplicates.append({"tickets": [ticket(alike.first), ticket(alike.second)], "overlap": alike.overlap})
    return {
        "measures": measures,
        "connections": connections,
        "bridges": [ends[number] for number in shape.bridges],
        "cut_cities": [net.name(city) for city in shape.cut_cities],
        "dead_ends": [net.name(city) for city in shape.dead_ends],
        "regions": [[net.name(city) for city in region] for region in shape.regions],
        "tickets_by_place": dict(board.tickets_by_place),
        "near_duplicates": duplicates,
    }

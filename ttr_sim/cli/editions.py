"""The commands about boards: `editions`, `show`, `check`, `new` and `export`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from ttr_sim.bots.tuning import check_tuned
from ttr_sim.cli import options
from ttr_sim.cli.main import FINDINGS, FINE
from ttr_sim.cli.output import aligned, counted, paragraph, print_json, print_lines
from ttr_sim.edition import Edition, check_folder, edition_names, find_folder, load_edition, variants
from ttr_sim.edition.canonical import written
from ttr_sim.edition.limits import MAX_NAME
from ttr_sim.edition.load import SKELETON
from ttr_sim.edition.map_editor import export_map, import_map, is_table_file
from ttr_sim.edition.problems import BOTS_FILE, FILE_ORDER, RULES_FILE
from ttr_sim.edition.statics import Facts, Statics, describe, measured, shown, statics
from ttr_sim.edition.write import rename, write_folder
from ttr_sim.errors import UserError, command_line, plain
from ttr_sim.report.board import IMAGE_TYPES, draw_board
from ttr_sim.report.folder import check_file, own_file

ABOUT_FILES = {
    RULES_FILE: "the rules: trains, cards, colors, decks, scores and your targets",
    "cities.csv": "the cities and their places on the map",
    "routes.csv": "the routes: ends, length, color and kind",
    "tickets.csv": "the tickets: ends, points and deck",
    BOTS_FILE: "how the bots were tuned for this board; tune writes it again",
}
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
    "attractions": "attractions",
    "districts": "districts",
    "tickets": "tickets worth {ticket_points} points",
}
BONUSES = ("longest_path", "globetrotter", "attractions", "districts", "mandala")


@options.command(epilog="Example: ttr-sim editions --json")
@options.json_list
def editions_command(as_json: bool) -> None:
    """List the editions, with what is certain about each board and what was reconstructed."""
    list_editions(as_json)


def list_editions(as_json: bool) -> None:
    rows, entries, texts = list[Sequence[object]](), list[dict[str, Any]](), list[str]()
    for edition in map(load_edition, edition_names()):
        low, high = edition.players
        sizes = {name: len(getattr(edition, name)) for name in ("cities", "routes", "tickets")}
        entry: dict[str, Any] = {"name": edition.name, "title": edition.title, "folder": str(edition.folder)}
        entry |= {"players": [low, high], **sizes, "trains": edition.trains}
        entry |= {"provenance": edition.provenance, "fingerprint": edition.fingerprint}
        base = variants().get(edition.name)
        entries.append({**entry, "variant_of": base} if base else entry)
        rows.append((edition.name, f"{low}-{high}", *sizes.values(), edition.trains, base or ""))
        texts.append("\n" + paragraph(f"{edition.title}: {edition.provenance}"))
    if as_json:
        print_json(entries, indent=2)
    else:
        click.echo(aligned(("name", "players", "cities", "routes", "tickets", "trains", "variant of"), rows))
        click.echo("\n".join(texts))


@options.command(epilog="Example: ttr-sim show europe --out europe.svg")
@options.edition_argument("edition", required=False)
@options.out(help="Draw the board to this .png or .svg file.")
@options.force
@options.json
def show_command(edition: str | None, out: Path | None, force: bool, as_json: bool) -> None:
    """Show the numbers of a board. EDITION is a name or a folder; without it, list the editions."""
    if edition is None:
        if out is not None:
            raise click.UsageError("--out draws a board; name its EDITION")
        list_editions(as_json)
        return
    if out is not None:
        check_file(out, "draw to", IMAGE_TYPES)
    loaded = load_edition(edition)
    if out is not None:
        with own_file(out, loaded.name, force) as file:
            draw_board(loaded, file)
        click.echo(f"Drew the board to {out}.", err=True)
    description, facts = describe(loaded), statics_facts(statics(loaded))
    if as_json:
        names = ("name", "title", "provenance", "fingerprint", "trains", "players")
        about = {name: getattr(loaded, name) for name in names} | {"folder": str(loaded.folder)}
        print_json({**about, **description, "statics": facts}, indent=2)
    else:
        print_lines("\n\n".join(board_sections(loaded, description, facts)).splitlines())


def board_sections(edition: Edition, facts: Facts, measures: Facts) -> Iterator[str]:
    """Write a section for each subject of the board."""
    low, high = edition.players
    yield (
        f"{edition.title} · {len(edition.routes)} routes · {len(edition.tickets)} tickets · {edition.trains} trains · "
        f"{low}–{high} players"
    )
    yield compared_with_official(edition, measures)
    if edition.provenance:
        yield paragraph(edition.provenance)
    size = facts["size"]
    is_whole = size["parts"] == 1
    last = {"diameter": "trains between the two cities farthest apart"} if is_whole else {"parts": "unconnected parts"}
    # A feature that the board lacks has no line.
    yield "\n".join(f"{size[key]:>5} {words.format(**size)}" for key, words in (SIZES | last).items() if size[key])
    rules = {name.replace("_", " "): getattr(edition, name) for name in BONUSES}
    bonuses = [f"{name} {written(rule.points)}" for name, rule in rules.items() if rule]
    if bonuses:
        yield paragraph(f"Points at the end: {'; '.join(bonuses)}", "", "  ")
    colors = facts["colors"]
    lengths = sorted({length for row in colors for length in row["by_length"]})
    columns = ("color", "cards", "routes", "spaces")
    rows = [(*(row[column] for column in columns), *(row["by_length"].get(n, 0) for n in lengths)) for row in colors]
    yield "Routes by color and length\n" + aligned((*columns, *(f"of {length}" for length in lengths)), rows)
    yield _table("Tickets by deck", ("deck", "tickets", "points", "lowest", "highest", "mean"), facts["decks"])
    cities, routes, tickets = facts["cities"], facts["routes"], facts["tickets"]
    off = [row for row in tickets if row["points"] != row["trains"]]
    if edition.is_race:
        reached = sorted(row["trains"] for row in tickets if row["trains"] is not None)
        yield f"Shortest paths of the tickets: {reached[0]} to {reached[-1]} trains" if reached else "No tickets"
    elif off:
        title = "Tickets not worth the length of their shortest path"
        yield _table(title, ("from", "to", "deck", "points", "trains"), off)
    else:
        yield f"All {len(tickets)} tickets are worth the length of their shortest path."
    names = [row["city"] for row in cities if row["articulation"]]
    yield paragraph(f"Cities that hold the board together: {', '.join(names) or 'none'}", "", "  ")
    top = sorted(cities, key=lambda row: (-row["betweenness"], row["city"]))[:TOP]
    title = f"The {len(top)} cities that most shortest paths run through"
    yield _table(title, ("city", "routes", "neighbors", "tickets", "betweenness"), top)
    unused = sum(row["tickets"] == 0 for row in routes)
    top = sorted(routes, key=lambda row: (-row["tickets"], row["from"], row["to"], row["color"]))[:TOP]
    title = f"The {len(top)} routes on the most tickets' shortest paths ({unused} routes are on none)"
    yield _table(title, ("from", "to", "length", "color", "kind", "tickets"), top)
    yield from weak_places(measures)


def _table(title: str, columns: Sequence[str], rows: Sequence[Facts]) -> str:
    return f"{title}\n" + aligned(columns, [[row[column] for column in columns] for row in rows])


def compared_with_official(edition: Edition, facts: Facts) -> str:
    rows: list[tuple[object, ...]] = []
    for row in facts["measures"]:
        low, high = row["official"]
        is_usual = None in (low, high, row["value"]) or low <= row["value"] <= high
        state = " " if is_usual else "!"
        rows.append((state, row["name"], shown(row["value"]), f"{shown(low)} to {shown(high)}", row["unit"]))
    title = f"Before anyone plays, with {edition.players[1]} players and the tickets that setup deals"
    odd = sum(row[0] == "!" for row in rows)
    legend = f"{len(rows) - odd} of {len(rows)} measures as on official boards"
    legend += ", ! outside of their range" if odd else ""
    return f"{title}\n{legend}\n" + aligned(("", "measure", "value", "official boards", "in"), rows)


def weak_places(facts: Facts) -> Iterator[str]:
    """Name the places that the measures come from."""
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
    alike = []
    for pair in pairs[:TOP]:
        names = [f"{ticket['from']}–{ticket['to']}" for ticket in pair["tickets"]]
        alike.append((*names, f"{100 * pair['overlap']:.0f} %"))
    title = f"Pairs of tickets that want nearly the same routes: the {len(alike)} most alike of {len(pairs)}"
    yield f"{title}\n" + aligned(("ticket", "ticket", "in common"), alike)


def statics_facts(board: Statics) -> Facts:
    """List all measures and places of the board before anyone plays, as in --json."""
    net, shape, edition = board.net, board.shape, board.edition
    ends = [{"from": net.name(connection.a), "to": net.name(connection.b)} for connection in net.connections]
    tickets = [{"from": each.a, "to": each.b, "deck": edition.decks[each.deck].name} for each in edition.tickets]
    measures = []
    for row in measured(board):
        about = {"name": row.name, "definition": row.definition, "unit": row.unit}
        measures.append({**about, "value": row.value, "official": [row.low, row.high]})
    # Places go by name: row numbers would mean nothing to a reader of the JSON.
    connections = []
    for pair, connection, load in zip(ends, net.connections, board.loads, strict=True):
        connections.append({**pair, "length": connection.length, "lanes": connection.lanes, **asdict(load)})
    return {
        "measures": measures,
        "connections": connections,
        "bridges": [ends[number] for number in shape.bridges],
        "cut_cities": [net.name(city) for city in shape.cut_cities],
        "dead_ends": [net.name(city) for city in shape.dead_ends],
        "regions": [[net.name(city) for city in region] for region in shape.regions],
        "tickets_by_place": dict(board.tickets_by_place),
        "near_duplicates": [
            {"tickets": [tickets[pair.first], tickets[pair.second]], "overlap": pair.overlap}
            for pair in board.near_duplicates
        ],
    }


@options.command(epilog="Example: ttr-sim check my-map")
@options.edition_argument("folder")
@options.json
def check_command(folder: str, as_json: bool) -> int:
    """Report every problem of an edition folder, with file, line and column.

    Exits with 1 when there is an error; warnings alone do not fail.
    """
    # bots.toml is read by the bots, so its problems come from there.
    path = find_folder(folder)
    report = check_folder(path)
    check_tuned(path, report)
    errors, warnings = report.errors, report.warnings
    if as_json:
        names = ("file", "line", "column", "message", "hint")
        lists = {"errors": errors, "warnings": warnings}
        rows = {key: [{name: getattr(row, name) for name in names} for row in found] for key, found in lists.items()}
        print_json(rows, indent=2)
    else:
        for line in (*map(str, errors), *(problem.as_line("warning: ") for problem in warnings)):
            click.echo(line)
        verdict = "this edition cannot be played" if errors else "ready to play"
        click.echo(f"{counted(len(errors), 'error')}, {counted(len(warnings), 'warning')}: {verdict}")
    return FINDINGS if errors else FINE


@options.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--from",
    "sources",
    multiple=True,
    shell_complete=options.completion(True, False),
    callback=options.as_known,
    help="Edition to start from (a name or a folder), or a file or folder of the map editor; repeatable.",
)
@options.flag("--empty", help="Start from a skeleton of four cities, with every rule explained.")
def new_command(folder: Path, sources: tuple[str, ...], empty: bool) -> None:
    """Start your own edition in FOLDER, which must not exist yet.

    From an edition alone it is a copy. Files of the map editor (.csv, .xlsx, or a folder of them) bring the map; an
    edition beside them brings the rules.

    \b
    ttr-sim new my-map --from usa
    ttr-sim new my-map --empty
    """
    if bool(sources) == empty:
        raise click.UsageError("give either --from EDITION or --empty")
    files: list[Path] = []
    editions: list[str | Path] = [SKELETON] if empty else []
    for source in sources:
        if is_of_map_editor(source):
            files.append(Path(source))
        else:
            editions.append(source)
    if len(editions) > 1:
        raise UserError(f"--from {editions[1]}: {editions[0]} is already an edition, and only one can bring the rules")
    base = load_edition(editions[0]) if editions else None
    is_empty_folder = folder.is_dir() and not any(folder.iterdir())
    if (folder.exists() or folder.is_symlink()) and not is_empty_folder:
        raise UserError(f"{folder} already exists and is not overwritten; choose another name")
    notes: list[str] = []
    try:
        if base is not None and not files:
            write_folder(base, folder)
        else:
            notes = import_map(files, base, folder)
        title = folder.resolve().name  # `new .` has no other name
        name = re.sub(r"[^a-z0-9_-]+", "-", plain(title)).strip("-_")
        # A copy must not claim to be the printed game.
        provenance = None if files or empty or base is None else f"Copied from {base.title}, edited by you"
        rename(folder / RULES_FILE, name[:MAX_NAME] or "my-map", title, provenance)
    except OSError as error:
        raise UserError(f"{folder} cannot be written: {error.strerror or error}") from error
    for note in notes:
        click.echo(note, err=True)
    if files or base is None:
        start = f"holds the map of {', '.join(map(str, files))}"
    else:
        start = "is a board of four cities" if empty else f"is a copy of {base.title}"
    click.echo(f"{folder} {start}.")
    click.echo(f"Edit its files, then run: {command_line('check', folder)}")
    for name in (*FILE_ORDER, BOTS_FILE):
        if (folder / name).is_file():
            click.echo(f"  {name:<13} {ABOUT_FILES[name]}")
    # The map editor allows more than a board may have: the designer mends that here.
    for problem in check_folder(folder).errors if files else ():
        click.echo(f"To fix before it can be played: {problem}", err=True)


def is_of_map_editor(source: str) -> bool:
    """Tell files of the map editor from an edition."""
    path = Path(source)
    if source in edition_names():
        return False
    if path.is_dir():
        return not any((path / name).is_file() for name in (RULES_FILE, "run.json"))
    # Neither a file nor named like one: an edition's name, which may be mistyped.
    if path.is_file() == is_table_file(path):
        return path.is_file()
    if not path.exists():
        raise UserError(f"--from {source}: there is no such file")
    raise UserError(f"--from {source}: not an edition, nor a .csv or .xlsx file, nor a folder of them")


@options.command(epilog="Example: ttr-sim export usa --to editor --out usa-editor")
@options.edition
@click.option("--to", "program", required=True, type=click.Choice(["editor"]), help="Program that will read the files.")
@options.out(help="Folder for the files; default NAME-editor.")
def export_command(edition: str, program: str, out: Path | None) -> None:
    """Write the map of EDITION, a name or a folder, as files that another program reads.

    For `editor`, the map editor of bjornhagstrom: stops.csv, routes.csv and tickets.csv.
    """
    loaded = load_edition(edition)
    folder = out or Path(f"{loaded.name}-{program}")
    try:
        notes = export_map(loaded, folder)
    except OSError as error:
        raise UserError(f"{folder} cannot be written: {error.strerror or error}") from error
    click.echo(f"{folder} holds stops.csv, routes.csv and tickets.csv of {loaded.title}.")
    for note in notes:
        click.echo(note, err=True)

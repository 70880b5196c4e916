"""The commands about edition folders: `editions`, `check`, `new` and `export`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

from ttr_sim.cli import options
from ttr_sim.cli.main import FINDINGS, FINE
from ttr_sim.cli.output import aligned, counted, paragraph, print_json
from ttr_sim.edition import check_folder, edition_names, find_folder, load_edition, variants
from ttr_sim.edition.limits import MAX_NAME
from ttr_sim.edition.load import SKELETON
from ttr_sim.edition.problems import BOTS_FILE, FILE_ORDER, RULES_FILE
from ttr_sim.edition.write import rename, write_folder
from ttr_sim.errors import UserError, command_line, plain

ABOUT_FILES = {
    RULES_FILE: "the rules: trains, cards, colors, decks, scores and your targets",
    "cities.csv": "the cities and their places on the map",
    "routes.csv": "the routes: ends, length, color and kind",
    "tickets.csv": "the tickets: ends, points and deck",
    BOTS_FILE: "how the bots were tuned for this board; tune writes it again",
}


@options.command(epilog="Example: ttr-sim editions --json")
@options.json_list
def editions_command(as_json: bool) -> None:
    """List the editions, with what is certain about each board and what was reconstructed."""
    list_editions(as_json)


def list_editions(as_json: bool) -> None:
    editions = [load_edition(name) for name in edition_names()]
    rows: list[tuple[object, ...]] = []
    entries: list[dict[str, Any]] = []
    for edition in editions:
        low, high = edition.players
        counts = {name: len(getattr(edition, name)) for name in ("cities", "routes", "tickets")}
        base = variants().get(edition.name)
        rows.append((edition.name, f"{low}-{high}", *counts.values(), edition.trains, base or ""))
        entry = {
            "name": edition.name,
            "title": edition.title,
            "folder": str(edition.folder),
            "players": [low, high],
            **counts,
            "trains": edition.trains,
            "provenance": edition.provenance,
            "fingerprint": edition.fingerprint,
        }
        entries.append({**entry, "variant_of": base} if base else entry)
    if as_json:
        print_json(entries, indent=2)
        return
    click.echo(aligned(("name", "players", "cities", "routes", "tickets", "trains", "variant of"), rows))
    for edition in editions:
        click.echo("\n" + paragraph(f"{edition.title}: {edition.provenance}"))


@options.command(epilog="Example: ttr-sim check my-map")
@click.argument("folder", shell_complete=options.complete_editions, callback=options.as_known)
@options.json
def check_command(folder: str, as_json: bool) -> int:
    """Report every problem of an edition folder, with file, line and column.

    Exits with 1 when there is an error; warnings alone do not fail.
    """
    from ttr_sim.bots.tuning import check_tuned

    # bots.toml is read by the bots, so its problems come from there.
    path = find_folder(folder)
    report = check_folder(path) + check_tuned(path)
    errors, warnings = report.errors, report.warnings
    if as_json:
        names = ("file", "line", "column", "message", "hint")
        lists = {"errors": errors, "warnings": warnings}
        rows = {key: [{name: getattr(row, name) for name in names} for row in found] for key, found in lists.items()}
        print_json(rows, indent=2)
    else:
        for problem in errors:
            click.echo(str(problem))
        for problem in warnings:
            click.echo(problem.as_line("warning: "))
        verdict = "this edition cannot be played" if errors else "ready to play"
        click.echo(f"{counted(len(errors), 'error')}, {counted(len(warnings), 'warning')}: {verdict}")
    return FINDINGS if errors else FINE


@options.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--from",
    "sources",
    multiple=True,
    shell_complete=options.complete_editions,
    callback=options.as_known,
    help="Edition to start from (a name or a folder), or a file or folder of the map editor; repeatable.",
)
@click.option("--empty", is_flag=True, help="Start from a skeleton of four cities, with every rule explained.")
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
        if _is_of_map_editor(source):
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
            from ttr_sim.edition.map_editor import import_map

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


def _is_of_map_editor(source: str) -> bool:
    from ttr_sim.edition.map_editor import is_table_file

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
@options.out("Folder for the files; default NAME-editor.", cls=click.Option)
def export_command(edition: str, program: str, out: Path | None) -> None:
    """Write the map of EDITION, a name or a folder, as files that another program reads.

    For `editor`, the map editor of bjornhagstrom: stops.csv, routes.csv and tickets.csv.
    """
    from ttr_sim.edition.map_editor import export_map

    loaded = load_edition(edition)
    folder = out or Path(f"{loaded.name}-{program}")
    try:
        notes = export_map(loaded, folder)
    except OSError as error:
        raise UserError(f"{folder} cannot be written: {error.strerror or error}") from error
    click.echo(f"{folder} holds stops.csv, routes.csv and tickets.csv of {loaded.title}.")
    for note in notes:
        click.echo(note, err=True)

"""`ttr-sim export`: write an edition as files of another program."""

from __future__ import annotations

from pathlib import Path

import click

from ttr_sim.cli import options
from ttr_sim.edition import load_edition
from ttr_sim.errors import UserError


@click.command(epilog="Example: ttr-sim export usa --to editor --out usa-editor")
@click.argument("edition", shell_complete=options.complete_editions)
@click.option("--to", "program", required=True, type=click.Choice(["editor"]), help="Program that will read the files.")
@click.option("--out", type=click.Path(path_type=Path), help="Folder for the files; default NAME-editor.")
def command(edition: str, program: str, out: Path | None) -> None:
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

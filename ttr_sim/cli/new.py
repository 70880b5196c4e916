"""`ttr-sim new`: start your own edition from a copy."""

from __future__ import annotations

import re
from pathlib import Path

import click

from ttr_sim.cli.completion import editions
from ttr_sim.edition import load_edition
from ttr_sim.edition.limits import MAX_NAME
from ttr_sim.edition.problems import RULES_FILE
from ttr_sim.edition.write import rename, write_folder
from ttr_sim.errors import UserError
from ttr_sim.spelling import plain


@click.command(epilog="Example: ttr-sim new my-map --from usa")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--from", "source", required=True, shell_complete=editions, help="Edition to start from: a name or a folder."
)
def command(folder: Path, source: str) -> None:
    """Start your own edition in FOLDER, which must not exist yet, from a copy of another one."""
    edition = load_edition(source)
    _check_free(folder)
    try:
        write_folder(edition, folder)
        rename(folder / RULES_FILE, _name(folder), folder.name)
    except OSError as error:
        raise UserError(f"{folder} cannot be written: {error.strerror or error}") from error
    click.echo(f"{folder} is a copy of {edition.title}. Edit its four files, then run: ttr-sim check {folder}")


def _check_free(folder: Path) -> None:
    """Refuse a folder that holds anything; an empty one is free."""
    if folder.is_dir() and not any(folder.iterdir()):
        return
    if folder.exists() or folder.is_symlink():
        raise UserError(f"{folder} already exists and is not overwritten; choose another name")


def _name(folder: Path) -> str:
    """Return the folder's name in the letters an edition's name may have."""
    name = re.sub(r"[^a-z0-9_-]+", "-", plain(folder.resolve().name)).strip("-_")
    return name[:MAX_NAME] or "my-map"

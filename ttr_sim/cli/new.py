"""`ttr-sim new`: start your own edition from another one, from a skeleton, or from files of the map editor."""

from __future__ import annotations

import re
from pathlib import Path

import click

from ttr_sim.cli import options
from ttr_sim.edition import Edition, check_folder, edition_names, load_edition
from ttr_sim.edition.limits import MAX_NAME
from ttr_sim.edition.load import SKELETON
from ttr_sim.edition.problems import RULES_FILE
from ttr_sim.edition.write import rename, write_folder
from ttr_sim.errors import UserError, command_line, plain


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--from",
    "sources",
    multiple=True,
    shell_complete=options.complete_editions,
    help="Edition to start from (a name or a folder), or a file or folder of the map editor; repeatable.",
)
@click.option("--empty", is_flag=True, help="Start from a skeleton of four cities, with every rule explained.")
def command(folder: Path, sources: tuple[str, ...], empty: bool) -> None:
    """Start your own edition in FOLDER, which must not exist yet.

    From an edition alone it is a copy. Files of the map editor (.csv, .xlsx, or a folder of them) bring the map; an
    edition beside them brings the rules.

    \b
    ttr-sim new my-map --from usa
    ttr-sim new my-map --empty
    """
    if bool(sources) == empty:
        raise click.UsageError("give either --from EDITION or --empty")
    base, files = (load_edition(SKELETON), []) if empty else _sort_sources(sources)
    is_empty_folder = folder.is_dir() and not any(folder.iterdir())
    if (folder.exists() or folder.is_symlink()) and not is_empty_folder:
        raise UserError(f"{folder} already exists and is not overwritten; choose another name")
    try:
        notes = _fill(folder, base, files, empty)
    except OSError as error:
        raise UserError(f"{folder} cannot be written: {error.strerror or error}") from error
    for note in notes:
        click.echo(note, err=True)
    if files or base is None:
        start = f"holds the map of {', '.join(map(str, files))}"
    else:
        start = "is a board of four cities" if empty else f"is a copy of {base.title}"
    click.echo(f"{folder} {start}. Edit its files, then run: {command_line('check', folder)}")
    # The map editor allows more than a board may have: the designer mends that here.
    for problem in check_folder(folder).errors if files else ():
        click.echo(f"To fix before it can be played: {problem}", err=True)


def _sort_sources(sources: tuple[str, ...]) -> tuple[Edition | None, list[Path]]:
    """Separate the edition among the sources from the files and folders of the map editor."""
    files = [Path(source) for source in sources if _is_of_map_editor(source)]
    editions = [source for source in sources if not _is_of_map_editor(source)]
    if len(editions) > 1:
        raise UserError(f"--from {editions[1]}: {editions[0]} is already an edition, and only one can bring the rules")
    return (load_edition(editions[0]) if editions else None), files


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


def _fill(folder: Path, base: Edition | None, files: list[Path], empty: bool) -> list[str]:
    """Write the new edition's files and collect notes for the user."""
    notes: list[str] = []
    provenance = None
    if base is not None and not files:
        write_folder(base, folder)
        # A copy must not claim to be the printed game.
        provenance = None if empty else f"Copied from {base.title}, edited by you"
    else:
        from ttr_sim.edition.map_editor import import_map

        notes = import_map(files, base, folder)
    title = folder.resolve().name  # `new .` has no other name
    name = re.sub(r"[^a-z0-9_-]+", "-", plain(title)).strip("-_")
    rename(folder / RULES_FILE, name[:MAX_NAME] or "my-map", title, provenance)
    return notes

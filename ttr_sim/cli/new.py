"""`ttr-sim new`: start your own edition from another one, from a skeleton, or from files of the map editor."""

from __future__ import annotations

import re
from pathlib import Path

import click

from ttr_sim.cli.completion import editions
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
    shell_complete=editions,
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
    base, files = (load_edition(SKELETON), []) if empty else _sorted_out(sources)
    _check_free(folder)
    copied = None if files or empty else base
    provenance = f"Copied from {copied.title}, edited by you" if copied else None
    try:
        notes = _fill(folder, base, files)
        rename(folder / RULES_FILE, _name(folder), folder.name, provenance)
    except OSError as error:
        raise UserError(f"{folder} cannot be written: {error.strerror or error}") from error
    for note in notes:
        click.echo(note, err=True)
    next_step = f"Edit its files, then run: {command_line('check', folder)}"
    click.echo(f"{folder} {_start(base, files, empty)}. {next_step}")
    for problem in check_folder(folder).errors if files else ():
        click.echo(f"To fix before it can be played: {problem}", err=True)


def _start(base: Edition | None, files: list[Path], empty: bool) -> str:
    if files or base is None:
        return f"holds the map of {', '.join(map(str, files))}"
    return "is a board of four cities" if empty else f"is a copy of {base.title}"


def _sorted_out(sources: tuple[str, ...]) -> tuple[Edition | None, list[Path]]:
    """Return the edition among the sources, and the files and folders of the map editor."""
    files = [Path(source) for source in sources if _is_of_editor(source)]
    named = [source for source in sources if not _is_of_editor(source)]
    if len(named) > 1:
        raise UserError(f"--from {named[1]}: {named[0]} is already an edition, and only one can bring the rules")
    return (load_edition(named[0]) if named else None), files


def _is_of_editor(source: str) -> bool:
    from ttr_sim.edition.map_editor import is_table_file

    path = Path(source)
    if source in edition_names():
        return False
    if path.is_dir():
        return not any((path / name).is_file() for name in (RULES_FILE, "run.json"))
    if path.is_file() != is_table_file(path):  # what is neither is an edition's name, for better or worse
        raise UserError(_not_a_table(source, path))
    return path.is_file()


def _not_a_table(source: str, path: Path) -> str:
    if not path.exists():
        return f"--from {source}: there is no such file"
    return f"--from {source}: not an edition, nor a .csv or .xlsx file, nor a folder of them"


def _fill(folder: Path, base: Edition | None, files: list[Path]) -> list[str]:
    """Write the new edition's files and return what is worth saying about them."""
    if base is not None and not files:
        write_folder(base, folder)
        return []
    from ttr_sim.edition.map_editor import import_map

    return import_map(files, base, folder)


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

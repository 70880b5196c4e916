"""`ttr-sim open` and `ttr-sim help`: a page in the browser, and the use of a command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ttr_sim.cli import options
from ttr_sim.cli.output import Progress
from ttr_sim.errors import UserError, command_line


@options.command()
@click.argument("what", nargs=-1, shell_complete=options.complete_editions_and_runs, metavar="[EDITION|REPORT|RUN]...")
def open_command(what: tuple[str, ...]) -> None:
    """Open the page of an EDITION, of a REPORT (its folder or page) or of a RUN; by default the newest report.

    \b
    ttr-sim open
    ttr-sim open usa
    ttr-sim open runs/usa-4p-1a2b3c4d
    """
    from ttr_sim.cli.study import open_page

    # All are looked up first: a typo in the last one must not come after open windows.
    for page in [_page_of(name) for name in what] or [_newest_page()]:
        address = page.resolve().as_uri()
        click.echo(address)
        open_page(address, Progress())


def _newest_page() -> Path:
    from ttr_sim.report.folder import PAGE, REPORTS, FileList

    ours = [page for page in REPORTS.glob(f"*/{PAGE}") if FileList(page.parent).subject]
    pages = sorted(ours, key=lambda page: page.stat().st_mtime)
    if not pages:
        raise UserError(f"there is no report in {REPORTS} yet; to write one: {command_line('study', 'usa')}")
    return pages[-1]


def _page_of(name: str) -> Path:
    """Find the page of an edition, a report or a run."""
    from ttr_sim.edition import edition_names, find_folder, known_name
    from ttr_sim.report.folder import PAGE, REPORTS, folder_names
    from ttr_sim.run.folder import RUN_FILE
    from ttr_sim.run.study import study_facts

    known, path = known_name(name), Path(name)
    if known not in edition_names():
        if path.is_file():
            return path
        if (path / PAGE).is_file():
            return path / PAGE
        facts = study_facts(path)
        if facts or (path / RUN_FILE).is_file():
            runs = sorted(file.parent for file in path.glob(f"*/{RUN_FILE}")) if facts else [path]
            return _page_of_run(path, facts or study_facts(path.parent), command_line("report", *runs))
        find_folder(name)
    # Not loaded: a page can be read while its edition is being edited and has errors.
    page = REPORTS / folder_names([known])[0] / PAGE
    if not page.is_file():
        raise UserError(f"there is no report on {name} yet; to write one: {command_line('study', known)}")
    return page


def _page_of_run(path: Path, study: dict[str, Any] | None, command: str) -> Path:
    """Find the page of the run's study, or one that names the run."""
    from ttr_sim.report.folder import PAGE, REPORTS

    pages = sorted(REPORTS.glob(f"*/{PAGE}"))
    if study is not None:
        pages = [page for page in pages if page.parent.name == study["edition"]] or pages
    for page in pages:
        if path.as_posix() in page.read_text(encoding="utf-8", errors="replace"):
            return page
    raise UserError(f"no page in {REPORTS} is about {path}; to write one: {command}")


@options.command(epilog="Example: ttr-sim help study")
@click.argument("command", required=False)
@click.pass_context
def help_command(context: click.Context, command: str | None) -> None:
    """Show how to use a COMMAND, or list the commands."""
    group = context.parent
    assert group is not None and isinstance(group.command, click.Group)
    if command is None:
        click.echo(group.get_help())
        return
    name, found, _ = group.command.resolve_command(group, [command])
    assert found is not None
    click.echo(found.get_help(click.Context(found, parent=group, info_name=name)))

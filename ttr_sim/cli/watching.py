"""`study --watch`: play a board again at each save, and say what has changed since the last one and since the start."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ttr_sim.cli.findings import findings_text
from ttr_sim.cli.page_server import PageServer, serving
from ttr_sim.cli.saves import saves_of
from ttr_sim.cli.studying import Length, open_page, plan_study
from ttr_sim.cli.text import bullet, paragraph
from ttr_sim.errors import UserError
from ttr_sim.report.document import live_page

if TYPE_CHECKING:
    from ttr_sim.analysis.compare import Comparison
    from ttr_sim.cli.progress import Progress
    from ttr_sim.run.backends import Workers
    from ttr_sim.run.opened import Run

Runs = list["Run"]
KEPT = 2  # of the latest saves, beside the first
MOST_TOLD = 6  # sentences about one comparison


@dataclass(slots=True)
class WatchedBoard:
    """What is watched and how it is played; `played` are the runs of the first and the latest saves."""

    edition: str
    folder: Path
    players: tuple[int, ...] | None
    bots: tuple[str, ...] | None
    seed: int
    length: Length
    workers: Workers
    progress: Progress
    line: str
    force: bool = False
    page: str = ""
    version: int = 0
    played: list[Runs] = field(default_factory=list)
    own: set[Path] = field(default_factory=set)  # run folders that this session made


def watch_study(watched: WatchedBoard, opens: bool) -> None:
    """Play, then play again at each save, until Ctrl-C."""
    from ttr_sim.edition import find_folder

    with serving() as server, saves_of(find_folder(watched.edition)) as saves, suppress(KeyboardInterrupt):
        study_once(watched, server)  # an error in the very first look is the user's to read before anything is watched
        click.echo(f"Watching {watched.edition}: its page is {server.address} (Ctrl-C ends)")
        if opens:
            open_page(server.address, watched.progress)
        while True:
            saves.wait()
            _study_again(watched, server)
    if watched.page:
        _write(watched.page, watched.folder)  # without the watching


def _study_again(watched: WatchedBoard, server: PageServer) -> None:
    try:
        study_once(watched, server)
    except UserError as error:
        server.message = f"The last save cannot be played, so this page is older.\n{error}"
        click.echo(f"{error}\nThe page stays as it was.")


def study_once(watched: WatchedBoard, server: PageServer) -> None:
    from ttr_sim.report.folder import check_folder, report_on
    from ttr_sim.run.plan import RUNS
    from ttr_sim.run.study import play_first

    began = time.monotonic()
    study = plan_study(watched.edition, watched.players, watched.bots, watched.seed, watched.length)
    check_folder(watched.folder, report_on(study.edition.name, brief=True), watched.force)
    server.message = "Playing the last save ..."
    before = {path.parent for path in RUNS.glob("*/run.json")}
    runs = play_first(study, watched.workers, watched.progress, watched.line)
    watched.own |= {run.path for run in runs} - before
    _show(watched, server, runs)
    for sentence in _changes(watched.played, runs):
        click.echo(sentence)
    _keep(watched, runs)
    click.echo(f"Save {watched.version}: {time.monotonic() - began:.1f} s\n")


def _show(watched: WatchedBoard, server: PageServer, runs: Runs) -> None:
    """Write the page and let the server show it."""
    from ttr_sim.report.page import write_report

    report = write_report(runs, watched.folder, watched.line, pictures=False, in_brief=True, force=watched.force)
    watched.page = report.page.read_text(encoding="utf-8")
    watched.version += 1
    live = live_page(watched.page, watched.version)
    _write(live, watched.folder)
    server.show(live, watched.version)
    if watched.version == 1:
        click.echo(findings_text(report.analysis))


def _write(page: str, folder: Path) -> None:
    from ttr_sim.report.folder import replace_page

    replace_page(folder, page)


def _changes(played: Sequence[Runs], runs: Runs) -> Iterator[str]:
    """Yield what changed since the last save, and since the first where that is another."""
    if not played:
        return
    yield from _since("the last save", played[-1], runs)
    if len(played) > 1:
        yield from _since("the start", played[0], runs)


def _since(when: str, before: Runs, now: Runs) -> Iterator[str]:
    from ttr_sim.analysis.compare import changes_between, compare
    from ttr_sim.analysis.thresholds import LEAST_DIFFERENCE

    old = {run.plan.players: run for run in before}
    pairs = [(old[run.plan.players], run) for run in now if run.plan.players in old]
    changes = list(dict.fromkeys(change for a, b in pairs for change in changes_between(a, b)))
    yield paragraph(f"Since {when}: {'; '.join(changes) or 'nothing that is played'}")
    for a, b in pairs if changes else ():
        yield from map(bullet, _told(compare(a, b, LEAST_DIFFERENCE)))


def _told(comparison: Comparison) -> list[str]:
    """Return what differs at one player count, the headlines first."""
    from ttr_sim.analysis.compare.verdict import what_differs

    players = comparison.a.plan.players
    return [f"{players} players: {sentence}" for sentence in what_differs(comparison)[:MOST_TOLD]]


def _keep(watched: WatchedBoard, runs: Runs) -> None:
    """Keep the runs of the first save and of the last two; remove the others of this session."""
    watched.played.append(runs)
    del watched.played[1:-KEPT]
    kept = {run.path for of_save in watched.played for run in of_save}
    for path in sorted(watched.own - kept):
        shutil.rmtree(path, ignore_errors=True)
    watched.own &= kept

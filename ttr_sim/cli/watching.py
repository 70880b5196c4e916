"""`ttr-sim watch`: play a board again at each save and show it on a page that asks for its newest version."""

from __future__ import annotations

import json
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ttr_sim.cli import options
from ttr_sim.cli.output import open_page, print_lines
from ttr_sim.cli.study import StudySession
from ttr_sim.edition import find_folder
from ttr_sim.edition.canonical import differences
from ttr_sim.errors import UserError, typed
from ttr_sim.report.folder import check_folder, replace_page, report_on
from ttr_sim.run.plan import RUNS

if TYPE_CHECKING:
    from ttr_sim.analysis.analysis import Analysis
    from ttr_sim.analysis.tickets import Yardstick

HOST = "127.0.0.1"
WATCHED = {".toml", ".csv"}
QUIET_TIME = 100  # milliseconds without a change that end a save
POLL_TIME = 200  # milliseconds between two looks at Ctrl-C


@options.command(short_help="Judge a board again at each save.")
@options.edition
@options.games(help="Games that strong players play at each player count, after each save.  [default: 2000]")
@options.player_counts
@options.bots(help="Play only these bots.  [default: strong players]")
@options.flag("--open", "opens", help="Open the page in the browser; it renews itself.")
@options.seed
@options.workers
@options.report_out(help="Folder for the report.  [default: reports/<edition>]")
@options.force
@options.quiet
def watch_command(edition: str, opens: bool, out: Path | None, **values: Any) -> None:
    """Judge the board of EDITION (a name or a folder) again at each save, until Ctrl-C.

    After each save the board is played quickly, and the lines say what the edit fixed, made worse or left.

    \b
    ttr-sim watch my-map
    ttr-sim watch my-map --open
    """
    session = StudySession(quick=True, command=typed(), **values)
    (folder,) = session.folders([edition], out)
    WatchedBoard(edition, folder, session).watch(opens)


@dataclass(slots=True)
class WatchedBoard:
    """An edition's folder that is played again at each save."""

    edition: str
    folder: Path
    session: StudySession
    page: str = ""
    latest: Analysis | None = None
    yardstick: Yardstick | None = None
    own: set[Path] = field(default_factory=set)  # folders of studies that this session made

    def watch(self, opens: bool) -> None:
        """Play, then play again at each save, until Ctrl-C."""
        saves = saves_of(find_folder(self.edition))
        with serving() as server, suppress(KeyboardInterrupt):
            next(saves)
            self.study(server)  # an error at the start ends the command: nothing can be watched yet
            click.echo(f"Watching {self.edition}: its page is {server.address} (Ctrl-C ends)")
            if opens:
                open_page(server.address, self.session.progress)
            for _ in saves:
                try:
                    self.study(server)
                except UserError as error:
                    server.message = f"The last save cannot be played, so this page is older.\n{error}"
                    click.echo(f"{error}\nThe page stays as it was.")
        if self.page:
            replace_page(self.folder, self.page)  # without the script that asks for newer versions

    def study(self, server: PageServer) -> None:
        """Play the board as it is now, show its page and print the changes."""
        from ttr_sim.analysis.analysis import analyze
        from ttr_sim.analysis.tickets import yardstick_of
        from ttr_sim.analysis.verdict import TargetChanges
        from ttr_sim.cli.verdict import change_lines, print_verdict
        from ttr_sim.report.document import live_page
        from ttr_sim.report.page import write_report
        from ttr_sim.run.study import play_study

        start, session = time.monotonic(), self.session
        study = session.plan(self.edition)
        check_folder(self.folder, report_on(study.edition.name, brief=True), session.force)
        server.message = "Playing the last save ..."
        before = set(RUNS.glob("*"))
        runs = next(play_study(study, session.workers, session.progress, session.command))
        # A run that was there before, of a full study or by `run`, is never removed at the end.
        kept = {run.path.parent for run in runs}
        self.own |= kept - before
        analysis = analyze(runs, in_brief=True, yardstick=self.yardstick)
        # The first save is the yardstick of all later ones: no ticket becomes fair by its own points.
        self.yardstick = self.yardstick or yardstick_of(analysis.edition, analysis.tables["ticket_value"])
        report = write_report(analysis, self.folder, session.command, pictures=False, brief=True, force=session.force)
        self.page = report.page.read_text(encoding="utf-8")
        # Served and written alike, so that a page opened as a file says how to see the newest.
        live = live_page(self.page, server.version + 1)
        replace_page(self.folder, live)
        server.show(live, server.version + 1)
        if self.latest is None:
            print_verdict(report, verbose=False)
        else:
            edits = "; ".join(differences(self.latest.edition, analysis.edition))
            click.echo(f"Edited: {edits or 'nothing that is played'}")
            changes = TargetChanges.between(self.latest.verdict.targets, analysis.verdict.targets)
            print_lines(change_lines(analysis.edition, changes))
            click.echo(f"  {analysis.verdict.word.upper()}")
        self.latest = analysis
        for path in self.own - kept:
            shutil.rmtree(path, ignore_errors=True)
        self.own &= kept
        click.echo(f"Save {server.version}: {time.monotonic() - start:.1f} s\n")


def saves_of(folder: Path) -> Iterator[None]:
    """Yield once when watching has begun, then after each save, also one during a game."""
    from watchfiles import watch

    def is_of_edition(change: object, path: str) -> bool:
        # Editors keep files of their own beside an edition's.
        return Path(path).suffix.lower() in WATCHED and not Path(path).name.startswith(".")

    how: dict[str, Any] = {"step": QUIET_TIME, "rust_timeout": POLL_TIME, "yield_on_timeout": True}
    changes = watch(folder, watch_filter=is_of_edition, recursive=False, **how)
    next(changes)
    yield
    for changed in changes:
        if changed:
            yield


class PageServer(ThreadingHTTPServer):
    """A server for one page on this machine, with a message above the page."""

    daemon_threads = True  # a browser that keeps its connection must not keep the command from ending
    page, version, message = b"", 0, ""

    @property
    def address(self) -> str:
        return f"http://{HOST}:{self.server_port}/"

    def show(self, page: str, version: int) -> None:
        self.page, self.version, self.message = page.encode(), version, ""


class PageHandler(BaseHTTPRequestHandler):
    server: PageServer

    def do_GET(self) -> None:
        state = {"version": self.server.version, "message": self.server.message}
        answers = {
            "/": ("text/html; charset=utf-8", self.server.page),
            "/state": ("application/json", json.dumps(state).encode()),
        }
        # A foreign host name for this address is a web site that only pretends to be here.
        if self.headers.get("Host") not in {f"{name}:{self.server.server_port}" for name in (HOST, "localhost")}:
            self.send_error(403)
        elif self.path not in answers:
            self.send_error(404)
        else:
            kind, body = answers[self.path]
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "no-store")  # the address stays, the page changes
            self.end_headers()
            self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        """Keep requests out of the terminal."""


@contextmanager
def serving() -> Iterator[PageServer]:
    """Yield a server that ends with the block."""
    server = PageServer((HOST, 0), PageHandler)
    threading.Thread(target=server.serve_forever, args=(0.1,), daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()

"""`ttr-sim study`: run an edition at several player counts and write its report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ttr_sim.cli import options
from ttr_sim.cli.main import FINDINGS, INTERRUPTED
from ttr_sim.cli.output import Progress, number_or_null, print_json, records
from ttr_sim.errors import typed

if TYPE_CHECKING:
    from ttr_sim.report.page import Report
    from ttr_sim.run.read import Run
    from ttr_sim.run.study import Study
    from ttr_sim.run.workers import Workers

QUICK_GAMES = 2_000  # at each player count
QUICK_PART = 250  # games: one player count keeps several workers busy

ALL_PLAYER_COUNTS = 0  # stands for all together where tickets are listed by player count
WIN_SHARE = ("win_share", "win_share_low", "win_share_high")
SEAT_COLUMNS = ["players", "seat", *WIN_SHARE]
REWARD_COLUMNS = ["players", "variant", *WIN_SHARE, "fair"]
TICKET_COLUMNS = ["players", "n", "trains", "win_effect", "expected", "excess", "excess_low", "excess_high"]
ROUTE_COLUMNS = ["from", "to", "color", "copy", "players", "claimed", "contention", "denial"]
INTERVAL = {f"{name}_{end}": end for name in ("win_share", "excess") for end in ("low", "high")}
FAIL_AT = {"missed": ("missed",), "open": ("missed", "open")}


@dataclass(frozen=True, slots=True)
class StudySession:
    """Options shared by all editions of a study."""

    games: int | None  # None where the user gave no number
    players: tuple[int, ...] | None
    bots: tuple[str, ...] | None
    seed: int
    quick: bool
    workers: Workers
    progress: Progress
    command: str
    force: bool

    def plan(self, edition: str) -> Study:
        """Plan one edition's games and validate the options."""
        from ttr_sim.edition import load_edition
        from ttr_sim.run.plan import all_player_counts, check_request
        from ttr_sim.run.study import STUDY_GAMES, Study

        loaded = load_edition(edition)
        counts = self.players or all_player_counts(loaded)
        usual = QUICK_GAMES if self.quick else STUDY_GAMES
        games = usual if self.games is None else self.games
        # A bot of the user's may be slow, and then needs the small parts that its plan chooses.
        part_size = QUICK_PART if self.quick and not self.bots else None
        study = Study(loaded, counts, games, self.seed, self.bots, self.quick, part_size)
        check_request(study.first)
        return study

    def play(self, study: Study) -> Iterator[list[Run]]:
        """Yield the runs that the page rests on, then all of them."""
        from ttr_sim.run.study import play_study

        return play_study(study, self.workers, self.progress, self.command)

    def write_reports(self, study: Study, folder: Path) -> Iterator[Report]:
        """Play a study, yielding each version of its report."""
        from ttr_sim.analysis.analysis import analyze
        from ttr_sim.balance.remedies import NO_REMEDIES, replay_remedies
        from ttr_sim.cli.film import film_games
        from ttr_sim.report.page import write_report
        from ttr_sim.run.lineups import STRONG

        for number, runs in enumerate(self.play(study)):
            if number:
                self.progress.note(f"completing {folder}")
            # The first page of a full study comes without the games to watch: the last one brings them.
            more_follows = {run.field for run in runs} == {STRONG} and next(study.rest, None) is not None
            in_brief = self.quick or more_follows
            film = None if in_brief else film_games
            with self.progress.wait("analyzing the games"):
                analysis = analyze(runs, in_brief)
            remedies = NO_REMEDIES if in_brief else replay_remedies(analysis, self.workers, self.progress, self.command)
            with self.progress.wait("writing the page"):
                report = write_report(
                    analysis, folder, self.command, not self.quick, film, remedies, in_brief, self.force
                )
            self.progress.note(f"{report.page} is written")
            yield report


@options.command(short_help="Run an edition at several player counts and write its report.")
@click.argument(
    "editions",
    nargs=-1,
    required=True,
    shell_complete=options.complete_editions,
    callback=options.as_known,
    metavar="EDITION...",
)
@options.games(20_000, "Games that strong players play at each player count; other fields scale with it.")
@options.player_counts
@options.bots("Play only these bots.  [default: strong players, then other fields]")
@click.option(
    "--quick", is_flag=True, help="Play strong players only, 2,000 games at each player count, and write a short page."
)
@click.option("--open", "opens", is_flag=True, help="Open the page in the browser.")
@click.option("--watch", "watches", is_flag=True, hidden=True)
@click.option(
    "--fail",
    type=click.Choice(list(FAIL_AT)),
    help="Exit 1 when a target is missed; with `open` also while one is open.",
)
@click.option("--check", "fail", flag_value="missed", hidden=True)
@click.option("-v", "--verbose", is_flag=True, help="Print all tickets, routes and sentences.")
@options.seed
@options.workers
@options.out(
    "Folder for the report, or for several editions of their reports.  [default: reports/<edition>]", metavar="DIR"
)
@options.force
@options.json
@options.quiet
@click.pass_context
def study_command(
    context: click.Context,
    /,
    *,
    editions: tuple[str, ...],
    games: int,
    quick: bool,
    opens: bool,
    watches: bool,
    fail: str | None,
    verbose: bool,
    out: Path | None,
    as_json: bool,
    quiet: bool,
    **how: Any,
) -> int | None:
    """Run one or more EDITIONs (names or folders) at several player counts and write a report.

    The page rests on strong players in every seat and is there as soon as they have played. Then it is completed: by
    rivals of several styles and by all styles, which show how far a finding holds, and by one seat among strong players
    that plays differently, which shows what the board rewards.

    Several editions each get their own page.

    \b
    ttr-sim study usa
    ttr-sim study my-map --quick --open
    ttr-sim study my-map --quick --fail missed
    ttr-sim study my-map --players 2,4 --games 100000
    ttr-sim study usa europe germany
    """
    given_games = games if options.is_given(context, "games") else None
    session = StudySession(games=given_games, quick=quick or watches, progress=Progress(quiet), command=typed(), **how)
    folders = report_folders(editions, out, session)
    if watches:
        if len(editions) > 1:
            raise click.UsageError("--watch follows one EDITION; name one of them.")
        given = [name for name, is_set in (("--fail", fail), ("--json", as_json)) if is_set]
        if given:
            raise click.UsageError(f"--watch shows a page and ends by Ctrl-C; omit {', '.join(given)}.")
        from ttr_sim.cli.watching import WatchedBoard

        WatchedBoard(editions[0], folders[0], session).watch(opens)
        return None
    try:
        reports = _study(editions, folders, session, opens)
    except KeyboardInterrupt:  # while playing, or while the games are analyzed
        click.echo(f"Interrupted. Continue with: {session.command}", err=True)
        return INTERRUPTED
    if as_json:
        objects = [as_object(report) for report in reports]
        print_json(objects if len(objects) > 1 else objects[0])
    else:
        for number, report in enumerate(reports):
            print_verdict(report, verbose, first=not number)
    states = {target.state for report in reports for target in report.analysis.verdict.targets}
    return FINDINGS if fail and states & {*FAIL_AT[fail]} else None


def print_verdict(report: Report, verbose: bool, first: bool = True) -> None:
    from ttr_sim.cli.verdict import print_lines, verbose_lines, verdict_lines

    if not first:
        click.echo()
    print_lines(verdict_lines(report.analysis, report.remedies))
    if verbose:
        print_lines(verbose_lines(report.analysis))
    click.echo(f"\n  {report.page.resolve().as_uri()}")


def report_folders(editions: Sequence[str], out: Path | None, session: StudySession) -> list[Path]:
    """Choose a folder for each report."""
    # By default a quick report never replaces a full one.
    from ttr_sim.report.folder import REPORTS, folder_names, quick_folder

    names = folder_names(editions)
    folders = [out] if out and len(editions) == 1 else [(out or REPORTS) / name for name in names]
    if out or not session.quick:
        return folders
    chosen = [quick_folder(folder) for folder in folders]
    for full, folder in zip(folders, chosen, strict=True):
        if folder != full:
            session.progress.note(f"{full} keeps its full report; the quick one goes to {folder}")
    return chosen


def _study(editions: Sequence[str], folders: Sequence[Path], session: StudySession, opens: bool) -> list[Report]:
    """Study editions in order, opening each first page early."""
    from ttr_sim.report.folder import check_folder, make_folder, report_on

    # All editions and folders are checked first: a typo in the last one must not cost the time of the others.
    studies = [session.plan(edition) for edition in editions]
    for study, folder in zip(studies, folders, strict=True):
        check_folder(folder, report_on(study.edition.name, session.quick), session.force)
        make_folder(folder)
    reports = []
    for study, folder in zip(studies, folders, strict=True):
        pages = session.write_reports(study, folder)
        report = next(pages)
        if opens:
            open_page(report.page.resolve().as_uri(), session.progress)
        for complete in pages:
            report = complete
        reports.append(report)
    return reports


def open_page(address: str, progress: Progress) -> None:
    """Open a page in the user's browser."""
    import webbrowser

    if not webbrowser.open(address):
        progress.note(f"no browser was found; open {address} yourself")


def as_object(report: Report) -> dict[str, Any]:
    from ttr_sim.analysis.targets import as_rows

    analysis, verdict = report.analysis, report.analysis.verdict
    about = ("about", "topic", "sentence", "players", "holds")
    return {
        "edition": analysis.edition.name,
        "fingerprint": analysis.edition.fingerprint,
        "report": str(report.page),
        "runs": [{"run": str(run.path), "field": run.field, "players": run.players} for run in analysis.runs],
        "verdict": {"word": verdict.word, **{state: verdict.counts[state] for state in ("met", "open", "missed")}},
        "cards": [
            {
                "topic": card.topic,
                "state": card.state,
                "players": card.players,
                **{name: number_or_null(getattr(card, name)) for name in ("value", "low", "high", "limit")},
                "official": card.official,
                "sentence": card.sentence,
            }
            for card in verdict.cards
        ],
        "findings": [{name: getattr(finding, name) for name in about} for finding in analysis.findings],
        "seats": records(analysis.tables["seats"][SEAT_COLUMNS].rename(columns=INTERVAL)),
        "tickets": _tickets(report),
        "routes": records(analysis.tables["routes"][ROUTE_COLUMNS].rename(columns={"claimed": "claims"})),
        "rewards": records(analysis.tables["rewards"][REWARD_COLUMNS].rename(columns=INTERVAL)),
        "targets": as_rows(verdict.targets),
    }


def _tickets(report: Report) -> list[dict[str, Any]]:
    """Rows of all player counts together, with state and remedy, then those of each count."""
    from ttr_sim.analysis.tickets import parse_holds

    analysis = report.analysis
    table, targets = analysis.tables["ticket_value"], {target.ticket: target for target in analysis.verdict.targets}
    several = table["players"].nunique() > 1
    rows: list[dict[str, Any]] = []
    for full in records(table):
        ticket = analysis.edition.tickets[full["ticket"]]
        # `copy` distinguishes tickets of the same ends and deck.
        row = {name: full[name] for name in ("from", "to", "points", "deck")} | {"copy": ticket.copy}
        row |= {INTERVAL.get(name, name): full[name] for name in TICKET_COLUMNS}
        row |= {"state": None, "side": "", "holds": {}, "try": None, "tried": None}
        if several and full["players"] != ALL_PLAYER_COUNTS:
            rows.append(row)
            continue
        judged = {**row, "players": ALL_PLAYER_COUNTS, "holds": parse_holds(full["holds"] or "")}
        if target := targets.get(full["ticket"]):
            # The corrected interval is the one that the state goes by.
            judged |= {
                "state": target.state,
                "side": target.side,
                "low": target.interval[0],
                "high": target.interval[1],
            }
        if remedy := report.remedies.of(full["ticket"]):
            found = {"points": remedy.points, "excess": remedy.excess, "low": remedy.low, "high": remedy.high}
            judged |= {"try": found} if remedy.points is not None else {"tried": list(remedy.tried)}
        rows += [judged] if several else [judged, row]
    return rows

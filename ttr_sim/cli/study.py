"""`ttr-sim study`: run an edition at several player counts and write its report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ttr_sim.cli import options
from ttr_sim.cli.main import FINDINGS, continued_by
from ttr_sim.cli.output import Progress, open_page, print_json, records
from ttr_sim.edition import load_edition
from ttr_sim.errors import typed
from ttr_sim.report.folder import REPORTS, check_folder, folder_names, make_folder, quick_folder, report_on

if TYPE_CHECKING:
    from ttr_sim.report.page import Report
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
CARD_FIELDS = ("topic", "state", "players", "value", "low", "high", "limit", "official", "sentence")
FINDING_FIELDS = ("about", "topic", "sentence", "players", "holds")
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
        from ttr_sim.run.plan import all_player_counts, check_request
        from ttr_sim.run.study import STUDY_GAMES, Study

        loaded = load_edition(edition)
        counts = self.players or all_player_counts(loaded)
        games = (QUICK_GAMES if self.quick else STUDY_GAMES) if self.games is None else self.games
        # A bot of the user's may be slow, and then needs the small parts that its plan chooses.
        part_size = QUICK_PART if self.quick and not self.bots else None
        study = Study(loaded, counts, games, self.seed, self.bots, self.quick, part_size)
        check_request(study.first[0])
        return study

    def folders(self, editions: Sequence[str], out: Path | None) -> list[Path]:
        """Choose a folder for each report."""
        if out and len(editions) == 1:
            return [out]
        folders = []
        for full in ((out or REPORTS) / name for name in folder_names(editions)):
            # By default a quick report never replaces a full one.
            folder = quick_folder(full) if self.quick and not out else full
            if folder != full:
                self.progress.note(f"{full} keeps its full report; the quick one goes to {folder}")
            folders.append(folder)
        return folders

    def report(self, study: Study, folder: Path, opens: bool) -> Report:
        """Play a study and write its report: a first page early, then the complete one."""
        from ttr_sim.analysis.analysis import analyze
        from ttr_sim.balance.remedies import NO_REMEDIES, replay_remedies
        from ttr_sim.cli.film import film_games
        from ttr_sim.report.page import write_report
        from ttr_sim.run.lineups import MIXES, STRONG
        from ttr_sim.run.study import play_study

        progress, line = self.progress, self.command
        report: Report | None = None
        for runs in play_study(study, self.workers, progress, line):
            is_first = report is None
            if not is_first:
                progress.note(f"completing {folder}")
            # The first page of a full study comes without the games to watch: the last one brings them.
            more_follows = {run.field for run in runs} <= {STRONG, MIXES} and next(study.rest, None) is not None
            in_brief = self.quick or more_follows
            film = None if in_brief else film_games
            with progress.wait("analyzing the games"):
                analysis = analyze(runs, in_brief)
            remedies = NO_REMEDIES if in_brief else replay_remedies(analysis, self.workers, progress, line)
            with progress.wait("writing the page"):
                report = write_report(analysis, folder, line, not self.quick, film, remedies, in_brief, self.force)
            progress.note(f"{report.page} is written")
            if opens and is_first:
                open_page(report.page.resolve().as_uri(), progress)
        assert report is not None
        return report


@options.command(short_help="Run an edition at several player counts and write its report.")
@options.edition_argument("editions", nargs=-1, required=True, metavar="EDITION...")
@options.games(
    help="Games that strong players play at each player count; other fields scale with it.  [default: 20000]"
)
@options.player_counts
@options.bots(help="Play only these bots.  [default: strong players, then other fields]")
@options.flag("--quick", help="Play strong players only, 2,000 games at each player count, and write a short page.")
@options.flag("--open", "opens", help="Open the page in the browser.")
@options.flag("--watch", "watches", hidden=True)
@click.option(
    "--fail",
    type=click.Choice(list(FAIL_AT)),
    help="Exit 1 when a target is missed; with `open` also while one is open.",
)
@click.option("--check", "fail", flag_value="missed", hidden=True)
@options.flag("-v", "--verbose", help="Print all tickets, routes and sentences.")
@options.seed
@options.workers
@options.report_out(
    help="Folder for the report, or for several editions of their reports.  [default: reports/<edition>]"
)
@options.force
@options.json
@options.quiet
def study_command(editions: tuple[str, ...], out: Path | None, as_json: bool, **values: Any) -> int | None:
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
    fail, watches, opens, verbose = (values.pop(name) for name in ("fail", "watches", "opens", "verbose"))
    values["quick"] |= watches
    session = StudySession(command=typed(), **values)
    folders = session.folders(editions, out)
    if watches:
        if len(editions) > 1:
            raise click.UsageError("--watch follows one EDITION; name one of them.")
        given = [name for name, is_set in (("--fail", fail), ("--json", as_json)) if is_set]
        if given:
            raise click.UsageError(f"--watch shows a page and ends by Ctrl-C; omit {', '.join(given)}.")
        from ttr_sim.cli.watching import WatchedBoard

        WatchedBoard(editions[0], folders[0], session).watch(opens)
        return None
    with continued_by(f"Interrupted. Continue with: {session.command}"):
        # All editions and folders are checked first: a typo in the last one must not cost the time of the others.
        studies = [session.plan(edition) for edition in editions]
        for study, folder in zip(studies, folders, strict=True):
            check_folder(folder, report_on(study.edition.name, session.quick), session.force)
            make_folder(folder)
        reports = [session.report(study, folder, opens) for study, folder in zip(studies, folders, strict=True)]
    if as_json:
        objects = [as_object(report) for report in reports]
        print_json(objects if len(objects) > 1 else objects[0])
    else:
        from ttr_sim.cli.verdict import print_verdict

        for report in reports:
            if report is not reports[0]:
                click.echo()
            print_verdict(report, verbose)
    states = {target.state for report in reports for target in report.analysis.verdict.targets}
    return FINDINGS if fail and states & {*FAIL_AT[fail]} else None


def as_object(report: Report) -> dict[str, Any]:
    from ttr_sim.analysis.targets import as_rows

    analysis, verdict = report.analysis, report.analysis.verdict
    cards = []
    for card in verdict.cards:
        values = {name: getattr(card, name) for name in CARD_FIELDS}
        # JSON has no NaN.
        absent = {name: None for name, value in values.items() if isinstance(value, float) and isnan(value)}
        cards.append(values | absent)
    return {
        "edition": analysis.edition.name,
        "fingerprint": analysis.edition.fingerprint,
        "report": str(report.page),
        "runs": [{"run": str(run.path), "field": run.field, "players": run.players} for run in analysis.runs],
        "verdict": {"word": verdict.word, **{state: verdict.counts[state] for state in ("met", "open", "missed")}},
        "cards": cards,
        "findings": [{name: getattr(finding, name) for name in FINDING_FIELDS} for finding in analysis.findings],
        "seats": records(analysis.tables["seats"][SEAT_COLUMNS].rename(columns=INTERVAL)),
        "tickets": ticket_rows(report),
        "routes": records(analysis.tables["routes"][ROUTE_COLUMNS].rename(columns={"claimed": "claims"})),
        "rewards": records(analysis.tables["rewards"][REWARD_COLUMNS].rename(columns=INTERVAL)),
        "targets": as_rows(verdict.targets),
    }


def ticket_rows(report: Report) -> list[dict[str, Any]]:
    """Rows of all player counts together, with state and remedy, then of each count."""
    from ttr_sim.analysis.tickets import parse_holds

    analysis = report.analysis
    table, targets = analysis.tables["ticket_value"], {target.ticket: target for target in analysis.verdict.targets}
    several = table["players"].nunique() > 1
    rows: list[dict[str, Any]] = []
    for full in records(table):
        # `copy` distinguishes tickets of the same ends and deck.
        row = {name: full[name] for name in ("from", "to", "points", "deck")}
        row["copy"] = analysis.edition.tickets[full["ticket"]].copy
        row |= {INTERVAL.get(name, name): full[name] for name in TICKET_COLUMNS}
        row |= {"state": None, "side": "", "holds": {}, "try": None, "tried": None}
        # Tickets are judged over all player counts together. A single count says no more than its number.
        if several and full["players"] != ALL_PLAYER_COUNTS:
            rows.append(row)
            continue
        judged = {**row, "players": ALL_PLAYER_COUNTS, "holds": parse_holds(full["holds"] or "")}
        if target := targets.get(full["ticket"]):
            judged |= {"state": target.state, "side": target.side}
            # The corrected interval is the one that the state goes by.
            judged["low"], judged["high"] = target.interval
        if remedy := report.remedies.of(full["ticket"]):
            found = {"points": remedy.points, "excess": remedy.excess, "low": remedy.low, "high": remedy.high}
            judged |= {"try": found} if remedy.points is not None else {"tried": list(remedy.tried)}
        rows += [judged] if several else [judged, row]
    return rows

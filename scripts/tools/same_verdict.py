"""Compare what each command lists as missed and not sure, on the same games of a board.

Left out are styles, which only a whole study plays. A comparison has one player count, and is held against a study of
that one alone. It ends with 1 when two lists differ.
"""

from __future__ import annotations

import io
import json
import math
import re
import sys
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import chdir, redirect_stderr, redirect_stdout
from html import unescape
from pathlib import Path
from typing import Any
from unittest.mock import patch

import click

from tests.mixed_editions import mixed_edition
from ttr_sim.analysis.compare import compare
from ttr_sim.analysis.targets import MISSED, OPEN, ROUTES, STYLE, TICKET, Target
from ttr_sim.balance.evaluate import measure_board
from ttr_sim.cli import options
from ttr_sim.cli import study as study_command
from ttr_sim.cli.main import main as ttr_sim
from ttr_sim.cli.output import Progress
from ttr_sim.cli.watching import PageServer, WatchedBoard
from ttr_sim.edition import find_folder, load_edition
from ttr_sim.report.stage import route_name
from ttr_sim.run.lineups import MIXES, STRONG
from ttr_sim.run.read import open_run
from ttr_sim.run.workers import Workers

COMMAND = "scripts/python -m scripts.tools.same_verdict"
Listed = dict[tuple[str, str, int], str]  # state by name, measure and player count
ROW = re.compile(r'<span class="tk"><i class="no (?:miss|open)">\d+</i><span>(.*?)<small class="(miss|open)-t">')
MORE = re.compile(r'<p class="note">And \d+ more: (.*?)\.</p>')
ONE_MORE = re.compile(r"(.*?) \((maybe )?[a-z ]+\)(?:, |$)")


@click.command(help=__doc__)
@click.argument("boards", nargs=-1)
@click.option("--random", "seeds", type=int, multiple=True, help="Seed of a random board; repeatable.")
@click.option("--games", default=20_000, show_default=True, help="Games at each player count.")
@options.workers
def main(boards: tuple[str, ...], seeds: tuple[int, ...], games: int, workers: Workers) -> None:
    differ = 0
    with tempfile.TemporaryDirectory() as home:
        folders = [str(find_folder(name).resolve()) for name in boards]
        folders += [str(mixed_edition(seed, Path(home, f"mixed-{seed}"))) for seed in seeds]
        for board in folders:
            with chdir(tempfile.mkdtemp(dir=home)):
                listed, others = lists_of(board, games, workers)
            found = [name for name, same in others.items() if not same]
            states = list(listed.values())
            counts = f"{states.count(MISSED)} missed, {states.count(OPEN)} open"
            click.echo(f"{load_edition(board).title}: {counts}; {', '.join(found) or 'all the same'}")
            differ += len(found)
    sys.exit(int(differ > 0))


def lists_of(
    board: str, games: int, workers: Workers, players: tuple[int, ...] | None = None
) -> tuple[Listed, dict[str, bool]]:
    """List a study's targets missed and open, and by command whether it lists the same."""
    edition, same = load_edition(board), dict[str, bool]()
    # With parts of the usual size, all commands find the study's games on the disk.
    with patch.object(study_command, "QUICK_PART", None):
        words: tuple[object, ...] = ("study", board, "--games", games)
        words += ("--players", ",".join(map(str, players))) if players else ()
        code, told = run(*words, "--fail", "missed")
        whole = listed_rows(told["targets"])
        same["study --fail missed"] = code == int(any(row["state"] == MISSED for row in told["targets"]))
        code, again = run(*words, "--quick", "--fail", "open", "--out", "quick")
        same["study --quick --fail open"] = listed_rows(again["targets"]) == whole and code == int(bool(whole))
        session = study_command.StudySession(games, players, None, 1, True, workers, Progress(True), "", False)
        watched = WatchedBoard(board, Path("watched"), session)
        server = PageServer(("127.0.0.1", 0), None)  # type: ignore[arg-type]
        with redirect_stdout(io.StringIO()):
            watched.study(server)
        server.server_close()
        assert watched.latest is not None
        same["watch"] = listed(watched.latest.verdict.targets) == whole
        # What a comparison with a copy leaves missed or unsure, at one player count.
        runs = [open_run(each["run"]) for each in told["runs"] if each["field"] in (STRONG, MIXES)]
        count = runs[len(runs) // 2].plan.players
        alone = told if players == (count,) else run(*words, "--players", count, "--quick", "--out", "alone")[1]
        strong, *mixes = [each for each in runs if each.plan.players == count]
        changes = compare(strong, strong, 0.01, mixes * 2).targets
        left = listed([*changes.left, *changes.unsure])
        same["compare"] = not changes.fixed + changes.worse and left == listed_rows(alone["targets"], beyond_only=True)
    base = measure_board((), runs, edition.targets).targets
    same["balance before its edits"] = listed(base) == whole
    page = Path(told["report"]).read_text(encoding="utf-8")
    same["page"] = names_on(page) == names_of(edition, base)
    return whole, same


def run(*words: object) -> tuple[int, Any]:
    """Run ttr-sim with --json in this process: its exit code, and what it printed."""
    out = io.StringIO()
    try:
        with redirect_stdout(out), redirect_stderr(io.StringIO()):
            ttr_sim([*map(str, words), "--json", "-q"])
    except SystemExit as exit_:
        return int(exit_.code or 0), json.loads(out.getvalue())
    raise AssertionError("ttr-sim ends with an exit code")


def listed_rows(rows: Iterable[Mapping[str, Any]], beyond_only: bool = False) -> Listed:
    """The same of targets as JSON."""
    targets = []
    for row in rows:
        value, low, high = (math.nan if row[name] is None else row[name] for name in ("value", "low", "high"))
        floor, ceiling = row["limit"]
        targets.append(Target(row["name"], row["measure"], row["players"], value, low, high, (floor, ceiling)))
        assert targets[-1].state == row["state"]
    return listed([target for target in targets if target.state == MISSED or target.beyond or not beyond_only])


def listed(targets: Iterable[Target]) -> Listed:
    """Targets that are missed or open, without those of styles."""
    found = [target for target in targets if target.state in (MISSED, OPEN) and target.measure != STYLE]
    return {(target.name, target.measure, target.players): str(target.state) for target in found}


def names_of(edition: Any, targets: Iterable[Target]) -> set[tuple[str, str]]:
    """Tickets and routes to fix (`miss`) or not sure yet (`open`), worst first where a route has several targets."""
    names: dict[str, str] = {}
    for target in sorted(targets, key=lambda target: (target.state != MISSED, -target.beyond, target.name)):
        if target.state == MISSED or (target.state == OPEN and target.beyond):
            look = "miss" if target.state == MISSED else "open"
            if target.measure == TICKET:
                ticket = edition.tickets[target.row or 0]
                names.setdefault(f"{ticket.a}–{ticket.b}", look)
            elif target.topic == ROUTES:
                names.setdefault(route_name(edition, target.row or 0), look)
    return set(names.items())


def names_on(page: str) -> set[tuple[str, str]]:
    """The same as the page's table of changes lists them."""
    names = {(unescape(name), look) for name, look in ROW.findall(page)}
    for more in MORE.findall(page):
        names |= {(name, "open" if maybe else "miss") for name, maybe in ONE_MORE.findall(unescape(more))}
    return names


if __name__ == "__main__":
    main(prog_name=COMMAND)

"""The page of a balance: what to change and why, the map with the edits marked, each target before and after, the path
of edits, and how it was made."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from ttr_sim import __version__
from ttr_sim.balance.edits import TICKETS, Edit, words
from ttr_sim.balance.targets import CLAIMED, FOUGHT_OVER, LOCKED_OUT, SEAT, TICKET, Target, ticket_name
from ttr_sim.report.balance_map import balance_map
from ttr_sim.report.board.canvas import settings
from ttr_sim.report.board.svg import svg_of
from ttr_sim.report.document import write_document
from ttr_sim.report.folder import PAGE, new_report
from ttr_sim.report.inline import inline
from ttr_sim.report.numbers import MISSING, interval, players_words, signed, written
from ttr_sim.report.pictures import write_picture
from ttr_sim.report.reports import REPORTS
from ttr_sim.report.spreadsheets import write_tables
from ttr_sim.report.views import Heading, PageCell, PageRow, View

if TYPE_CHECKING:
    from markupsafe import Markup

    from ttr_sim.analysis.tables import Unit
    from ttr_sim.balance.outcome import BalanceOutcome
    from ttr_sim.balance.proof import BeforeAfter

MEASURES: dict[str, tuple[str, Unit]] = {
    TICKET: ("wins beyond its class", "change"),
    CLAIMED: ("claims per game", "number"),
    FOUGHT_OVER: ("fought over, claims per game", "number"),
    LOCKED_OUT: ("locks out, share of games", "share"),
    SEAT: ("wins of the seat", "share"),
}
STATES = {True: "met", False: "● missed", None: "open"}
ALWAYS_SHOWN = (TICKET, SEAT)


def write_balance(outcome: BalanceOutcome, command: str, folder: Path | None = None) -> Path:
    """Write index.html, the map and tables/*.csv; return the path of the page."""
    folder = folder or REPORTS / outcome.order.out.name
    with new_report(folder) as beside:
        write_tables({"targets": _targets_table(outcome.proof.pairs), "path": _path_table(outcome)}, beside / "tables")
        (beside / "charts").mkdir()
        drawing = _map(outcome, beside / "charts") if outcome.edits else None
        write_document(beside / PAGE, "balance.html.j2", {"map": drawing} | _words(outcome, command))
    return folder / PAGE


def _map(outcome: BalanceOutcome, folder: Path) -> Markup:
    edition = outcome.order.edition
    with settings():
        drawn = balance_map(edition, outcome.edits)
        write_picture(drawn.figure, folder / "map-edits.png", f"Edits on the map of {edition.title}")
        return inline(svg_of(drawn.figure, "edits-", drawn.titles), "The edits on the map", "group")


def _words(outcome: BalanceOutcome, command: str) -> dict[str, Any]:
    order, proof = outcome.order, outcome.proof
    missed_before, missed = len(proof.before.missed), len(proof.missed)
    return {
        "edition": order.edition,
        "out": outcome.out,
        "edits": [(words(order.edition, edit), _why(outcome, edit)) for edit in outcome.edits],
        "missed": (missed_before, missed),
        "open": sum(pair.after.met is None for pair in proof.pairs),
        "unmended": outcome.unmended,
        "margin": f"{order.wanted.margin:g}",
        "locks": order.wanted.locked,
        "kinds": ", ".join(sorted(order.kinds)),
        "targets": _targets_view(proof.pairs),
        "path": _path_view(outcome),
        "games": sum(run.finished_games for run in proof.after.runs),
        "search_games": sum(run.finished_games for run in outcome.found.path[0].runs),
        "seeds": (outcome.found.sample.seed, proof.sample.seed),
        "command": command,
        "version": __version__,
    }


def _why(outcome: BalanceOutcome, edit: Edit) -> str:
    """Say what the edit mends: of a ticket's points, its wins before and after on the fresh deals."""
    if edit.file != TICKETS:
        return "it brings what is missed nearer to its limit, surely, on the deals of the search"
    name = ticket_name(outcome.order.edition, edit.row)
    pair = next(pair for pair in outcome.proof.pairs if pair.after.name == name)
    if pair.before is None:
        return ""
    kind = "too generous" if pair.before.value > 0 else "too stingy"
    return f"{kind}: {_wins(pair.before)} wins in 100 beyond its class before, {_wins(pair.after)} with the edits"


def _wins(target: Target) -> str:
    return f"{signed(target.value, 'change')} ({interval(target.low, target.high, 'change')})"


def _targets_table(pairs: Iterable[BeforeAfter]) -> pd.DataFrame:
    rows = [
        (
            pair.after.name,
            pair.after.measure,
            pair.after.players,
            *(getattr(pair.before, name, None) for name in ("value", "low", "high")),
            *(pair.after.value, pair.after.low, pair.after.high, *pair.after.limit),
            STATES[pair.after.met].removeprefix("● "),
        )
        for pair in pairs
    ]
    names = ["name", "measure", "players", "before", "before_low", "before_high", "after", "after_low", "after_high"]
    return pd.DataFrame(rows, columns=[*names, "limit_low", "limit_high", "state"])


def _targets_view(pairs: Iterable[BeforeAfter]) -> View:
    """Show tickets, seats, and whatever is not met; the others are in the table's file."""
    shown = [pair for pair in pairs if pair.after.measure in ALWAYS_SHOWN or not _is_quiet(pair)]
    shown.sort(key=lambda pair: (pair.after.met is not False, pair.after.met is True, -_size(pair), pair.after.name))
    headings = [
        Heading("target", "", "what is asked of the board", numeric=False),
        Heading("measure", "", "what is measured", numeric=False),
        Heading("players", "", "all: all player counts together", numeric=False),
        Heading("before", "", "on the board as it is, with its 95 % interval, corrected", numeric=True),
        Heading("after", "", "on the edited board, same deals", numeric=True),
        Heading("limit", "", "what is asked", numeric=False),
        Heading("state", "", "met, missed, or open: more games would tell", numeric=False),
    ]
    rows = [PageRow("", None, "", _cells(pair)) for pair in shown]
    meaning = (
        "Fresh deals, the same before and after. Tickets are shown all together; connections only where they are not "
        "met. Missed: the whole interval is beyond the limit."
    )
    return View("targets", "Each target before and after", meaning, headings, rows, [], "")


def _is_quiet(pair: BeforeAfter) -> bool:
    return pair.after.met is True and (pair.before is None or pair.before.met is True)


def _size(pair: BeforeAfter) -> float:
    return max(
        abs(target.value) if target.measure == TICKET else 0.0 for target in (pair.before or pair.after, pair.after)
    )


def _cells(pair: BeforeAfter) -> list[PageCell]:
    words_of, unit = MEASURES.get(pair.after.measure, (pair.after.measure, "share"))
    players = "all" if not pair.after.players else players_words(pair.after.players)
    return [
        PageCell(pair.after.name),
        PageCell(words_of),
        PageCell(players),
        PageCell(MISSING) if pair.before is None else _number(pair.before, unit),
        _number(pair.after, unit),
        PageCell(_limit_words(pair.after, unit)),
        PageCell(STATES[pair.after.met]),
    ]


def _number(target: Target, unit: Unit) -> PageCell:
    return PageCell(written(target.value, unit), interval(target.low, target.high, unit))


def _limit_words(target: Target, unit: Unit) -> str:
    floor, ceiling = target.limit
    if floor is None and ceiling is None:
        return "none"
    if floor is None:
        return f"at most {written(ceiling, unit)}"
    if ceiling is None:
        return f"at least {written(floor, unit)}"
    return f"{written(floor, unit)} to {written(ceiling, unit)}"


def _path_table(outcome: BalanceOutcome) -> pd.DataFrame:
    """Return what each further edit buys, on the deals of the search."""
    edition = outcome.order.edition
    rows: list[tuple[int, str, int, float]] = []
    before: frozenset[Edit] = frozenset()
    for board in outcome.found.path:
        added = " · ".join(words(edition, edit) for edit in board.edits if edit not in before)
        rows.append((len(board.edits), added, len(board.missed), board.worst))
        before = frozenset(board.edits)
    return pd.DataFrame(rows, columns=["edits", "edit", "missed", "worst"])


def _path_view(outcome: BalanceOutcome) -> View:
    headings = [
        Heading("edits", "", "in all", numeric=True),
        Heading("the last of them", "", "", numeric=False),
        Heading("targets missed", "", "on the deals of the search", numeric=True),
        Heading("the worst, beyond its limit", "%", "in parts of the limit", numeric=True),
    ]
    rows = [
        PageRow(
            "", None, "", [PageCell(str(edits)), PageCell(added), PageCell(str(missed)), PageCell(f"{worst * 100:.0f}")]
        )
        for edits, added, missed, worst in _path_table(outcome).itertuples(index=False, name=None)
    ]
    meaning = (
        "What 1, 2, 3 ... edits buy, those that buy most first: you may stop early. The first line rests on more games "
        "than the others."
    )
    return View("path", "The path of edits", meaning, headings, rows, [], "")

"""The page of a balance: edits with reasons, each target before and after."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from ttr_sim.analysis.official import Ranges, official_ranges
from ttr_sim.analysis.targets import CLAIMED, FOUGHT_OVER, LOCKED_OUT, MET, MISSED, OPEN, SEAT, STYLE, TICKET, Target
from ttr_sim.analysis.verdict import describe
from ttr_sim.balance.edits import TICKETS, Edit, describe_edit
from ttr_sim.report.changes import balance_map
from ttr_sim.report.document import write_document
from ttr_sim.report.figures import inline, settings, svg_of, write_picture
from ttr_sim.report.folder import BALANCED, PAGE, changes_to, new_report
from ttr_sim.report.numbers import MISSING, interval, players_words, signed, written
from ttr_sim.report.ranges import WHOLE_LIST
from ttr_sim.report.tables import Heading, PageCell, View, plain_view, write_tables

if TYPE_CHECKING:
    from ttr_sim.analysis.tables import Unit
    from ttr_sim.balance.outcome import BalanceOutcome, BeforeAfter

# Words and unit of each measure, and its table and column among the official ranges.
MEASURES: dict[str, tuple[str, Unit, str, str]] = {
    TICKET: ("wins beyond tickets as long", "change", "ticket_value", "excess"),
    CLAIMED: ("claims per game", "number", "connections", "claims"),
    FOUGHT_OVER: ("fought over, claims per game", "number", "connections", "contention"),
    LOCKED_OUT: ("locks out, share of games", "share", "routes", "denial"),
    SEAT: ("wins of the best seat", "share", "seats", "win_share"),
    STYLE: ("wins of one such player among strong ones", "share", "", ""),
}
STATES = {MET: "✓ met", MISSED: "✗ missed", OPEN: "? open", None: "not measured"}
PLAYERS = Heading("players", "all: all player counts together")
OFFICIAL = Heading("official boards", "where nine in ten of their tickets, connections or routes lie", numeric=True)
ASKED = (
    Heading("what is measured"),
    PLAYERS,
    Heading("what is asked"),
    Heading("this board", "from the lowest to the highest, before any edit", numeric=True),
    OFFICIAL,
    Heading("missed", "targets that are missed, and all of them", numeric=True),
)
TARGETS = (
    Heading("target", "what is asked of the board"),
    Heading("measure", "what is measured"),
    PLAYERS,
    Heading("before", "on the board as it is, with its 95 % interval, corrected", numeric=True),
    Heading("after", "on the edited board, same deals", numeric=True),
    Heading("limit", "what is asked"),
    OFFICIAL,
    Heading("state", "met, missed, or open: more games would tell"),
)
PATH = (
    Heading("edits", "in all", numeric=True),
    Heading("the last of them"),
    Heading("targets missed", "on the deals of the search", numeric=True),
    Heading("the worst, beyond its limit", "in parts of the limit", "%", numeric=True),
)


def write_balance(outcome: BalanceOutcome, command: str, folder: Path, force: bool = False) -> Path:
    """Write the page with its map and tables."""
    edition, proof = outcome.order.edition, outcome.proof
    ranges = official_ranges(edition)
    asked = _asked_view(proof.before.targets, ranges)
    words = [[cell.words for cell in row.cells] for row in asked.rows]
    asked_table = pd.DataFrame(words, columns=[heading.words for heading in ASKED])
    path_table, path = _path(outcome)
    context = {
        "outcome": outcome,
        "asked": asked,
        "targets": _targets_view(proof.pairs, ranges),
        "path": path,
        "edition": edition,
        "edits": [(describe_edit(edition, edit), _reason(outcome, edit)) for edit in outcome.edits],
        "left": [(describe(edition, left.target) if left.target else left.name, left.why) for left in outcome.unfixed],
        "command": command,
        "map": None,
    }
    with new_report(folder, changes_to(edition.name), force) as new:
        tables = (asked_table, _targets_table(proof.pairs), path_table)
        write_tables(dict(zip(BALANCED, tables, strict=True)), new / "tables")
        (new / "charts").mkdir()
        if outcome.edits:
            with settings():
                figure, titles = balance_map(edition, outcome.edits)
                write_picture(figure, new / "charts" / "map-edits.png", f"Edits on the map of {edition.title}")
                context["map"] = inline(svg_of(figure, "edits-", titles), "The edits on the map", "group")
        write_document(new / PAGE, "balance.html.j2", context)
    return folder / PAGE


def _reason(outcome: BalanceOutcome, edit: Edit) -> str:
    """Give the reason for an edit, with a ticket's wins before and after."""
    if edit.file != TICKETS:
        return "it brings what is missed nearer to its limit, surely, on the deals of the search"
    pair = next(pair for pair in outcome.proof.pairs if pair.after.ticket == edit.row)
    if pair.before is None:
        return ""
    kind = "too generous" if pair.before.value > 0 else "too stingy"
    before, after = (
        f"{signed(target.value, 'change')} ({interval(target.low, target.high, 'change')})"
        for target in (pair.before, pair.after)
    )
    return f"{kind}: {before} wins in 100 beyond tickets as long before, {after} with the edits"


def _path(outcome: BalanceOutcome) -> tuple[pd.DataFrame, View]:
    """The gain of each further edit, on the deals of the search."""
    rows, cells = [], []
    before: frozenset[Edit] = frozenset()
    for board in outcome.found.path:
        edits = [describe_edit(outcome.order.edition, edit) for edit in board.edits if edit not in before]
        added, missed, before = " · ".join(edits), len(board.missed), frozenset(board.edits)
        rows.append((len(board.edits), added, missed, board.worst))
        cells.append([str(len(board.edits)), added, str(missed), f"{board.worst * 100:.0f}"])
    meaning = (
        "What 1, 2, 3 ... edits buy, those that buy most first: you may stop early. The first line rests on more games "
        "than the others."
    )
    table = pd.DataFrame(rows, columns=["edits", "edit", "missed", "worst"])
    return table, plain_view("path", "The path of edits", meaning, PATH, cells)


def _in_words(target: Target, ranges: Ranges) -> tuple[str, str, str, str]:
    """Write a target's measure, player count, limit and official range."""
    words, unit, table, column = MEASURES[target.measure]
    players = players_words(target.players) if target.players else "all"
    floor, ceiling = target.limit
    if floor is None:
        limit = "none" if ceiling is None else f"at most {written(ceiling, unit)}"
    else:
        limit = f"at least {written(floor, unit)}" if ceiling is None else interval(floor, ceiling, unit)
    key = target.name.split(" ")[1] if target.measure == SEAT else WHOLE_LIST
    span = ranges.of(table, target.players, key, column)
    return words, players, limit, interval(*span, unit) if span else MISSING


def _asked_view(before: Iterable[Target], ranges: Ranges) -> View:
    """Show the limits by kind and player count, next to both boards' numbers."""

    def kind_of(target: Target) -> tuple[int, int, str]:
        # A connection has one target, at the player count where it is claimed most.
        players = 0 if target.measure == CLAIMED else target.players
        return list(MEASURES).index(target.measure), players, str(target.limit)

    rows = []
    for _, group in groupby(sorted(before, key=kind_of), key=kind_of):
        targets = list(group)
        first, values = targets[0], [target.value for target in targets]
        measure, players, limit, _ = _in_words(first, ranges)
        if first.measure == CLAIMED:
            players = "the count with most"
        official = {_in_words(target, ranges)[3] for target in targets}
        span = interval(min(values), max(values), MEASURES[first.measure][1])
        missed = f"{sum(target.state == MISSED for target in targets)} of {len(targets)}"
        rows.append([measure, players, limit, span, official.pop() if len(official) == 1 else MISSING, missed])
    meaning = (
        "A board is fair here when it keeps to this. What is locked is not counted; turn order is shown, never changed."
    )
    return plain_view("asked", "What is asked of the board", meaning, ASKED, rows)


def _targets_table(pairs: Iterable[BeforeAfter]) -> pd.DataFrame:
    rows = []
    for pair in pairs:
        row = {"name": pair.after.name, "measure": pair.after.measure, "players": pair.after.players}
        for when, target in (("before", pair.before), ("after", pair.after)):
            for name, end in (("value", ""), ("low", "_low"), ("high", "_high")):
                row[f"{when}{end}"] = getattr(target, name, None)
        row["limit_low"], row["limit_high"] = pair.after.limit
        rows.append(row | {"state": pair.after.state or ""})
    return pd.DataFrame(rows)


def _targets_view(pairs: Iterable[BeforeAfter], ranges: Ranges) -> View:
    """Show tickets, seats, and all targets not met, the missed and largest first."""

    def order(pair: BeforeAfter) -> tuple[bool, bool, float, str]:
        sizes = [abs(target.value) for target in (pair.before, pair.after) if target and target.measure == TICKET]
        return pair.after.state != MISSED, pair.after.state == MET, -max(sizes, default=0.0), pair.after.name

    rows: list[list[PageCell | str]] = []
    for pair in sorted(pairs, key=order):
        target, name = pair.after, pair.after.name
        is_met = target.state == MET and (pair.before is None or pair.before.state == MET)
        if is_met and target.measure not in (TICKET, SEAT):
            continue
        if target.measure == SEAT:
            name = f"player {int(name.removeprefix('seat ')) + 1} in turn order"
        measure, players, limit, official = _in_words(target, ranges)
        unit, numbers = MEASURES[target.measure][1], []
        for each in (pair.before, target):
            between = interval(each.low, each.high, unit) if each else ""
            numbers.append(PageCell(written(each and each.value, unit), between))
        rows.append([name, measure, players, *numbers, limit, official, STATES[target.state]])
    meaning = (
        "Fresh deals, the same before and after. Tickets are shown all together; connections only where they are not "
        "met. Missed: the whole interval is beyond the limit."
    )
    return plain_view("targets", "Each target before and after", meaning, TARGETS, rows)

"""The page of a balance: edits with reasons, each target before and after."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pandas as pd

from ttr_sim.balance.edits import TICKETS, Edit, describe_edit
from ttr_sim.balance.targets import CLAIMED, FOUGHT_OVER, LOCKED_OUT, SEAT, STYLE, TICKET, Target
from ttr_sim.report.changes import balance_map
from ttr_sim.report.document import write_document
from ttr_sim.report.figures import inline, settings, svg_of, write_picture
from ttr_sim.report.folder import PAGE, changes_to, new_report
from ttr_sim.report.numbers import MISSING, interval, players_words, signed, written
from ttr_sim.report.ranges import WHOLE_LIST, Ranges, official_ranges
from ttr_sim.report.tables import Heading, PageCell, View, plain_view, write_tables

if TYPE_CHECKING:
    from markupsafe import Markup

    from ttr_sim.analysis.tables import Unit
    from ttr_sim.balance.outcome import BalanceOutcome
    from ttr_sim.balance.proof import BeforeAfter


class MeasureWords(NamedTuple):
    """Words and unit of a measure, and its table among the official ranges."""

    words: str
    unit: Unit
    table: str = ""
    column: str = ""


MEASURES = {
    TICKET: MeasureWords("wins beyond its class", "change", "ticket_value", "excess"),
    CLAIMED: MeasureWords("claims per game", "number", "connections", "claims"),
    FOUGHT_OVER: MeasureWords("fought over, claims per game", "number", "connections", "contention"),
    LOCKED_OUT: MeasureWords("locks out, share of games", "share", "routes", "denial"),
    SEAT: MeasureWords("wins of the seat", "share", "seats", "win_share"),
    STYLE: MeasureWords("wins of one such player among strong ones", "share"),
}
STATES = {True: "met", False: "● missed", None: "open"}
ALWAYS_SHOWN = (TICKET, SEAT)
PLAYERS = Heading("players", "all: all player counts together")
OFFICIAL = Heading("official boards", "where nine in ten of their tickets, connections or routes lie", numeric=True)


def write_balance(outcome: BalanceOutcome, command: str, folder: Path, force: bool = False) -> Path:
    """Write the page with its map and tables."""
    order, proof = outcome.order, outcome.proof
    ranges, path = official_ranges(order.edition), _path_table(outcome)
    asked = _asked_view(proof.before.targets, ranges)
    words = [[cell.words for cell in row.cells] for row in asked.rows]
    table_of_asked = pd.DataFrame(words, columns=[heading.words for heading in asked.headings])
    context = {
        "outcome": outcome,
        "asked": asked,
        "targets": _targets_view(proof.pairs, ranges),
        "path": _path_view(path),
        "edition": order.edition,
        "edits": [(describe_edit(order.edition, edit), _why(outcome, edit)) for edit in outcome.edits],
        "command": command,
    }
    with new_report(folder, changes_to(order.edition.name), force) as new:
        write_tables({"asked": table_of_asked, "targets": _targets_table(proof.pairs), "path": path}, new / "tables")
        (new / "charts").mkdir()
        context["map"] = _map(outcome, new / "charts") if outcome.edits else None
        write_document(new / PAGE, "balance.html.j2", context)
    return folder / PAGE


def _map(outcome: BalanceOutcome, folder: Path) -> Markup:
    edition = outcome.order.edition
    with settings():
        figure, titles = balance_map(edition, outcome.edits)
        write_picture(figure, folder / "map-edits.png", f"Edits on the map of {edition.title}")
        return inline(svg_of(figure, "edits-", titles), "The edits on the map", "group")


def _why(outcome: BalanceOutcome, edit: Edit) -> str:
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
    return f"{kind}: {before} wins in 100 beyond its class before, {after} with the edits"


def _path_table(outcome: BalanceOutcome) -> pd.DataFrame:
    """The gain of each further edit, on the deals of the search."""
    rows: list[tuple[int, str, int, float]] = []
    before: frozenset[Edit] = frozenset()
    for board in outcome.found.path:
        added = [describe_edit(outcome.order.edition, edit) for edit in board.edits if edit not in before]
        rows.append((len(board.edits), " · ".join(added), len(board.missed), board.worst))
        before = frozenset(board.edits)
    return pd.DataFrame(rows, columns=["edits", "edit", "missed", "worst"])


def _path_view(path: pd.DataFrame) -> View:
    headings = [
        Heading("edits", "in all", numeric=True),
        Heading("the last of them"),
        Heading("targets missed", "on the deals of the search", numeric=True),
        Heading("the worst, beyond its limit", "in parts of the limit", "%", numeric=True),
    ]
    rows: list[list[PageCell | str]] = [
        [str(edits), added, str(missed), f"{worst * 100:.0f}"]
        for edits, added, missed, worst in path.itertuples(index=False, name=None)
    ]
    meaning = (
        "What 1, 2, 3 ... edits buy, those that buy most first: you may stop early. The first line rests on more games "
        "than the others."
    )
    return plain_view("path", "The path of edits", meaning, headings, rows)


def _asked_view(before: Iterable[Target], ranges: Ranges) -> View:
    """Show the limits by kind and player count, next to both boards' numbers."""
    headings = [
        Heading("what is measured"),
        PLAYERS,
        Heading("what is asked"),
        Heading("this board", "from the lowest to the highest, before any edit", numeric=True),
        OFFICIAL,
        Heading("missed", "targets that are missed, and all of them", numeric=True),
    ]

    def kind_of(target: Target) -> tuple[int, int, str]:
        # A connection has one target, at the player count where it is claimed most.
        players = 0 if target.measure == CLAIMED else target.players
        return list(MEASURES).index(target.measure), players, str(target.limit)

    rows: list[list[PageCell | str]] = []
    for _, group in groupby(sorted(before, key=kind_of), key=kind_of):
        alike = list(group)
        first, values, unit = alike[0], [target.value for target in alike], MEASURES[alike[0].measure].unit
        players, official = _players(first), {_official(target, ranges) for target in alike}
        rows.append(
            [
                MEASURES[first.measure].words,
                "the count with most" if first.measure == CLAIMED else players,
                _limit_words(first, unit),
                interval(min(values), max(values), unit),
                official.pop() if len(official) == 1 else MISSING,
                f"{sum(target.met is False for target in alike)} of {len(alike)}",
            ]
        )
    meaning = (
        "A board is fair here when it keeps to this. What is locked is not counted; turn order is shown, never changed."
    )
    return plain_view("asked", "What is asked of the board", meaning, headings, rows)


def _targets_table(pairs: Iterable[BeforeAfter]) -> pd.DataFrame:
    rows = []
    for pair in pairs:
        about = {"name": pair.after.name, "measure": pair.after.measure, "players": pair.after.players}
        for when, target in (("before", pair.before), ("after", pair.after)):
            for name, end in (("value", ""), ("low", "_low"), ("high", "_high")):
                about[f"{when}{end}"] = getattr(target, name, None)
        about["limit_low"], about["limit_high"] = pair.after.limit
        rows.append(about | {"state": STATES[pair.after.met].removeprefix("● ")})
    return pd.DataFrame(rows)


def _targets_view(pairs: Iterable[BeforeAfter], ranges: Ranges) -> View:
    """Show tickets, seats, and all targets not met."""
    headings = [
        Heading("target", "what is asked of the board"),
        Heading("measure", "what is measured"),
        PLAYERS,
        Heading("before", "on the board as it is, with its 95 % interval, corrected", numeric=True),
        Heading("after", "on the edited board, same deals", numeric=True),
        Heading("limit", "what is asked"),
        OFFICIAL,
        Heading("state", "met, missed, or open: more games would tell"),
    ]

    def is_shown(pair: BeforeAfter) -> bool:
        is_met = pair.after.met is True and (pair.before is None or pair.before.met is True)
        return pair.after.measure in ALWAYS_SHOWN or not is_met

    def order(pair: BeforeAfter) -> tuple[bool, bool, float, str]:
        sizes = [abs(target.value) for target in (pair.before, pair.after) if target and target.measure == TICKET]
        return pair.after.met is not False, pair.after.met is True, -max(sizes, default=0.0), pair.after.name

    rows: list[list[PageCell | str]] = []
    for pair in sorted(filter(is_shown, pairs), key=order):
        target, name, measure = pair.after, pair.after.name, MEASURES[pair.after.measure]
        if target.measure == SEAT:
            name = f"player {int(name.removeprefix('seat ')) + 1} in turn order"
        numbers = [_number(each, measure.unit) for each in (pair.before, target)]
        limit = _limit_words(target, measure.unit)
        words = [name, measure.words, _players(target)]
        rows.append([*words, *numbers, limit, _official(target, ranges), STATES[target.met]])
    meaning = (
        "Fresh deals, the same before and after. Tickets are shown all together; connections only where they are not "
        "met. Missed: the whole interval is beyond the limit."
    )
    return plain_view("targets", "Each target before and after", meaning, headings, rows)


def _official(target: Target, ranges: Ranges) -> str:
    """Write the official range: of all seats, or nine in ten of a list."""
    measure = MEASURES[target.measure]
    key = target.name.split(" ")[1] if target.measure == SEAT else WHOLE_LIST
    span = ranges.of(measure.table, target.players, key, measure.column)
    return interval(*span, measure.unit) if span else MISSING


def _players(target: Target) -> str:
    return players_words(target.players) if target.players else "all"


def _number(target: Target | None, unit: Unit) -> PageCell:
    if target is None:
        return PageCell(MISSING)
    return PageCell(written(target.value, unit), interval(target.low, target.high, unit))


def _limit_words(target: Target, unit: Unit) -> str:
    floor, ceiling = target.limit
    if floor is None:
        return "none" if ceiling is None else f"at most {written(ceiling, unit)}"
    return f"at least {written(floor, unit)}" if ceiling is None else interval(floor, ceiling, unit)

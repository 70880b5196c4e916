"""The page of a balance: the edits and their reasons, each target before and after, and how it was made."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pandas as pd

from ttr_sim.balance.edits import TICKETS, Edit, describe_edit
from ttr_sim.balance.targets import CLAIMED, FOUGHT_OVER, LOCKED_OUT, SEAT, STYLE, TICKET, Target, ticket_name
from ttr_sim.report.change_maps import balance_map
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
    """How a measure is written, and the table of the official ranges that has it."""

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
OF_TARGET = ("value", "low", "high")


def write_balance(outcome: BalanceOutcome, command: str, folder: Path, force: bool = False) -> Path:
    """Write the page with its map and tables."""
    order, proof = outcome.order, outcome.proof
    ranges, path = official_ranges(order.edition), _path_table(outcome)
    asked = _asked_view(proof.before.targets, ranges)
    words = [[cell.words for cell in row.cells] for row in asked.rows]
    tables = {
        "asked": pd.DataFrame(words, columns=[heading.words for heading in asked.headings]),
        "targets": _targets_table(proof.pairs),
        "path": path,
    }
    context = {
        "asked": asked,
        "targets": _targets_view(proof.pairs, ranges),
        "path": _path_view(path),
        "edition": order.edition,
        "out": outcome.out,
        "edits": [(describe_edit(order.edition, edit), _why(outcome, edit)) for edit in outcome.edits],
        "missed": (len(proof.before.missed), len(proof.missed)),
        "open": sum(pair.after.met is None for pair in proof.pairs),
        "unmended": outcome.unfixed,
        "spot_check": proof.spot_check.sentence if proof.spot_check else "",
        "margin": f"{order.wanted.margin:g}",
        "locks": order.wanted.locked,
        "kinds": ", ".join(sorted(order.kinds)),
        "games": sum(run.finished_games for run in proof.after.runs),
        "search_games": sum(run.finished_games for run in outcome.found.path[0].runs),
        "seeds": (outcome.found.sample.seed, proof.sample.seed),
        "command": command,
    }
    with new_report(folder, changes_to(order.edition.name), force) as new:
        write_tables(tables, new / "tables")
        (new / "charts").mkdir()
        drawing = _map(outcome, new / "charts") if outcome.edits else None
        write_document(new / PAGE, "balance.html.j2", {"map": drawing} | context)
    return folder / PAGE


def _map(outcome: BalanceOutcome, folder: Path) -> Markup:
    edition = outcome.order.edition
    with settings():
        figure, titles = balance_map(edition, outcome.edits)
        write_picture(figure, folder / "map-edits.png", f"Edits on the map of {edition.title}")
        return inline(svg_of(figure, "edits-", titles), "The edits on the map", "group")


def _why(outcome: BalanceOutcome, edit: Edit) -> str:
    """Give the reason for an edit: for a ticket's points, its wins before and after on the fresh deals."""
    if edit.file != TICKETS:
        return "it brings what is missed nearer to its limit, surely, on the deals of the search"
    name = ticket_name(outcome.order.edition, edit.row)
    pair = next(pair for pair in outcome.proof.pairs if pair.after.name == name)
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
        Heading("edits", "", "in all", numeric=True),
        Heading("the last of them", "", "", numeric=False),
        Heading("targets missed", "", "on the deals of the search", numeric=True),
        Heading("the worst, beyond its limit", "%", "in parts of the limit", numeric=True),
    ]
    rows = [
        [PageCell(str(edits)), PageCell(added), PageCell(str(missed)), PageCell(f"{worst * 100:.0f}")]
        for edits, added, missed, worst in path.itertuples(index=False, name=None)
    ]
    meaning = (
        "What 1, 2, 3 ... edits buy, those that buy most first: you may stop early. The first line rests on more games "
        "than the others."
    )
    return plain_view("path", "The path of edits", meaning, headings, rows)


def _asked_view(before: Iterable[Target], ranges: Ranges) -> View:
    """Show the limits by kind and player count, with the board's own numbers and the official boards' beside."""
    headings = [
        Heading("what is measured", "", "", numeric=False),
        Heading("players", "", "all: all player counts together", numeric=False),
        Heading("what is asked", "", "", numeric=False),
        Heading("this board", "", "from the lowest to the highest, before any edit", numeric=True),
        Heading("official boards", "", "where nine in ten of their tickets, connections or routes lie", numeric=True),
        Heading("missed", "", "targets that are missed, and all of them", numeric=True),
    ]

    def kind_of(target: Target) -> tuple[int, int, str]:
        # Connections have one target each: they are claimed where they are claimed most.
        players = 0 if target.measure == CLAIMED else target.players
        return list(MEASURES).index(target.measure), players, str(target.limit)

    rows = []
    for _, group in groupby(sorted(before, key=kind_of), key=kind_of):
        alike = list(group)
        first, values = alike[0], [target.value for target in alike]
        measure, official = MEASURES[first.measure], {_official(target, ranges) for target in alike}
        texts = (
            measure.words,
            "the count with most" if first.measure == CLAIMED else _players(first),
            _limit_words(first, measure.unit),
            interval(min(values), max(values), measure.unit),
            (official.pop() if len(official) == 1 else "") or MISSING,
            f"{sum(target.met is False for target in alike)} of {len(alike)}",
        )
        rows.append([PageCell(text) for text in texts])
    meaning = (
        "A board is fair here when it keeps to this. What is locked is not counted; turn order is shown, never changed."
    )
    return plain_view("asked", "What is asked of the board", meaning, headings, rows)


def _targets_table(pairs: Iterable[BeforeAfter]) -> pd.DataFrame:
    rows = []
    for pair in pairs:
        before = [getattr(pair.before, name, None) for name in OF_TARGET]
        after = [getattr(pair.after, name) for name in OF_TARGET]
        state = STATES[pair.after.met].removeprefix("● ")
        about = (pair.after.name, pair.after.measure, pair.after.players)
        rows.append([*about, *before, *after, *pair.after.limit, state])
    names = ["name", "measure", "players", "before", "before_low", "before_high", "after", "after_low", "after_high"]
    return pd.DataFrame(rows, columns=[*names, "limit_low", "limit_high", "state"])


def _targets_view(pairs: Iterable[BeforeAfter], ranges: Ranges) -> View:
    """Show tickets, seats, and all targets not met; the others are in the table's file."""
    headings = [
        Heading("target", "", "what is asked of the board", numeric=False),
        Heading("measure", "", "what is measured", numeric=False),
        Heading("players", "", "all: all player counts together", numeric=False),
        Heading("before", "", "on the board as it is, with its 95 % interval, corrected", numeric=True),
        Heading("after", "", "on the edited board, same deals", numeric=True),
        Heading("limit", "", "what is asked", numeric=False),
        Heading("official boards", "", "where nine in ten of their tickets, connections or routes lie", numeric=True),
        Heading("state", "", "met, missed, or open: more games would tell", numeric=False),
    ]

    def is_shown(pair: BeforeAfter) -> bool:
        is_met = pair.after.met is True and (pair.before is None or pair.before.met is True)
        return pair.after.measure in ALWAYS_SHOWN or not is_met

    def order(pair: BeforeAfter) -> tuple[bool, bool, float, str]:
        values = [abs(t.value) for t in (pair.before, pair.after) if t and t.measure == TICKET]
        return pair.after.met is not False, pair.after.met is True, -max(values, default=0.0), pair.after.name

    rows = [_target_cells(pair, ranges) for pair in sorted(filter(is_shown, pairs), key=order)]
    meaning = (
        "Fresh deals, the same before and after. Tickets are shown all together; connections only where they are not "
        "met. Missed: the whole interval is beyond the limit."
    )
    return plain_view("targets", "Each target before and after", meaning, headings, rows)


def _target_cells(pair: BeforeAfter, ranges: Ranges) -> list[PageCell]:
    target, measure = pair.after, MEASURES[pair.after.measure]
    name = target.name
    if target.measure == SEAT:
        name = f"player {int(name.removeprefix('seat ')) + 1} in turn order"
    return [
        PageCell(name),
        PageCell(measure.words),
        PageCell(_players(target)),
        PageCell(MISSING) if pair.before is None else _number(pair.before, measure.unit),
        _number(target, measure.unit),
        PageCell(_limit_words(target, measure.unit)),
        PageCell(_official(target, ranges) or MISSING),
        PageCell(STATES[target.met]),
    ]


def _official(target: Target, ranges: Ranges) -> str:
    """The range of nine in ten of the official boards' tickets, connections or routes; of seats, all."""
    measure = MEASURES[target.measure]
    key = target.name.split(" ")[1] if target.measure == SEAT else WHOLE_LIST
    span = ranges.of(measure.table, target.players, key, measure.column)
    return interval(*span, measure.unit) if span else ""


def _players(target: Target) -> str:
    return players_words(target.players) if target.players else "all"


def _number(target: Target, unit: Unit) -> PageCell:
    return PageCell(written(target.value, unit), interval(target.low, target.high, unit))


def _limit_words(target: Target, unit: Unit) -> str:
    floor, ceiling = target.limit
    if floor is None:
        return "none" if ceiling is None else f"at most {written(ceiling, unit)}"
    if ceiling is None:
        return f"at least {written(floor, unit)}"
    return f"{written(floor, unit)} to {written(ceiling, unit)}"

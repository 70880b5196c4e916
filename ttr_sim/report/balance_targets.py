"""What is asked of a board on the page of a balance: what fair means, and each target before and after."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import pandas as pd

from ttr_sim.balance.targets import CLAIMED, FOUGHT_OVER, LOCKED_OUT, SEAT, STYLE, TICKET, Target
from ttr_sim.report.numbers import MISSING, interval, players_words, written
from ttr_sim.report.ranges import WHOLE_LIST, Ranges
from ttr_sim.report.views import Heading, PageCell, PageRow, View

if TYPE_CHECKING:
    from ttr_sim.analysis.tables import Unit
    from ttr_sim.balance.proof import BeforeAfter


class MeasureWords(NamedTuple):
    """How a measure is written, and which table of the official ranges has it."""

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
PLAYERS = Heading("players", "", "all: all player counts together", numeric=False)
OFFICIAL = Heading("official boards", "", "where nine in ten of their tickets, connections or routes lie", numeric=True)


def asked_view(before: Iterable[Target], ranges: Ranges) -> View:
    """Show what is asked by kind and player count, with the board's own numbers and the official boards' beside."""
    headings = [
        Heading("what is measured", "", "", numeric=False),
        PLAYERS,
        Heading("what is asked", "", "", numeric=False),
        Heading("this board", "", "from the lowest to the highest, before any edit", numeric=True),
        OFFICIAL,
        Heading("missed", "", "targets that are missed, and all of them", numeric=True),
    ]
    kinds = list(MEASURES)
    by_kind = sorted(before, key=lambda target: (kinds.index(target.measure), *_count(target), str(target.limit)))
    rows = [
        PageRow("", None, "", list(_asked_cells(list(alike), ranges)))
        for _, alike in groupby(by_kind, key=lambda target: (target.measure, _count(target), target.limit))
    ]
    meaning = (
        "A board is fair here when it keeps to this. What is locked is not counted; turn order is shown, never changed."
    )
    return View("asked", "What is asked of the board", meaning, headings, rows, [], "")


def table_of(view: View) -> pd.DataFrame:
    """Return the words of a view as a table to write."""
    return pd.DataFrame(
        [[cell.words for cell in row.cells] for row in view.rows], columns=[heading.words for heading in view.headings]
    )


def _count(target: Target) -> tuple[int, ...]:
    """Return the player count that a target is of; connections are claimed where they are claimed most."""
    return () if target.measure == CLAIMED else (target.players,)


def _asked_cells(alike: list[Target], ranges: Ranges) -> Iterator[PageCell]:
    first, values = alike[0], [target.value for target in alike]
    measure = MEASURES[first.measure]
    yield PageCell(measure.words)
    yield PageCell("the count with most" if first.measure == CLAIMED else _players(first))
    yield PageCell(_limit_words(first, measure.unit))
    yield PageCell(interval(min(values), max(values), measure.unit))
    official = {_official(target, ranges) for target in alike}
    yield PageCell(official.pop() or MISSING if len(official) == 1 else MISSING)
    yield PageCell(f"{sum(target.met is False for target in alike)} of {len(alike)}")


def _official(target: Target, ranges: Ranges) -> str:
    """Return where nine in ten of the official boards' tickets, connections or routes lie; of seats, all."""
    measure = MEASURES[target.measure]
    key = target.name.split(" ")[1] if target.measure == SEAT else WHOLE_LIST
    span = ranges.of(measure.table, target.players, key, measure.column)
    return interval(*span, measure.unit) if span else ""


def targets_table(pairs: Iterable[BeforeAfter]) -> pd.DataFrame:
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


def targets_view(pairs: Iterable[BeforeAfter], ranges: Ranges) -> View:
    """Show tickets, seats, and whatever is not met; the others are in the table's file."""
    shown = [pair for pair in pairs if pair.after.measure in ALWAYS_SHOWN or not _is_quiet(pair)]
    shown.sort(key=lambda pair: (pair.after.met is not False, pair.after.met is True, -_size(pair), pair.after.name))
    headings = [
        Heading("target", "", "what is asked of the board", numeric=False),
        Heading("measure", "", "what is measured", numeric=False),
        PLAYERS,
        Heading("before", "", "on the board as it is, with its 95 % interval, corrected", numeric=True),
        Heading("after", "", "on the edited board, same deals", numeric=True),
        Heading("limit", "", "what is asked", numeric=False),
        OFFICIAL,
        Heading("state", "", "met, missed, or open: more games would tell", numeric=False),
    ]
    rows = [PageRow("", None, "", _cells(pair, ranges)) for pair in shown]
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


def _cells(pair: BeforeAfter, ranges: Ranges) -> list[PageCell]:
    measure = MEASURES[pair.after.measure]
    return [
        PageCell(_name(pair.after)),
        PageCell(measure.words),
        PageCell(_players(pair.after)),
        PageCell(MISSING) if pair.before is None else _number(pair.before, measure.unit),
        _number(pair.after, measure.unit),
        PageCell(_limit_words(pair.after, measure.unit)),
        PageCell(_official(pair.after, ranges) or MISSING),
        PageCell(STATES[pair.after.met]),
    ]


def _name(target: Target) -> str:
    """Return what the target is of, with seats as players in turn order."""
    seat = target.name.removeprefix("seat ") if target.measure == SEAT else ""
    return f"player {int(seat) + 1} in turn order" if seat else target.name


def _players(target: Target) -> str:
    return "all" if not target.players else players_words(target.players)


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

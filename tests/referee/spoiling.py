"""Ways to spoil a logged game: one cell, one row or the order of rows changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from tests.referee.rows import changed
from ttr_sim.referee.log import GameLog
from ttr_sim.referee.rulebook import Rulebook

Spoiled = Iterator[GameLog]
Change = Callable[[Any], Any]
Test = Callable[[Any], bool]


@dataclass(frozen=True)
class Mistake:
    """`spoil` yields the game with the mistake planted, in one place after another; `rule` is what the referee
    should name. `tries` is how many places may pass unseen: a blind card is known only when the deck has run out."""

    name: str
    edition: str
    rule: str
    spoil: Callable[[Rulebook, GameLog], Spoiled]
    tries: int = 1


def always(row: Any) -> bool:
    return True


def more(value: Any) -> Any:
    return value + 1


def less(value: Any) -> Any:
    return value - 1


def other(*values: Any) -> Change:
    """Another one of these values."""
    return lambda value: next(entry for entry in values if entry != value)


def to(value: Any) -> Change:
    return lambda _: value


def cell(table: str, column: str, change: Change, where: Test = always) -> Callable[[Rulebook, GameLog], Spoiled]:
    """One cell changed, by its value, in every row that qualifies, one at a time."""
    return cell_by_row(table, column, lambda row: change(getattr(row, column)), where)


def cell_by_row(
    table: str, column: str, change: Change, where: Test = always
) -> Callable[[Rulebook, GameLog], Spoiled]:
    """The same, the new value made from the whole row."""

    def spoil(rules: Rulebook, log: GameLog) -> Spoiled:
        if table == "games":
            if where(log.game):
                yield replace(log, game=changed(log.game, **{column: change(log.game)}))
            return
        rows = getattr(log, table)
        for place, row in enumerate(rows):
            if where(row):
                yield with_rows(log, table, [*rows[:place], changed(row, **{column: change(row)}), *rows[place + 1 :]])

    return spoil


def row_removed(table: str, where: Test = always) -> Callable[[Rulebook, GameLog], Spoiled]:
    def spoil(rules: Rulebook, log: GameLog) -> Spoiled:
        rows = getattr(log, table)
        for place, row in enumerate(rows):
            if where(row):
                yield with_rows(log, table, [*rows[:place], *rows[place + 1 :]])

    return spoil


def row_doubled(table: str, where: Test = always) -> Callable[[Rulebook, GameLog], Spoiled]:
    def spoil(rules: Rulebook, log: GameLog) -> Spoiled:
        rows = getattr(log, table)
        for place, row in enumerate(rows):
            if where(row):
                yield with_rows(log, table, [*rows[:place], row, *rows[place:]])

    return spoil


def rows_swapped(table: str, distance: int = 1) -> Callable[[Rulebook, GameLog], Spoiled]:
    def spoil(rules: Rulebook, log: GameLog) -> Spoiled:
        rows = list(getattr(log, table))
        rows[0], rows[distance] = rows[distance], rows[0]
        yield with_rows(log, table, rows)

    return spoil


def with_rows(log: GameLog, table: str, rows: list[Any]) -> GameLog:
    new: dict[str, Any] = {table: rows}
    return replace(log, **new)

"""Logged games as Python rows, read from a run's Parquet parts."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, TypeVar

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ttr_sim.errors import UserError, command_line, no_games, no_run
from ttr_sim.log import TABLES

SETUP = -1  # the log's turn of all that comes before the first one
CHUNK = 100  # games turned into Python rows at a time
LONGEST_TEXT = 10_000  # of a cell; a text that stands in many rows is stored once, and might fill the memory
TEXTS = {column.name for columns in TABLES.values() for column in columns if column.type == "text"}


class LogRow(tuple[Any, ...]):
    """A row of one of the log's tables. Each cell is an attribute named like its column in `ttr_sim.log`."""

    __slots__ = ()
    columns: ClassVar[tuple[str, ...]]

    def __init_subclass__(cls, table: str) -> None:
        cls.columns = tuple(column.name for column in TABLES[table])
        for number, name in enumerate(cls.columns):
            setattr(cls, name, property(itemgetter(number)))

    def __getattr__(self, name: str) -> Any:
        # Reached only for names that are no column; declared so that mypy accepts the columns.
        raise AttributeError(f"{type(self).__name__} has no column {name}")


class GameRow(LogRow, table="games"):
    __slots__ = ()


class SeatRow(LogRow, table="seats"):
    __slots__ = ()


class TurnRow(LogRow, table="turns"):
    __slots__ = ()


class TicketRow(LogRow, table="tickets"):
    __slots__ = ()


Row = TypeVar("Row", GameRow, SeatRow, TurnRow, TicketRow)


@dataclass(frozen=True, slots=True)
class GameLog:
    """All rows of one game, each list in the order of the log."""

    game: GameRow
    seats: list[SeatRow]
    turns: list[TurnRow]
    tickets: list[TicketRow]


class PartFiles(NamedTuple):
    """One part's files, by table, and the numbers of its games."""

    files: dict[str, Path]
    games: list[int]


def parts_of(run: Path) -> Iterator[PartFiles]:
    """Yield the parts of a run in order. Every table must have every part."""
    if not (run / "run.json").is_file():
        raise no_run(run)
    if not (run / "turns").is_dir():
        raise UserError(
            f"{run} was logged without turns, so its games cannot be checked or replayed; run it with --log full"
        )
    names = sorted(path.name for path in (run / "games").glob("part-*.parquet"))
    if not names:
        raise no_games(run)
    for name in names:
        files = {table: run / table / name for table in TABLES}
        for file in files.values():
            if not file.is_file():
                missing = f"{run} is incomplete: {file.relative_to(run)} is missing"
                raise UserError(f"{missing}; resume it with: {command_line('run', '--resume', run)}")
        yield PartFiles(files, _read(files["games"], ["game"])["game"].to_pylist())


def read_games(part: PartFiles, wanted: Sequence[int]) -> Iterator[GameLog]:
    """Read the wanted games of a part, in order. `wanted` must be sorted."""
    tables, numbers = {}, {}
    for name, columns in TABLES.items():
        rows = _read(part.files[name], [column.name for column in columns])
        tables[name] = rows.filter(pc.is_in(rows["game"], value_set=pa.array(wanted, pa.int64())))
        numbers[name] = tables[name]["game"].to_pylist()
    # Python rows take a hundred times the memory of the table's, so few games have theirs at a time.
    for start in range(0, len(wanted), CHUNK):
        chunk = wanted[start : start + CHUNK]
        slices = {}
        for name, table in tables.items():
            low, high = bisect_left(numbers[name], chunk[0]), bisect_right(numbers[name], chunk[-1])
            slices[name] = table.slice(low, high - low)
        games = _by_game(slices["games"], GameRow, chunk)
        seats = _by_game(slices["seats"], SeatRow, chunk)
        turns = _by_game(slices["turns"], TurnRow, chunk)
        tickets = _by_game(slices["tickets"], TicketRow, chunk)
        for game in chunk:
            yield GameLog(games[game][0], seats[game], turns[game], tickets[game])


def _by_game(table: pa.Table, make: type[Row], wanted: Sequence[int]) -> dict[int, list[Row]]:
    found: dict[int, list[Row]] = {game: [] for game in wanted}
    columns = []
    for name in make.columns:
        column = table[name]
        if pa.types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        columns.append(column.to_pylist())
    for row in map(make, zip(*columns, strict=True)):
        if row.game in found:
            found[row.game].append(row)
    return found


def _read(file: Path, columns: list[str]) -> pa.Table:
    try:
        # `pq.read_table` takes half as long again for these small files.
        with pq.ParquetFile(file, read_dictionary=list(TEXTS.intersection(columns))) as opened:
            rows = opened.read(columns, use_threads=False).select(columns)
    except (pa.ArrowException, OSError, KeyError) as error:
        reason = str(error).partition("\n")[0]
        raise UserError(f"{file} cannot be read as a part of a run: {reason}") from error
    for column in rows.columns:
        for chunk in column.chunks if pa.types.is_dictionary(column.type) else ():
            if (pc.max(pc.binary_length(chunk.dictionary)).as_py() or 0) > LONGEST_TEXT:
                raise UserError(f"{file} is no part of a run: it has a text of more than {LONGEST_TEXT:,} letters")
    return rows

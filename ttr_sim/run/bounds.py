"""Refuse parts that no plan can have written before their rows are read: a file of a few kilobytes may unpack to more
than the memory holds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ttr_sim.edition.limits import MAX_OFFER
from ttr_sim.edition.model import Edition
from ttr_sim.errors import UserError
from ttr_sim.log import TABLES
from ttr_sim.run.folder import RunFolder
from ttr_sim.run.plan import Plan

MOST_BYTES = 4_000_000_000  # of a part's table, on disk or unpacked
BYTES_OF_A_CELL = 4  # in memory, on average


def refuse_inflated(folder: RunFolder, plan: Plan, edition: Edition) -> None:
    """Look at the footers of all parts; what cannot be read at all is left to those who read it."""
    for table, most in rows_of_a_part(plan, edition).items():
        for number in folder.part_numbers(table):
            file = folder.file(table, number)
            if file.is_file():
                for sentence in _why_not(file, table, most):
                    raise UserError(f"{file} is no part of this run: {sentence}")


def rows_of_a_part(plan: Plan, edition: Edition) -> dict[str, int]:
    """Return the most rows that each table of a part can have."""
    games = (plan.part_size + 1) * plan.players  # a block has at most one for each seat
    turns = games * plan.players * edition.max_turns
    tickets = (turns + games * plan.players) * 2 * MAX_OFFER  # offered, and completed ones replaced
    most = {"games": games, "seats": games * plan.players, "turns": turns, "tickets": tickets}
    return {table: most[table] for table in plan.tables}


def _why_not(file: Path, table: str, most: int) -> Iterator[str]:
    size = file.stat().st_size
    if size > MOST_BYTES:
        yield f"it has {size:,} bytes"
        return
    with suppress(OSError, pa.ArrowException):
        rows, unpacked = rows_and_bytes(file)
        in_memory = max(unpacked, rows * len(TABLES[table]) * BYTES_OF_A_CELL)
        if rows > most:
            yield f"it has {rows:,} rows, more than its games can"
        elif in_memory > MOST_BYTES:
            yield f"it unpacks to {in_memory:,} bytes"


def rows_and_bytes(file: Path) -> tuple[int, int]:
    """Return the rows of a Parquet file and the bytes that it unpacks to."""
    found = file.stat()
    return _in_footer(file, found.st_size, found.st_mtime_ns)


@cache
def _in_footer(file: Path, size: int, written: int) -> tuple[int, int]:
    """Read a footer once: a report opens its runs several times. Other bytes have another size or time."""
    footer = pq.read_metadata(file)
    unpacked = sum(footer.row_group(number).total_byte_size for number in range(footer.num_row_groups))
    return footer.num_rows, unpacked

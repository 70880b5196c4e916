"""The pages of the log that a batch fills: columns of numbers, and text. A book says where they lie."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ttr_sim.engine.log_buffers import LOG_BUFFERS, NUMBERS, ROOM_FOR_TEXT, TEXTS
from ttr_sim.engine.records import MAX_TICKET_EVENTS
from ttr_sim.log import TABLES

TURNS_OF_A_SEAT, TICKETS_OF_A_SEAT = 70, 80  # a little more than usual


@dataclass(frozen=True)
class Pages:
    """The arrays of a batch and the book that tells kernels where they are."""

    numbers: dict[str, np.ndarray]  # table -> (columns, rows), of the types in book.NUMBERS
    text: np.ndarray  # uint8 (texts, bytes)
    ends: np.ndarray  # int32 (texts, rows + 1): where the text of each row ends
    book: np.ndarray  # LOG_BUFFERS, 1 element


@dataclass(frozen=True)
class TableLog:
    """A table's rows: columns as in log.TABLES, int16 or where it says so int32, and texts as (offsets, bytes)."""

    numbers: list[np.ndarray]
    texts: dict[str, tuple[np.ndarray, np.ndarray]]


def new_pages(games: int, players: int, log_turns: bool, scale: float) -> Pages:
    """Make room for about this many games; a batch that needs more continues on new pages, on a larger scale."""
    usual_games = (games + 2) * players * scale
    turns = int(usual_games * TURNS_OF_A_SEAT) if log_turns else 2
    tickets = int(usual_games * TICKETS_OF_A_SEAT) + MAX_TICKET_EVENTS
    rows = {"games": games, "seats": games * players, "turns": turns, "tickets": tickets}
    numbers = {table: np.empty((len(columns), rows[table]), NUMBERS[table]) for table, columns in TABLES.items()}
    n_bytes = max(turns * 5, games * players * 32, games * 200) + 2 * ROOM_FOR_TEXT
    text = np.empty((len(TEXTS), n_bytes), np.uint8)
    ends = np.empty((len(TEXTS), max(rows.values()) + 1), np.int32)
    ends[:, 0] = 0
    addresses = [np.asarray(array).ctypes.data for array in (*numbers.values(), text, ends)]
    rooms = [*rows.values(), n_bytes, ends.shape[1]]
    return Pages(numbers, text, ends, np.array([(*addresses, *rooms, 0, 0, 0)], LOG_BUFFERS))


def join_pages(chunks: list[Pages], players: int) -> dict[str, TableLog]:
    """Return the filled rows of all chunks, by table."""
    return {table: _join([_cut(table, pages, players) for pages in chunks]) for table in TABLES}


def _cut(table: str, pages: Pages, players: int) -> TableLog:
    book = pages.book[0]
    rows = {"games": book["game"], "seats": book["game"] * players, "turns": book["turn"], "tickets": book["ticket"]}
    n = int(rows[table])
    texts = {}
    for index, (its_table, column) in enumerate(TEXTS):
        if its_table == table:
            offsets = pages.ends[index, : n + 1]
            texts[column] = (offsets, pages.text[index, : offsets[-1]])
    kinds = [np.int32 if column.type == "int32" else np.int16 for column in TABLES[table]]
    columns = zip(pages.numbers[table][:, :n], kinds, strict=True)
    return TableLog([cells.astype(kind, copy=False) for cells, kind in columns], texts)


def _join(parts: list[TableLog]) -> TableLog:
    if len(parts) == 1:
        return parts[0]
    numbers = [np.concatenate(cells) for cells in zip(*(part.numbers for part in parts), strict=True)]
    return TableLog(numbers, {column: _join_texts([part.texts[column] for part in parts]) for column in parts[0].texts})


def _join_texts(parts: list[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    starts = np.cumsum([0, *(len(data) for _, data in parts)])
    offsets = [part[0][1:] + start for part, start in zip(parts, starts, strict=False)]
    return np.concatenate([[0], *offsets]).astype(np.int32), np.concatenate([data for _, data in parts])

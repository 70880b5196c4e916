"""The pages of the log that a batch fills: int16 columns and text, and where they lie in memory."""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass

import numpy as np
from numba import carray, types
from numba.extending import intrinsic

from ttr_sim.engine.compiled import compiled
from ttr_sim.engine.state import MAX_FILL, MAX_TICKET_EVENTS
from ttr_sim.log import TABLES

ROOM_FOR_TEXT = MAX_FILL + 4096  # what a game's end or a turn may add to a text column, at the most


def _numbered(name, columns):
    """The columns of a table as a tuple of their numbers, by name."""
    return namedtuple(name, [column.name for column in columns])(*range(len(columns)))


GAME = _numbered("GameColumns", TABLES["games"])
SEAT = _numbered("SeatColumns", TABLES["seats"])
TURN = _numbered("TurnColumns", TABLES["turns"])
TICKET = _numbered("TicketColumns", TABLES["tickets"])

TEXTS = tuple((table, column.name) for table, columns in TABLES.items() for column in columns if column.type == "text")
GAME_FILL, GAME_PASSENGERS = TEXTS.index(("games", "fill")), TEXTS.index(("games", "passengers"))
SEAT_HAND, SEAT_LENT = TEXTS.index(("seats", "hand")), TEXTS.index(("seats", "lent"))
SEAT_PASSENGERS = TEXTS.index(("seats", "passengers"))
TURN_TEXTS_FROM = min(index for index, (table, _) in enumerate(TEXTS) if table == "turns")
TURN_ROW, TURN_TUNNEL = TEXTS.index(("turns", "row")), TEXTS.index(("turns", "tunnel_cards"))
TURN_FILL1, TURN_FILL2 = TEXTS.index(("turns", "fill1")), TEXTS.index(("turns", "fill2"))


# Where the arrays of a batch are, how long they are, and how far they are filled. A record, since
# arrays handed from function to function would have their references counted at every turn.
BOOK = np.dtype(
    [
        *((name, np.int64) for name in ("games", "seats", "turns", "tickets", "text", "ends")),  # addresses
        *((name, np.int64) for name in ("game_room", "seat_room", "turn_room", "ticket_room", "text_room", "end_room")),
        *((name, np.int64) for name in ("game", "turn", "ticket")),  # rows filled with whole games
    ],
    align=True,
)


@intrinsic
def _pointer(typing_context, address):
    """An address as a pointer that Numba can make an array of."""

    def codegen(context, builder, signature, arguments):
        return builder.inttoptr(arguments[0], context.get_value_type(types.voidptr))

    return types.voidptr(address), codegen


@compiled
def _numbers(address, columns, room):
    return carray(_pointer(address), (columns, room), np.int16)


@compiled
def game_page(book):
    return _numbers(book.games, len(GAME), book.game_room)


@compiled
def seat_page(book):
    return _numbers(book.seats, len(SEAT), book.seat_room)


@compiled
def turn_page(book):
    return _numbers(book.turns, len(TURN), book.turn_room)


@compiled
def ticket_page(book):
    return _numbers(book.tickets, len(TICKET), book.ticket_room)


@compiled
def text_page(book, text):
    return carray(_pointer(book.text + text * book.text_room), (book.text_room,), np.uint8)


@compiled
def ends_page(book, text):
    return carray(_pointer(book.ends + 4 * text * book.end_room), (book.end_room,), np.int32)


@dataclass(frozen=True)
class Pages:
    """The arrays of a batch and the book that tells kernels where they are."""

    numbers: dict[str, np.ndarray]  # table -> int16 (columns, rows)
    text: np.ndarray  # uint8 (texts, bytes)
    ends: np.ndarray  # int32 (texts, rows + 1): where the text of each row ends
    book: np.ndarray  # BOOK, 1 element


@dataclass(frozen=True)
class TableLog:
    """A table's rows: int16 columns as in log.TABLES, and texts as (offsets, bytes)."""

    numbers: np.ndarray
    texts: dict[str, tuple[np.ndarray, np.ndarray]]


def new_pages(games: int, players: int, turns_per_game: float) -> Pages:
    """Room for about so many games; a batch that needs more goes on with new pages."""
    turns = int(games * turns_per_game) + 2 * int(turns_per_game) + 2
    tickets = games * players * 12 + 4 * MAX_TICKET_EVENTS
    rows = {"games": games, "seats": games * players, "turns": turns, "tickets": tickets}
    numbers = {table: np.empty((len(columns), rows[table]), np.int16) for table, columns in TABLES.items()}
    n_bytes = max(turns * 5, games * players * 32, games * 200) + 2 * ROOM_FOR_TEXT
    text = np.empty((len(TEXTS), n_bytes), np.uint8)
    ends = np.empty((len(TEXTS), max(rows.values()) + 1), np.int32)
    ends[:, 0] = 0
    addresses = [array.ctypes.data for array in (*numbers.values(), text, ends)]
    rooms = [*rows.values(), n_bytes, ends.shape[1]]
    return Pages(numbers, text, ends, np.array([(*addresses, *rooms, 0, 0, 0)], BOOK))


def join_pages(chunks: list[Pages], players: int) -> dict[str, TableLog]:
    """The filled rows of all chunks, by table."""
    return {table: _join(table, [_cut(table, pages, players) for pages in chunks]) for table in TABLES}


def _cut(table: str, pages: Pages, players: int) -> TableLog:
    book = pages.book[0]
    rows = {"games": book["game"], "seats": book["game"] * players, "turns": book["turn"], "tickets": book["ticket"]}
    n = int(rows[table])
    texts = {}
    for index, (its_table, column) in enumerate(TEXTS):
        if its_table == table:
            offsets = pages.ends[index, : n + 1]
            texts[column] = (offsets, pages.text[index, : offsets[-1]])
    return TableLog(pages.numbers[table][:, :n], texts)


def _join(table: str, parts: list[TableLog]) -> TableLog:
    if len(parts) == 1:
        return parts[0]
    numbers = np.concatenate([part.numbers for part in parts], axis=1)
    return TableLog(numbers, {column: _join_texts([part.texts[column] for part in parts]) for column in parts[0].texts})


def _join_texts(parts: list[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    starts = np.cumsum([0, *(len(data) for _, data in parts)])
    offsets = [part[0][1:] + start for part, start in zip(parts, starts, strict=False)]
    return np.concatenate([[0], *offsets]).astype(np.int32), np.concatenate([data for _, data in parts])

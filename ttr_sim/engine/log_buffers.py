"""The book: where the pages of a batch lie in memory, and kernels' access to their columns by name."""

from collections import namedtuple

import numpy as np
from numba import carray, types
from numba.extending import intrinsic

from ttr_sim.engine.jit import compiled
from ttr_sim.engine.records import MAX_FILL
from ttr_sim.log import TABLES

ROOM_FOR_TEXT = MAX_FILL + 4096  # the most that a turn or the end of a game adds to a text column


def _numbered(name, words):
    """Number a list by name: `TURN_COLUMN.route` is a constant to a kernel."""
    return namedtuple(name, words)(*range(len(words)))


GAME_COLUMN = _numbered("GameColumn", [column.name for column in TABLES["games"]])
SEAT_COLUMN = _numbered("SeatColumn", [column.name for column in TABLES["seats"]])
TURN_COLUMN = _numbered("TurnColumn", [column.name for column in TABLES["turns"]])
TICKET_COLUMN = _numbered("TicketColumn", [column.name for column in TABLES["tickets"]])

TEXTS = tuple((table, column.name) for table, columns in TABLES.items() for column in columns if column.type == "text")
TEXT = _numbered("Text", ["_".join(text) for text in TEXTS])
FIRST_SEAT_TEXT, FIRST_TURN_TEXT = ([table for table, _ in TEXTS].index(table) for table in ("seats", "turns"))

# All columns of a table have one width in memory: that of its widest.
NUMBERS = {
    table: np.int32 if any(column.type == "int32" for column in columns) else np.int16
    for table, columns in TABLES.items()
}
_GAMES, _SEATS, _TURNS, _TICKETS = NUMBERS.values()

# Where the arrays of a batch are, how long they are, and how far they are filled. A record, since
# arrays handed from function to function would have their references counted at every turn.
LOG_BUFFERS = np.dtype(
    [
        *((name, np.int64) for name in ("games", "seats", "turns", "tickets", "text", "ends")),  # addresses
        *((name, np.int64) for name in ("game_room", "seat_room", "turn_room", "ticket_room", "text_room", "end_room")),
        *((name, np.int64) for name in ("game", "turn", "ticket")),  # rows filled with whole games
    ],
    align=True,
)


@intrinsic
def _pointer(typing_context, address):
    """Turn an address into a pointer that Numba can make an array of."""

    def codegen(context, builder, signature, arguments):
        return builder.inttoptr(arguments[0], context.get_value_type(types.voidptr))

    return types.voidptr(address), codegen


@compiled
def _numbers(address, columns, room, kind):
    return carray(_pointer(address), (columns, room), kind)


@compiled
def game_page(book):
    return _numbers(book.games, len(GAME_COLUMN), book.game_room, _GAMES)


@compiled
def seat_page(book):
    return _numbers(book.seats, len(SEAT_COLUMN), book.seat_room, _SEATS)


@compiled
def turn_page(book):
    return _numbers(book.turns, len(TURN_COLUMN), book.turn_room, _TURNS)


@compiled
def ticket_page(book):
    return _numbers(book.tickets, len(TICKET_COLUMN), book.ticket_room, _TICKETS)


@compiled
def text_page(book, text):
    return carray(_pointer(book.text + text * book.text_room), (book.text_room,), np.uint8)


@compiled
def ends_page(book, text):
    return carray(_pointer(book.ends + 4 * text * book.end_room), (book.end_room,), np.int32)

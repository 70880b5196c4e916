"""Column buffers of a batch, numbers and text, by table of the log."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ttr_sim.engine.records import MAX_FILL, MAX_TICKET_EVENTS, numbered
from ttr_sim.log import SCORE_PARTS, TABLES, index_of

TURNS_OF_A_SEAT, TICKETS_OF_A_SEAT = 70, 80  # a little more than usual
ROOM_FOR_TEXT = MAX_FILL + 4096  # the most that a turn or the end of a game adds to a text column

GAME_COLUMN = numbered("GameColumn", [column.name for column in TABLES["games"]])
SEAT_COLUMN = numbered("SeatColumn", [column.name for column in TABLES["seats"]])
TURN_COLUMN = numbered("TurnColumn", [column.name for column in TABLES["turns"]])
TICKET_COLUMN = numbered("TicketColumn", [column.name for column in TABLES["tickets"]])
FIRST_PART_COLUMN = index_of("seats", SCORE_PARTS[0].column)  # the score parts stand together

TEXTS = tuple((table, column.name) for table, columns in TABLES.items() for column in columns if column.type == "text")
TEXT = numbered("Text", ["_".join(text) for text in TEXTS])
FIRST_SEAT_TEXT, FIRST_TURN_TEXT = ([table for table, _ in TEXTS].index(table) for table in ("seats", "turns"))

# All columns of a table have one width in memory: that of its widest.
NUMBERS = {
    table: np.int32 if any(column.type == "int32" for column in columns) else np.int16
    for table, columns in TABLES.items()
}

# Addresses and lengths of a batch's arrays, and how far they are filled. A record, because Numba
# would count references of arrays passed from function to function at every turn.
BUFFERS = np.dtype(
    [
        *((name, np.int64) for name in ("games", "seats", "turns", "tickets", "text", "ends")),  # addresses
        *((name, np.int64) for name in ("game_room", "seat_room", "turn_room", "ticket_room", "text_room", "end_room")),
        *((name, np.int64) for name in ("game", "turn", "ticket")),  # rows filled with whole games
    ],
    align=True,
)


@dataclass(frozen=True)
class LogBuffers:
    """The arrays of a batch, and the record through which kernels reach them."""

    numbers: dict[str, np.ndarray]  # table -> (columns, rows), of the types in NUMBERS
    text: np.ndarray  # uint8 (texts, bytes)
    ends: np.ndarray  # int32 (texts, rows + 1): where the text of each row ends
    record: np.ndarray  # BUFFERS, 1 element

    @classmethod
    def allocate(cls, games: int, players: int, log_turns: bool, scale: float) -> LogBuffers:
        """Make room for about this many games. A batch that needs more continues in new buffers."""
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
        return cls(numbers, text, ends, np.array([(*addresses, *rooms, 0, 0, 0)], BUFFERS))

    def filled(self, table: str, players: int) -> TableLog:
        """The rows of whole games, as views of the arrays."""
        record = self.record[0]
        games = int(record["game"])
        rows = {"games": games, "seats": games * players, "turns": record["turn"], "tickets": record["ticket"]}
        n = int(rows[table])
        texts = {}
        for index, (its_table, column) in enumerate(TEXTS):
            if its_table == table:
                offsets = self.ends[index, : n + 1]
                texts[column] = (offsets, self.text[index, : offsets[-1]])
        numbers = []
        for entry, cells in zip(TABLES[table], self.numbers[table][:, :n], strict=True):
            numbers.append(cells.astype(np.int32 if entry.type == "int32" else np.int16, copy=False))
        return TableLog(numbers, texts)


@dataclass(frozen=True)
class TableLog:
    """A table's rows: columns as in log.TABLES, int16 or where it says so int32, and texts as (offsets, bytes)."""

    numbers: list[np.ndarray]
    texts: dict[str, tuple[np.ndarray, np.ndarray]]


def join_logs(chunks: list[TableLog]) -> TableLog:
    if len(chunks) == 1:
        return chunks[0]
    numbers = [np.concatenate(cells) for cells in zip(*(chunk.numbers for chunk in chunks), strict=True)]
    texts = {}
    for column in chunks[0].texts:
        parts = [chunk.texts[column] for chunk in chunks]
        starts = np.cumsum([0, *(len(data) for _, data in parts)])
        offsets = [ends[1:] + start for (ends, _), start in zip(parts, starts, strict=False)]
        joined = np.concatenate([[0], *offsets]).astype(np.int32)
        texts[column] = (joined, np.concatenate([data for _, data in parts]))
    return TableLog(numbers, texts)

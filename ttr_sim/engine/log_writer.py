"""The log of a batch: its column buffers, and the rows of a setup, a turn and a finished game.

Here alone the engine's numbers of cities, routes and tickets become rows of the edition's files.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import carray, types
from numba.extending import intrinsic

from ttr_sim.engine.board import ABSENT
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.records import MAX_FILL, MAX_TICKET_EVENTS, PART, numbered
from ttr_sim.engine.scoring import is_completed
from ttr_sim.engine.setup import NOBODY
from ttr_sim.engine.stations import NOT_LENT, lending_network
from ttr_sim.log import NULL, SCORE_PARTS, TABLES, index_of

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

_COMMA, _COLON, _ZERO = ord(","), ord(":"), ord("0")


@dataclass(frozen=True)
class LogBuffers:
    """Arrays of a batch, and the record of their addresses."""

    numbers: dict[str, np.ndarray]  # table -> int32 (columns, rows)
    text: np.ndarray  # uint8 (texts, bytes)
    ends: np.ndarray  # int32 (texts, rows + 1): where the text of each row ends
    record: np.ndarray  # BUFFERS, 1 element

    @classmethod
    def allocate(cls, games: int, players: int, log_turns: bool, scale: float) -> LogBuffers:
        """Make room for about this many games."""
        usual_games = (games + 2) * players * scale
        turns = int(usual_games * TURNS_OF_A_SEAT) if log_turns else 2
        tickets = int(usual_games * TICKETS_OF_A_SEAT) + MAX_TICKET_EVENTS
        rows = {"games": games, "seats": games * players, "turns": turns, "tickets": tickets}
        numbers = {table: np.empty((len(columns), rows[table]), np.int32) for table, columns in TABLES.items()}
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
    """A table's rows: columns as in log.TABLES, texts as (offsets, bytes)."""

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


@intrinsic
def _pointer(typing_context, address):
    """Turn an address into a pointer."""

    def codegen(context, builder, signature, arguments):
        return builder.inttoptr(arguments[0], context.get_value_type(types.voidptr))

    return types.voidptr(address), codegen


@compiled
def _columns(address, n_columns, n_rows):
    """View a table's numbers as an array."""
    return carray(_pointer(address), (n_columns, n_rows), np.int32)


@compiled
def _bytes_of(buffers, text):
    return carray(_pointer(buffers.text + text * buffers.text_room), (buffers.text_room,), np.uint8)


@compiled
def _ends_of(buffers, text):
    return carray(_pointer(buffers.ends + 4 * text * buffers.end_room), (buffers.end_room,), np.int32)


@compiled
def has_room(buffers, players, turn, ticket):
    """Whether one more turn, and the end of the game, would fit."""
    if turn + 2 > buffers.turn_room or ticket + MAX_TICKET_EVENTS > buffers.ticket_room:
        return False
    for text in range(len(TEXTS)):
        row = turn
        if text < FIRST_SEAT_TEXT:
            row = buffers.game
        elif text < FIRST_TURN_TEXT:
            row = buffers.game * players
        if _ends_of(buffers, text)[row] + ROOM_FOR_TEXT >= buffers.text_room:
            return False
    return True


@compiled
def _write_letters(board, buffers, text, row, codes, first, end):
    """Write the color letters of codes[first:end] into one text cell."""
    target, ends = _bytes_of(buffers, text), _ends_of(buffers, text)
    at = ends[row]
    for i in range(first, end):
        target[at] = board.letters[codes[i]]
        at += 1
    ends[row + 1] = at


@compiled
def _write_counted(board, buffers, text, row, counts):
    """Write each color's letter as often as counted."""
    ends = _ends_of(buffers, text)
    ends[row + 1] = _add_counted(board, _bytes_of(buffers, text), ends[row], counts)


@compiled
def _add_counted(board, target, at, counts):
    for color in range(counts.shape[0]):
        for _ in range(counts[color]):
            target[at] = board.letters[color]
            at += 1
    return at


@compiled
def _add_number(target, at, number):
    """Write a number below 1,000 and return the place behind it."""
    for unit in (100, 10, 1):
        if number >= unit or unit == 1:
            target[at] = _ZERO + number // unit % 10
            at += 1
    return at


@compiled
def _null_unless(has_feature, value):
    return value if has_feature else NULL


@compiled
def write_setup(board, state, buffers, game, first_seat):
    """Write the cards turned up, the hands as dealt, the passengers placed."""
    log, view = state.turn_log, state.mover_view
    _write_letters(board, buffers, TEXT.games_fill, game, log.fill, 0, log.n_fill)
    games = _columns(buffers.games, len(GAME_COLUMN), buffers.game_room)
    games[GAME_COLUMN.fill, game] = _null_unless(board.row_size > 0, 0)
    games[GAME_COLUMN.passengers, game] = _null_unless(board.n_passenger_colors > 0, 0)
    target, ends = _bytes_of(buffers, TEXT.games_passengers), _ends_of(buffers, TEXT.games_passengers)
    at = ends[game]
    if board.n_passenger_colors > 0:
        for row in range(board.n_cities):
            if row > 0:
                target[at] = _COMMA
                at += 1
            if board.pool_of_row[row] != ABSENT:
                at = _add_counted(board, target, at, view.passengers[board.pool_of_row[row]])
    ends[game + 1] = at
    seats = _columns(buffers.seats, len(SEAT_COLUMN), buffers.seat_room)
    for seat in range(view.players):
        _write_counted(board, buffers, TEXT.seats_hand, first_seat + seat, state.holdings[seat].hand)
        seats[SEAT_COLUMN.hand, first_seat + seat] = 0


@compiled
def write_tickets(board, state, buffers, row, game):
    """Write the tickets drawn in this turn and return the row after them."""
    log, tickets = state.turn_log, _columns(buffers.tickets, len(TICKET_COLUMN), buffers.ticket_room)
    first_order = state.hidden.n_drawn_tickets - log.n_tickets
    for i in range(log.n_tickets):
        kept = log.ticket_kept[i]
        tickets[TICKET_COLUMN.game, row] = game
        tickets[TICKET_COLUMN.order, row] = first_order + i
        tickets[TICKET_COLUMN.seat, row] = log.ticket_seat[i]
        tickets[TICKET_COLUMN.ticket, row] = board.ticket_row[log.ticket[i]]
        tickets[TICKET_COLUMN.turn, row] = state.mover_view.turn
        tickets[TICKET_COLUMN.kept, row] = kept
        tickets[TICKET_COLUMN.completed, row] = _null_unless(kept, 0)
        tickets[TICKET_COLUMN.completed_turn, row] = NULL
        row += 1
    return row


@compiled
def write_turn(board, state, buffers, row, game):
    log, view = state.turn_log, state.mover_view
    turns = _columns(buffers.turns, len(TURN_COLUMN), buffers.turn_room)
    log.game, log.turn, log.seat = game, view.turn, view.seat
    log.score, log.trains = view.score[view.seat], view.trains[view.seat]
    # The rules wrote their columns by name; texts and file rows follow below.
    for column in range(len(TURN_COLUMN)):
        turns[column, row] = log.columns[column]
    if log.city != NULL:
        turns[TURN_COLUMN.city, row] = board.city_row[log.city]
    if log.route != NULL:
        turns[TURN_COLUMN.route, row] = board.route_row[log.route]
        # Passengers by the ends as the file names them. Where both ends share their passengers, the
        # first end is the one that took first.
        a, b = board.route_a[log.route], board.route_b[log.route]
        if board.ends_swapped[log.route] and board.pool_city[a] != board.pool_city[b]:
            turns[TURN_COLUMN.passenger1, row] = log.passenger2
            turns[TURN_COLUMN.passenger2, row] = log.passenger1
    has_row = board.row_size > 0
    turns[TURN_COLUMN.row, row] = _null_unless(has_row, 0)
    turns[TURN_COLUMN.fill1, row] = _null_unless(has_row, 0)
    turns[TURN_COLUMN.fill2, row] = _null_unless(has_row, 0)
    turns[TURN_COLUMN.tunnel_cards, row] = _null_unless(log.tunnel_cost != NULL, 0)
    _write_counted(board, buffers, TEXT.turns_row, row, log.row)
    _write_letters(board, buffers, TEXT.turns_fill1, row, log.fill, 0, log.fill2_from)
    _write_letters(board, buffers, TEXT.turns_fill2, row, log.fill, log.fill2_from, log.n_fill)
    _write_letters(board, buffers, TEXT.turns_tunnel_cards, row, log.tunnel, 0, log.n_tunnel)


@compiled
def write_game(board, state, buffers, row, game):
    view, hidden, games = state.mover_view, state.hidden, _columns(buffers.games, len(GAME_COLUMN), buffers.game_room)
    has_row = board.row_size > 0
    winners, n_winners, winner = 0, 0, NOBODY
    for seat in range(view.players):
        if state.results[seat].rank == 1:
            winners |= 1 << seat
            n_winners += 1
            winner = seat
    games[GAME_COLUMN.game, row] = game
    games[GAME_COLUMN.players, row] = view.players
    games[GAME_COLUMN.turns, row] = view.turn + 1
    games[GAME_COLUMN.end, row] = hidden.end
    games[GAME_COLUMN.winners, row] = winners
    games[GAME_COLUMN.resets, row] = _null_unless(has_row, hidden.resets)
    games[GAME_COLUMN.stuck, row] = _null_unless(has_row, hidden.stuck)
    games[GAME_COLUMN.reshuffles, row] = hidden.reshuffles
    games[GAME_COLUMN.lead_changes, row] = hidden.lead_changes
    leads = n_winners == 1 and hidden.leader == winner
    games[GAME_COLUMN.lead_turn, row] = _null_unless(leads, hidden.lead_since)
    margin = state.results[winner].score - NULL if n_winners == 1 else 0
    for seat in range(view.players):
        if n_winners == 1 and seat != winner:
            margin = min(margin, state.results[winner].score - state.results[seat].score)
    games[GAME_COLUMN.margin, row] = margin


@compiled
def write_seat(board, state, buffers, row, game, seat):
    view, hidden, seats = state.mover_view, state.hidden, _columns(buffers.seats, len(SEAT_COLUMN), buffers.seat_room)
    result, driver = state.results[seat], state.drivers[seat]
    seats[SEAT_COLUMN.game, row] = game
    seats[SEAT_COLUMN.seat, row] = seat
    seats[SEAT_COLUMN.bot, row] = driver.bot
    seats[SEAT_COLUMN.plans, row] = driver.plans
    seats[SEAT_COLUMN.score, row] = result.score
    seats[SEAT_COLUMN.rank, row] = result.rank
    for part in range(len(PART)):
        seats[FIRST_PART_COLUMN + part, row] = _null_unless(board.scores[part], result.points[part])
    seats[SEAT_COLUMN.tickets_completed, row] = result.completed
    seats[SEAT_COLUMN.tickets_failed, row] = _null_unless(board.failed_subtract, result.failed)
    seats[SEAT_COLUMN.longest_path, row] = _null_unless(board.measure_longest, result.longest)
    seats[SEAT_COLUMN.routes, row] = hidden.routes_claimed[seat]
    seats[SEAT_COLUMN.trains_left, row] = view.trains[seat]
    seats[SEAT_COLUMN.stations_left, row] = _null_unless(board.stations > 0, view.stations[seat])
    seats[SEAT_COLUMN.merchandise, row] = _null_unless(board.merchandise_cards > 0, view.merchandise[seat])
    seats[SEAT_COLUMN.bonus_ticket, row] = _null_unless(board.bonus_tickets > 0, view.bonus_ticket[seat])
    seats[SEAT_COLUMN.turns, row] = hidden.turns_taken[seat]
    seats[SEAT_COLUMN.lent, row] = _null_unless(board.stations > 0, 0)
    seats[SEAT_COLUMN.passengers, row] = _null_unless(board.n_passenger_colors > 0, 0)
    _write_counted(board, buffers, TEXT.seats_passengers, row, view.held_passengers[seat])
    target, ends = _bytes_of(buffers, TEXT.seats_lent), _ends_of(buffers, TEXT.seats_lent)
    at = ends[row]
    for station in range(board.stations - view.stations[seat]):
        route = result.lent[station]
        if route != NOT_LENT:
            if at > ends[row]:
                target[at] = _COMMA
                at += 1
            at = _add_number(target, at, board.city_row[hidden.station_cities[seat, station]])
            target[at] = _COLON
            at = _add_number(target, at + 1, board.route_row[route])
    ends[row + 1] = at


@compiled
def write_completed(board, state, buffers, first_row, seat):
    """Mark the seat's completed tickets in the rows of this game's tickets."""
    holding, tickets = state.holdings[seat], _columns(buffers.tickets, len(TICKET_COLUMN), buffers.ticket_room)
    labels = lending_network(board, state, seat) if board.stations > 0 else state.mover_view.network[seat]
    for i in range(holding.n_tickets):
        if is_completed(board, state, holding, labels, i):
            row = first_row + holding.order[i]
            tickets[TICKET_COLUMN.completed, row] = 1
            tickets[TICKET_COLUMN.completed_turn, row] = holding.met_turn[i]

"""Writing the log: what a setup, a turn and a finished game leave on the pages.

Here alone the engine's numbers of cities, routes and tickets become rows of the files.
"""

from ttr_sim.engine.board import ABSENT
from ttr_sim.engine.jit import compiled, part
from ttr_sim.engine.log_buffers import (
    FIRST_SEAT_TEXT,
    FIRST_TURN_TEXT,
    GAME_COLUMN,
    ROOM_FOR_TEXT,
    SEAT_COLUMN,
    TEXT,
    TEXTS,
    TICKET_COLUMN,
    TURN_COLUMN,
    ends_page,
    game_page,
    seat_page,
    text_page,
    ticket_page,
    turn_page,
)
from ttr_sim.engine.records import MAX_TICKET_EVENTS
from ttr_sim.engine.scoring import is_completed
from ttr_sim.engine.setup import NOBODY
from ttr_sim.engine.stations import NOT_LENT, lending_network
from ttr_sim.log import NULL

_COMMA, _COLON, _ZERO = ord(","), ord(":"), ord("0")
_IN_ANY_CASE = 8  # letters, which are one store


@compiled
def has_room(book, turn, ticket):
    """Return whether one more turn, and the end of the game, would fit."""
    if turn + 2 > book.turn_room or ticket + MAX_TICKET_EVENTS > book.ticket_room:
        return False
    filled = 0
    for text in range(FIRST_TURN_TEXT, len(TEXTS)):
        filled = max(filled, ends_page(book, text)[turn])
    return filled + ROOM_FOR_TEXT < book.text_room


@compiled
def has_room_for_game(book, players):
    filled = max(ends_page(book, TEXT.games_fill)[book.game], ends_page(book, TEXT.games_passengers)[book.game])
    for text in range(FIRST_SEAT_TEXT, FIRST_TURN_TEXT):
        filled = max(filled, ends_page(book, text)[book.game * players])
    return filled + ROOM_FOR_TEXT < book.text_room and has_room(book, book.turn, book.ticket)


@compiled
def _write_letters(board, book, text, row, codes, first, end):
    """Write the letters of codes[first:end] as the text of this row."""
    page, ends = text_page(book, text), ends_page(book, text)
    at = ends[row]
    for i in range(first, end):
        page[at] = board.letters[codes[i]]
        at += 1
    ends[row + 1] = at


@compiled
def _write_counted(board, book, text, row, counts):
    """Write each color's letter as often as counted, in the colors' order, as the text of this row."""
    ends = ends_page(book, text)
    ends[row + 1] = _add_counted(board, text_page(book, text), ends[row], counts)


@compiled
def _add_counted(board, page, at, counts):
    """Write some letters of each color in any case, as a jump that depends on cards costs more; the next ones are
    written over those that are too many."""
    for color in range(counts.shape[0]):
        letter, count = board.letters[color], counts[color]
        for i in range(_IN_ANY_CASE):
            page[at + i] = letter
        for i in range(_IN_ANY_CASE, count):
            page[at + i] = letter
        at += count
    return at


@compiled
def _null_unless(has_feature, value):
    return value if has_feature else NULL


@compiled
def write_setup(board, state, book, game, first_seat):
    """Write what setup showed: cards turned up, hands as dealt, passengers placed."""
    now, view = state.now, state.mover_view
    _write_letters(board, book, TEXT.games_fill, game, now.fill, 0, now.n_fill)
    game_page(book)[GAME_COLUMN.fill, game] = _null_unless(board.row_size > 0, 0)
    _write_placed_passengers(board, view, book, game)
    for seat in range(view.players):
        _write_counted(board, book, TEXT.seats_hand, first_seat + seat, state.holdings[seat].hand)
        seat_page(book)[SEAT_COLUMN.hand, first_seat + seat] = 0


@part
def _write_placed_passengers(board, view, book, game):
    page, ends = text_page(book, TEXT.games_passengers), ends_page(book, TEXT.games_passengers)
    game_page(book)[GAME_COLUMN.passengers, game] = _null_unless(board.n_passenger_colors > 0, 0)
    at = ends[game]
    if board.n_passenger_colors > 0:
        for row in range(board.n_cities):
            if row > 0:
                page[at] = _COMMA
                at += 1
            if board.pool_of_row[row] != ABSENT:
                at = _add_counted(board, page, at, view.passengers[board.pool_of_row[row]])
    ends[game + 1] = at


@compiled
def write_tickets(board, state, book, row, game):
    """Write the tickets drawn in this turn; return the row after them."""
    now, tickets = state.now, ticket_page(book)
    first_order = state.hidden.n_drawn_tickets - now.n_tickets
    for i in range(now.n_tickets):
        kept = now.ticket_kept[i]
        tickets[TICKET_COLUMN.game, row] = game
        tickets[TICKET_COLUMN.order, row] = first_order + i
        tickets[TICKET_COLUMN.seat, row] = now.ticket_seat[i]
        tickets[TICKET_COLUMN.ticket, row] = board.ticket_row[now.ticket[i]]
        tickets[TICKET_COLUMN.turn, row] = state.mover_view.turn
        tickets[TICKET_COLUMN.kept, row] = kept
        tickets[TICKET_COLUMN.completed, row] = _null_unless(kept, 0)
        tickets[TICKET_COLUMN.completed_turn, row] = NULL
        row += 1
    return row


@compiled
def write_turn(board, state, book, row, game):
    now, view, turns = state.now, state.mover_view, turn_page(book)
    now.game, now.turn, now.seat = game, view.turn, view.seat
    now.score, now.trains = view.score[view.seat], view.trains[view.seat]
    for column in range(len(TURN_COLUMN)):
        turns[column, row] = now.columns[column]
    _write_rows(board, now, turns, row)
    _write_turn_texts(board, now, book, row)


@part
def _write_rows(board, now, turns, row):
    """Write route and city as rows of the files, and passengers by the ends as the file names them."""
    if now.city != NULL:
        turns[TURN_COLUMN.city, row] = board.city_row[now.city]
    if now.route == NULL:
        return
    turns[TURN_COLUMN.route, row] = board.route_row[now.route]
    # Where both ends share their passengers, the first end is the one that took first.
    a, b = board.route_a[now.route], board.route_b[now.route]
    if board.ends_swapped[now.route] and board.pool_city[a] != board.pool_city[b]:
        turns[TURN_COLUMN.passenger1, row] = now.passenger2
        turns[TURN_COLUMN.passenger2, row] = now.passenger1


@part
def _write_turn_texts(board, now, book, row):
    has_row, turns = board.row_size > 0, turn_page(book)
    turns[TURN_COLUMN.row, row] = _null_unless(has_row, 0)
    turns[TURN_COLUMN.fill1, row] = _null_unless(has_row, 0)
    turns[TURN_COLUMN.fill2, row] = _null_unless(has_row, 0)
    turns[TURN_COLUMN.tunnel_cards, row] = _null_unless(now.tunnel_cost != NULL, 0)
    _write_counted(board, book, TEXT.turns_row, row, now.row)
    _write_letters(board, book, TEXT.turns_fill1, row, now.fill, 0, now.fill2_from)
    _write_letters(board, book, TEXT.turns_fill2, row, now.fill, now.fill2_from, now.n_fill)
    _write_letters(board, book, TEXT.turns_tunnel_cards, row, now.tunnel, 0, now.n_tunnel)


@compiled
def write_game(board, state, book, row, game):
    games, view, hidden = game_page(book), state.mover_view, state.hidden
    has_row = board.row_size > 0
    winners = _winners(state)
    winner = _sole_winner(state)
    games[GAME_COLUMN.game, row] = game
    games[GAME_COLUMN.players, row] = view.players
    games[GAME_COLUMN.turns, row] = view.turn + 1
    games[GAME_COLUMN.end, row] = hidden.end
    games[GAME_COLUMN.winners, row] = winners
    games[GAME_COLUMN.resets, row] = _null_unless(has_row, hidden.resets)
    games[GAME_COLUMN.stuck, row] = _null_unless(has_row, hidden.stuck)
    games[GAME_COLUMN.reshuffles, row] = hidden.reshuffles
    games[GAME_COLUMN.lead_changes, row] = hidden.lead_changes
    leads = winner != NOBODY and hidden.leader == winner
    games[GAME_COLUMN.lead_turn, row] = hidden.lead_since if leads else NULL
    games[GAME_COLUMN.margin, row] = _margin(state, winner)


@part
def _winners(state):
    mask = 0
    for seat in range(state.mover_view.players):
        if state.results[seat].rank == 1:
            mask |= 1 << seat
    return mask


@part
def _sole_winner(state):
    winner = NOBODY
    for seat in range(state.mover_view.players):
        if state.results[seat].rank == 1:
            if winner != NOBODY:
                return NOBODY
            winner = seat
    return winner


@part
def _margin(state, winner):
    """Return 0 when the victory is shared; a tie-break leaves 0 by itself."""
    if winner == NOBODY:
        return 0
    margin = state.results[winner].score - NULL
    for seat in range(state.mover_view.players):
        if seat != winner:
            margin = min(margin, state.results[winner].score - state.results[seat].score)
    return margin


@compiled
def write_seat(board, state, book, row, game, seat):
    seats, view, hidden, result = seat_page(book), state.mover_view, state.hidden, state.results[seat]
    seats[SEAT_COLUMN.game, row] = game
    seats[SEAT_COLUMN.seat, row] = seat
    seats[SEAT_COLUMN.bot, row] = state.drivers[seat].bot
    seats[SEAT_COLUMN.plans, row] = state.drivers[seat].plans
    seats[SEAT_COLUMN.score, row] = result.score
    seats[SEAT_COLUMN.rank, row] = result.rank
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
    _write_points(board, result, seats, row, view.score[seat])
    _write_lent(board, state, book, row, seat)
    _write_counted(board, book, TEXT.seats_passengers, row, view.held_passengers[seat])


@part
def _write_points(board, result, seats, row, route_points):
    """Write the parts of the score; in a race there are none."""
    scores = board.race_tickets == 0
    longest, globetrotter = board.longest_points != ABSENT, board.globetrotter_points != ABSENT
    passengers, merchandise = board.n_passenger_colors > 0, board.merchandise_cards > 0
    seats[SEAT_COLUMN.route_points, row] = _null_unless(scores and board.routes_score, route_points)
    seats[SEAT_COLUMN.ticket_points, row] = _null_unless(scores, result.ticket_points)
    seats[SEAT_COLUMN.ticket_penalty, row] = _null_unless(scores and board.failed_subtract, result.ticket_penalty)
    seats[SEAT_COLUMN.longest_points, row] = _null_unless(scores and longest, result.longest_points)
    seats[SEAT_COLUMN.globetrotter_points, row] = _null_unless(scores and globetrotter, result.globetrotter_points)
    seats[SEAT_COLUMN.station_points, row] = _null_unless(scores and board.stations > 0, result.station_points)
    seats[SEAT_COLUMN.passenger_points, row] = _null_unless(scores and passengers, result.passenger_points)
    seats[SEAT_COLUMN.merchandise_points, row] = _null_unless(scores and merchandise, result.merchandise_points)


@part
def _write_lent(board, state, book, row, seat):
    page, ends = text_page(book, TEXT.seats_lent), ends_page(book, TEXT.seats_lent)
    at = ends[row]
    for station in range(board.stations - state.mover_view.stations[seat]):
        route = state.results[seat].lent[station]
        if route != NOT_LENT:
            if at > ends[row]:
                page[at] = _COMMA
                at += 1
            at = _add_number(page, at, board.city_row[state.hidden.station_cities[seat, station]])
            page[at] = _COLON
            at = _add_number(page, at + 1, board.route_row[route])
    ends[row + 1] = at


@compiled
def _add_number(page, at, number):
    """Write the decimal digits of a row number below 1,000; return where they end."""
    for unit in (100, 10, 1):
        if number >= unit or unit == 1:
            page[at] = _ZERO + number // unit % 10
            at += 1
    return at


@compiled
def write_completed(board, state, book, first_row, seat):
    """Mark the seat's completed tickets in the lines of this game's tickets."""
    holding, tickets = state.holdings[seat], ticket_page(book)
    labels = lending_network(board, state, seat) if board.stations > 0 else state.mover_view.network[seat]
    for i in range(holding.n_tickets):
        if is_completed(board, state, holding, labels, i):
            row = first_row + holding.order[i]
            tickets[TICKET_COLUMN.completed, row] = 1
            tickets[TICKET_COLUMN.completed_turn, row] = holding.met_turn[i]

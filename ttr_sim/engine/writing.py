"""Writing the log: what a setup, a turn and a finished game leave on the pages."""

from ttr_sim.engine.board import ABSENT
from ttr_sim.engine.book import (
    GAME,
    GAME_FILL,
    GAME_PASSENGERS,
    ROOM_FOR_TEXT,
    SEAT,
    SEAT_HAND,
    SEAT_LENT,
    SEAT_PASSENGERS,
    TEXTS,
    TICKET,
    TURN,
    TURN_FILL1,
    TURN_FILL2,
    TURN_ROW,
    TURN_TEXTS_FROM,
    TURN_TUNNEL,
    ends_page,
    game_page,
    seat_page,
    text_page,
    ticket_page,
    turn_page,
)
from ttr_sim.engine.compiled import compiled, part
from ttr_sim.engine.scoring import is_completed
from ttr_sim.engine.setup import NOBODY
from ttr_sim.engine.state import MAX_TICKET_EVENTS
from ttr_sim.engine.stations import NOT_LENT, lending_network
from ttr_sim.log import NULL

_COMMA, _COLON, _ZERO = ord(","), ord(":"), ord("0")


@compiled
def has_room(book, turn, ticket):
    """Whether one more turn, and the end of the game, would fit."""
    if turn + 2 > book.turn_room or ticket + MAX_TICKET_EVENTS > book.ticket_room:
        return False
    filled = 0
    for text in range(TURN_TEXTS_FROM, len(TEXTS)):
        filled = max(filled, ends_page(book, text)[turn])
    return filled + ROOM_FOR_TEXT < book.text_room


@compiled
def has_room_for_game(book, players):
    filled = max(ends_page(book, GAME_FILL)[book.game], ends_page(book, GAME_PASSENGERS)[book.game])
    for text in range(SEAT_HAND, TURN_TEXTS_FROM):
        filled = max(filled, ends_page(book, text)[book.game * players])
    return filled + ROOM_FOR_TEXT < book.text_room and has_room(book, book.turn, book.ticket)


@compiled
def _write_letters(board, book, text, row, codes, first, end):
    """Text of this row: the letters of codes[first:end]."""
    page, ends = text_page(book, text), ends_page(book, text)
    place = ends[row]
    for i in range(first, end):
        page[place] = board.letters[codes[i]]
        place += 1
    ends[row + 1] = place


@compiled
def _write_counted(board, book, text, row, counts):
    """Text of this row: each color's letter as often as counted, in the colors' order."""
    ends = ends_page(book, text)
    ends[row + 1] = _add_counted(board, text_page(book, text), ends[row], counts)


@compiled
def _add_counted(board, page, place, counts):
    for color in range(counts.shape[0]):
        for _ in range(counts[color]):
            page[place] = board.letters[color]
            place += 1
    return place


@compiled
def _null_unless(has_feature, value):
    return value if has_feature else NULL


@compiled
def write_setup(board, state, book, game, first_seat):
    """What setup showed: cards turned up, hands as dealt, passengers placed."""
    now, view = state.now, state.table
    _write_letters(board, book, GAME_FILL, game, now.fill, 0, now.n_fill)
    game_page(book)[GAME.fill, game] = _null_unless(board.row_size > 0, 0)
    _write_placed_passengers(board, view, book, game)
    for seat in range(view.players):
        _write_counted(board, book, SEAT_HAND, first_seat + seat, state.holdings[seat].hand)
        seat_page(book)[SEAT.hand, first_seat + seat] = 0


@part
def _write_placed_passengers(board, view, book, game):
    page, ends = text_page(book, GAME_PASSENGERS), ends_page(book, GAME_PASSENGERS)
    game_page(book)[GAME.passengers, game] = _null_unless(board.n_passenger_colors > 0, 0)
    place = ends[game]
    if board.n_passenger_colors > 0:
        for city in range(board.n_cities):
            if city > 0:
                page[place] = _COMMA
                place += 1
            place = _add_counted(board, page, place, view.passengers[city])
    ends[game + 1] = place


@compiled
def write_tickets(state, book, row, game):
    """The tickets drawn in this turn; returns the row after them."""
    now, tickets = state.now, ticket_page(book)
    first_order = state.hidden.n_drawn_tickets - now.n_tickets
    for i in range(now.n_tickets):
        kept = now.ticket_kept[i]
        tickets[TICKET.game, row] = game
        tickets[TICKET.order, row] = first_order + i
        tickets[TICKET.seat, row] = now.ticket_seat[i]
        tickets[TICKET.ticket, row] = now.ticket[i]
        tickets[TICKET.turn, row] = state.table.turn
        tickets[TICKET.kept, row] = kept
        tickets[TICKET.completed, row] = _null_unless(kept, 0)
        tickets[TICKET.completed_turn, row] = NULL
        row += 1
    return row


@compiled
def write_turn(board, state, book, row, game):
    now, view, turns = state.now, state.table, turn_page(book)
    seat = view.seat
    turns[TURN.game, row] = game
    turns[TURN.turn, row] = view.turn
    turns[TURN.seat, row] = seat
    turns[TURN.action, row] = now.action
    turns[TURN.card1, row] = now.card1
    turns[TURN.card1_from, row] = now.card1_from
    turns[TURN.card2, row] = now.card2
    turns[TURN.card2_from, row] = now.card2_from
    turns[TURN.route, row] = now.route
    turns[TURN.city, row] = now.city
    turns[TURN.color, row] = now.color
    turns[TURN.cards, row] = now.cards
    turns[TURN.wilds, row] = now.wilds
    turns[TURN.tunnel_cost, row] = now.tunnel_cost
    turns[TURN.claimed, row] = now.claimed
    turns[TURN.passenger1, row] = now.passenger1
    turns[TURN.passenger2, row] = now.passenger2
    turns[TURN.merchandise, row] = now.merchandise
    turns[TURN.bonus_ticket, row] = now.bonus_ticket
    turns[TURN.wanted_by, row] = now.wanted_by
    turns[TURN.score, row] = view.score[seat]
    turns[TURN.trains, row] = view.trains[seat]
    _write_turn_texts(board, now, book, row)


@part
def _write_turn_texts(board, now, book, row):
    has_row, turns = board.row_size > 0, turn_page(book)
    turns[TURN.row, row] = _null_unless(has_row, 0)
    turns[TURN.fill1, row] = _null_unless(has_row, 0)
    turns[TURN.fill2, row] = _null_unless(has_row, 0)
    turns[TURN.tunnel_cards, row] = _null_unless(now.tunnel_cost != NULL, 0)
    _write_counted(board, book, TURN_ROW, row, now.row)
    _write_letters(board, book, TURN_FILL1, row, now.fill, 0, now.fill2_from)
    _write_letters(board, book, TURN_FILL2, row, now.fill, now.fill2_from, now.n_fill)
    _write_letters(board, book, TURN_TUNNEL, row, now.tunnel, 0, now.n_tunnel)


@compiled
def write_game(board, state, book, row, game):
    games, view, hidden = game_page(book), state.table, state.hidden
    has_row = board.row_size > 0
    winners = _winners(state)
    winner = _sole_winner(state)
    games[GAME.game, row] = game
    games[GAME.players, row] = view.players
    games[GAME.turns, row] = view.turn + 1
    games[GAME.end, row] = hidden.end
    games[GAME.winners, row] = winners
    games[GAME.resets, row] = _null_unless(has_row, hidden.resets)
    games[GAME.stuck, row] = _null_unless(has_row, hidden.stuck)
    games[GAME.reshuffles, row] = hidden.reshuffles
    games[GAME.lead_changes, row] = hidden.lead_changes
    leads = winner != NOBODY and hidden.leader == winner
    games[GAME.lead_turn, row] = hidden.lead_since if leads else NULL
    games[GAME.margin, row] = _margin(state, winner)


@part
def _winners(state):
    mask = 0
    for seat in range(state.table.players):
        if state.results[seat].rank == 1:
            mask |= 1 << seat
    return mask


@part
def _sole_winner(state):
    winner = NOBODY
    for seat in range(state.table.players):
        if state.results[seat].rank == 1:
            if winner != NOBODY:
                return NOBODY
            winner = seat
    return winner


@part
def _margin(state, winner):
    """0 when the victory is shared; a tie-break leaves 0 by itself."""
    if winner == NOBODY:
        return 0
    margin = state.results[winner].score - NULL
    for seat in range(state.table.players):
        if seat != winner:
            margin = min(margin, state.results[winner].score - state.results[seat].score)
    return margin


@compiled
def write_seat(board, state, book, row, game, seat):
    seats, view, hidden, result = seat_page(book), state.table, state.hidden, state.results[seat]
    scores = board.race_tickets == 0
    seats[SEAT.game, row] = game
    seats[SEAT.seat, row] = seat
    seats[SEAT.bot, row] = state.drivers[seat].bot
    seats[SEAT.plans, row] = state.drivers[seat].plans
    seats[SEAT.score, row] = result.score
    seats[SEAT.rank, row] = result.rank
    seats[SEAT.route_points, row] = _null_unless(scores and board.routes_score, view.score[seat])
    seats[SEAT.ticket_points, row] = _null_unless(scores, result.ticket_points)
    seats[SEAT.ticket_penalty, row] = _null_unless(scores and board.failed_subtract, result.ticket_penalty)
    seats[SEAT.longest_points, row] = _null_unless(scores and board.longest_points != ABSENT, result.longest_points)
    has_globetrotter = scores and board.globetrotter_points != ABSENT
    seats[SEAT.globetrotter_points, row] = _null_unless(has_globetrotter, result.globetrotter_points)
    seats[SEAT.station_points, row] = _null_unless(scores and board.stations > 0, result.station_points)
    seats[SEAT.passenger_points, row] = _null_unless(scores and board.n_passenger_colors > 0, result.passenger_points)
    has_merchandise = board.merchandise_cards > 0
    seats[SEAT.merchandise_points, row] = _null_unless(scores and has_merchandise, result.merchandise_points)
    seats[SEAT.tickets_completed, row] = result.completed
    seats[SEAT.tickets_failed, row] = _null_unless(board.failed_subtract, result.failed)
    seats[SEAT.longest_path, row] = _null_unless(board.measure_longest, result.longest)
    seats[SEAT.routes, row] = hidden.routes_claimed[seat]
    seats[SEAT.trains_left, row] = view.trains[seat]
    seats[SEAT.stations_left, row] = _null_unless(board.stations > 0, view.stations[seat])
    seats[SEAT.merchandise, row] = _null_unless(has_merchandise, view.merchandise[seat])
    seats[SEAT.bonus_ticket, row] = _null_unless(board.bonus_tickets > 0, view.bonus_ticket[seat])
    seats[SEAT.turns, row] = hidden.turns_taken[seat]
    seats[SEAT.lent, row] = _null_unless(board.stations > 0, 0)
    seats[SEAT.passengers, row] = _null_unless(board.n_passenger_colors > 0, 0)
    _write_lent(board, state, book, row, seat)
    _write_counted(board, book, SEAT_PASSENGERS, row, view.held_passengers[seat])


@part
def _write_lent(board, state, book, row, seat):
    page, ends = text_page(book, SEAT_LENT), ends_page(book, SEAT_LENT)
    place = ends[row]
    for station in range(board.stations - state.table.stations[seat]):
        route = state.results[seat].lent[station]
        if route != NOT_LENT:
            if place > ends[row]:
                page[place] = _COMMA
                place += 1
            place = _add_number(page, place, state.hidden.station_cities[seat, station])
            page[place] = _COLON
            place = _add_number(page, place + 1, route)
    ends[row + 1] = place


@compiled
def _add_number(page, place, number):
    """Decimal digits of a row number below 1,000; returns the place after them."""
    for unit in (100, 10, 1):
        if number >= unit or unit == 1:
            page[place] = _ZERO + number // unit % 10
            place += 1
    return place


@compiled
def write_completed(board, state, book, first_row, seat):
    """Mark the seat's completed tickets in the lines of this game's tickets."""
    holding, tickets = state.holdings[seat], ticket_page(book)
    labels = lending_network(board, state, seat) if board.stations > 0 else state.table.network[seat]
    for i in range(holding.n_tickets):
        if is_completed(board, state, holding, labels, i):
            row = first_row + holding.order[i]
            tickets[TICKET.completed, row] = 1
            tickets[TICKET.completed_turn, row] = holding.met_turn[i]

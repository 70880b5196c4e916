"""The pages of the log that a batch fills: int16 columns and text, straight from the game."""

from collections import namedtuple
from typing import NamedTuple

import numpy as np

from ttr_sim.engine.board import ABSENT
from ttr_sim.engine.compiled import compiled
from ttr_sim.engine.scoring import is_completed
from ttr_sim.engine.setup import NOBODY
from ttr_sim.engine.state import MAX_FILL, MAX_TICKET_EVENTS
from ttr_sim.engine.stations import NOT_LENT, lending_network
from ttr_sim.log import NULL, TABLES

_COMMA, _COLON, _ZERO = ord(","), ord(":"), ord("0")
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
TURN_ROW, TURN_TUNNEL = TEXTS.index(("turns", "row")), TEXTS.index(("turns", "tunnel_cards"))
TURN_FILL1, TURN_FILL2 = TEXTS.index(("turns", "fill1")), TEXTS.index(("turns", "fill2"))


class Pages(NamedTuple):
    """Arrays of one batch; a row of `text` and `ends` for each of TEXTS."""

    games: np.ndarray  # int16 (columns, rows), as the next three
    seats: np.ndarray
    turns: np.ndarray
    tickets: np.ndarray
    text: np.ndarray  # uint8 (texts, bytes)
    ends: np.ndarray  # int32 (texts, rows + 1): where the text of each row ends


@compiled
def has_room(pages, turn, ticket, game, seats):
    """Whether one more turn, and the end of a game, would fit."""
    if turn + 2 > pages.turns.shape[1] or ticket + MAX_TICKET_EVENTS > pages.tickets.shape[1]:
        return False
    room = pages.text.shape[1] - ROOM_FOR_TEXT
    turn_text = max(
        max(pages.ends[TURN_ROW, turn], pages.ends[TURN_FILL1, turn]),
        max(pages.ends[TURN_FILL2, turn], pages.ends[TURN_TUNNEL, turn]),
    )
    game_text = max(pages.ends[GAME_FILL, game], pages.ends[GAME_PASSENGERS, game])
    seat_text = max(pages.ends[SEAT_HAND, seats], pages.ends[SEAT_PASSENGERS, seats])
    return max(max(turn_text, game_text), seat_text) < room


@compiled
def _write_letters(board, pages, text, row, codes, first, end):
    """Text of this row: the letters of codes[first:end]."""
    place = pages.ends[text, row]
    for i in range(first, end):
        pages.text[text, place] = board.letters[codes[i]]
        place += 1
    pages.ends[text, row + 1] = place


@compiled
def _write_counted(board, pages, text, row, counts):
    """Text of this row: each color's letter as often as counted, in the colors' order."""
    place = pages.ends[text, row]
    for color in range(counts.shape[0]):
        for _ in range(counts[color]):
            pages.text[text, place] = board.letters[color]
            place += 1
    pages.ends[text, row + 1] = place


@compiled
def _write_nothing(pages, text, row):
    pages.ends[text, row + 1] = pages.ends[text, row]


@compiled
def _null_unless(has_feature, value):
    return value if has_feature else NULL


@compiled
def write_setup(board, state, pages, game, first_seat):
    """What setup showed: cards turned up, hands as dealt, passengers placed."""
    now, view = state.now, state.table
    _write_letters(board, pages, GAME_FILL, game, now.fill, 0, now.n_fill)
    pages.games[GAME.fill, game] = _null_unless(board.row_size > 0, 0)
    _write_placed_passengers(board, view, pages, game)
    for seat in range(view.players):
        _write_counted(board, pages, SEAT_HAND, first_seat + seat, state.holdings[seat].hand)
        pages.seats[SEAT.hand, first_seat + seat] = 0


@compiled
def _write_placed_passengers(board, view, pages, game):
    pages.games[GAME.passengers, game] = _null_unless(board.n_passenger_colors > 0, 0)
    place = pages.ends[GAME_PASSENGERS, game]
    if board.n_passenger_colors > 0:
        for city in range(board.n_cities):
            if city > 0:
                pages.text[GAME_PASSENGERS, place] = _COMMA
                place += 1
            for color in range(board.n_colors):
                for _ in range(view.passengers[city, color]):
                    pages.text[GAME_PASSENGERS, place] = board.letters[color]
                    place += 1
    pages.ends[GAME_PASSENGERS, game + 1] = place


@compiled
def write_tickets(state, pages, row, game):
    """The tickets drawn in this turn; returns the row after them."""
    now = state.now
    first_order = state.hidden.n_drawn_tickets - now.n_tickets
    for i in range(now.n_tickets):
        kept = now.ticket_kept[i]
        pages.tickets[TICKET.game, row] = game
        pages.tickets[TICKET.order, row] = first_order + i
        pages.tickets[TICKET.seat, row] = now.ticket_seat[i]
        pages.tickets[TICKET.ticket, row] = now.ticket[i]
        pages.tickets[TICKET.turn, row] = state.table.turn
        pages.tickets[TICKET.kept, row] = kept
        pages.tickets[TICKET.completed, row] = _null_unless(kept, 0)
        pages.tickets[TICKET.completed_turn, row] = NULL
        row += 1
    return row


@compiled
def write_turn(board, state, pages, row, game):
    now, view, turns = state.now, state.table, pages.turns
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
    _write_turn_texts(board, now, pages, row)


@compiled
def _write_turn_texts(board, now, pages, row):
    has_row = board.row_size > 0
    pages.turns[TURN.row, row] = _null_unless(has_row, 0)
    pages.turns[TURN.fill1, row] = _null_unless(has_row, 0)
    pages.turns[TURN.fill2, row] = _null_unless(has_row, 0)
    pages.turns[TURN.tunnel_cards, row] = _null_unless(now.tunnel_cost != NULL, 0)
    _write_letters(board, pages, TURN_ROW, row, now.row, 0, now.n_row)
    _write_letters(board, pages, TURN_FILL1, row, now.fill, 0, now.fill2_from)
    _write_letters(board, pages, TURN_FILL2, row, now.fill, now.fill2_from, now.n_fill)
    _write_letters(board, pages, TURN_TUNNEL, row, now.tunnel, 0, now.n_tunnel)


@compiled
def write_game(board, state, pages, game):
    games, view, hidden = pages.games, state.table, state.hidden
    has_row = board.row_size > 0
    winners = _winners(state)
    winner = _sole_winner(state)
    games[GAME.game, game] = game
    games[GAME.players, game] = view.players
    games[GAME.turns, game] = view.turn + 1
    games[GAME.end, game] = hidden.end
    games[GAME.winners, game] = winners
    games[GAME.resets, game] = _null_unless(has_row, hidden.resets)
    games[GAME.stuck, game] = _null_unless(has_row, hidden.stuck)
    games[GAME.reshuffles, game] = hidden.reshuffles
    games[GAME.lead_changes, game] = hidden.lead_changes
    leads = winner != NOBODY and hidden.leader == winner
    games[GAME.lead_turn, game] = hidden.lead_since if leads else NULL
    games[GAME.margin, game] = _margin(state, winner)


@compiled
def _winners(state):
    mask = 0
    for seat in range(state.table.players):
        if state.results[seat].rank == 1:
            mask |= 1 << seat
    return mask


@compiled
def _sole_winner(state):
    winner = NOBODY
    for seat in range(state.table.players):
        if state.results[seat].rank == 1:
            if winner != NOBODY:
                return NOBODY
            winner = seat
    return winner


@compiled
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
def write_seat(board, state, pages, row, game, seat, bot, plans):
    seats, view, hidden, result = pages.seats, state.table, state.hidden, state.results[seat]
    scores = board.race_tickets == 0
    seats[SEAT.game, row] = game
    seats[SEAT.seat, row] = seat
    seats[SEAT.bot, row] = bot
    seats[SEAT.plans, row] = plans
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
    _write_lent(board, state, pages, row, seat)
    _write_counted(board, pages, SEAT_PASSENGERS, row, view.held_passengers[seat])


@compiled
def _write_lent(board, state, pages, row, seat):
    place = first = pages.ends[SEAT_LENT, row]
    for station in range(board.stations - state.table.stations[seat]):
        route = state.results[seat].lent[station]
        if route != NOT_LENT:
            if place > first:
                pages.text[SEAT_LENT, place] = _COMMA
                place += 1
            place = _write_number(pages, place, state.hidden.station_cities[seat, station])
            pages.text[SEAT_LENT, place] = _COLON
            place = _write_number(pages, place + 1, route)
    pages.ends[SEAT_LENT, row + 1] = place


@compiled
def _write_number(pages, place, number):
    """Decimal digits of a row number below 1,000; returns the place after them."""
    for unit in (100, 10, 1):
        if number >= unit or unit == 1:
            pages.text[SEAT_LENT, place] = _ZERO + number // unit % 10
            place += 1
    return place


@compiled
def write_completed(board, state, pages, first_row, seat):
    """Mark the seat's completed tickets in the lines of this game's tickets."""
    holding = state.holdings[seat]
    labels = lending_network(board, state, seat) if board.stations > 0 else state.table.network[seat]
    for i in range(holding.n_tickets):
        if is_completed(board, holding, labels, i):
            row = first_row + holding.order[i]
            pages.tickets[TICKET.completed, row] = 1
            pages.tickets[TICKET.completed_turn, row] = holding.met_turn[i]

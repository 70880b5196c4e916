"""Setting up a game: everything laid out, cards and tickets dealt, first tickets chosen."""

import numpy as np

from ttr_sim.edition.limits import MAX_COLORS
from ttr_sim.engine.actions import ASK_KEEP, ASK_MIX, ASK_TURN, cards_of_deck
from ttr_sim.engine.cards import deal_hands, fill_row, shuffle_train_deck
from ttr_sim.engine.claims import open_all_routes
from ttr_sim.engine.jit import compiled, part
from ttr_sim.engine.networks import clear_network
from ttr_sim.engine.passengers import place_passengers
from ttr_sim.engine.records import N_COLORS
from ttr_sim.engine.rng import BOT, TIES, deal_key, purpose_key, tie_number
from ttr_sim.engine.routesets import clear_routes
from ttr_sim.engine.stations import open_all_cities
from ttr_sim.engine.tickets import (
    ask_to_keep,
    clear_offer,
    deal_tickets,
    offer_tickets,
    return_rest_at_start,
    shuffle_ticket_decks,
    take_kept,
)
from ttr_sim.log import NULL

NOBODY = -1
NOT_YET = -1


@compiled
def set_up(board, state, players, seed, deal):
    """Lay out the game up to its first decision."""
    state.mover_view.players = players
    state.hidden.deal_key = deal_key(seed, deal)
    _clear_view(board, state.mover_view)
    _clear_hidden(state)
    for seat in range(players):
        _clear_seat(board, state, seat)
    clear_turn(state.now)
    _draw_ties(board, state)
    shuffle_train_deck(board, state)
    shuffle_ticket_decks(board, state)
    open_all_routes(board, state)
    open_all_cities(board, state)
    place_passengers(board, state)
    deal_hands(board, state)
    fill_row(board, state)
    state.mover_view.seat = 0
    if board.mix:
        state.mover_view.decision = ASK_MIX
        return
    deal_tickets(board, state)
    state.mover_view.decision = ASK_KEEP
    advance_setup(board, state, 0)


@part
def _clear_view(board, view):
    view.turn = -1
    view.final_turns = NOT_YET
    view.discard_cards = view.row_cards = view.board_version = view.passes = 0
    view.drawn_card = NOBODY
    view.merchandise_left = board.merchandise_cards
    view.bonus_tickets_left = board.bonus_tickets
    for color in range(N_COLORS):
        view.row[color] = 0
        view.discards[color] = 0
    for city in range(board.n_cities):
        for color in range(MAX_COLORS):
            view.passengers[city, color] = 0


@compiled
def _draw_ties(board, state):
    """Draw the numbers that break ties, by identity: an edit leaves those of all others as they were."""
    view, key = state.mover_view, purpose_key(state.hidden.deal_key, TIES)
    for city in range(board.n_cities):
        view.city_tie[city] = tie_number(key, board.city_identity[city])
    for route in range(board.n_routes):
        view.route_tie[route] = tie_number(key, board.route_identity[route])
    for ticket in range(board.n_tickets):
        view.ticket_tie[ticket] = tie_number(key, board.ticket_identity[ticket])
    for color in range(N_COLORS):
        view.color_tie[color] = tie_number(key, board.color_identity[color])


@part
def _clear_hidden(state):
    hidden = state.hidden
    hidden.stuck_turn = -2
    hidden.end = NOBODY
    hidden.n_drawn_tickets = hidden.resets = hidden.stuck = hidden.reshuffles = hidden.lead_changes = 0
    hidden.leader = hidden.last_leader = hidden.lead_since = NOBODY


@part
def _clear_seat(board, state, seat):
    view, holding = state.mover_view, state.holdings[seat]
    view.trains[seat] = board.trains
    view.score[seat] = view.held_tickets[seat] = view.completed[seat] = 0
    view.bonus_ticket[seat] = view.merchandise[seat] = 0
    holding.n_tickets = 0
    for i in range(holding.tickets.shape[0]):
        holding.tickets[i] = 0
    clear_offer(holding)
    state.hidden.turns_taken[seat] = state.hidden.routes_claimed[seat] = 0
    for color in range(N_COLORS):
        holding.hand[color] = 0
        view.taken[seat, color] = 0
        view.spent[seat, color] = 0
        view.known[seat, color] = 0
    for color in range(MAX_COLORS):
        view.held_passengers[seat, color] = 0
    clear_network(board, view.network[seat])


@compiled
def enter_bot(state, seat, bot, index, rotation, place):
    """Seat a bot: empty its room and start its own stream."""
    room, driver = state.seats[seat], state.drivers[seat]
    driver.address, driver.bot, driver.plans = bot.address, index, bot.plans
    driver.guarded, driver.searches = bot.guarded, bot.searches
    for i in range(room.parameters.shape[0]):
        room.parameters[i] = bot.parameters[i]
    for i in range(room.memory.shape[0]):
        room.memory[i] = 0
    clear_routes(room.wants)
    room.stream = purpose_key(state.hidden.deal_key, np.int64(BOT) + 256 * rotation + place)


@compiled
def clear_turn(now):
    for column in range(now.columns.shape[0]):
        now.columns[column] = NULL
    now.n_fill = now.n_tunnel = now.n_tickets = 0
    now.fill2_from = 0


@compiled
def announce_mix(board, state, answer):
    """Deal the seat as many tickets of each deck as it announces."""
    for deck in range(board.n_decks):
        offer_tickets(state, state.mover_view.seat, deck, cards_of_deck(answer, deck))


@part
def _ask_all_to_keep(board, state, first_seat):
    """Ask the first seat from here on that has a choice; return true when none has."""
    for seat in range(first_seat, state.mover_view.players):
        state.mover_view.seat = seat
        if ask_to_keep(state, seat, board.keep_at_start):
            return False
    return True


@compiled
def advance_setup(board, state, next_seat):
    """Move on to the next question of setup; return true when setup is over."""
    view = state.mover_view
    if view.decision == ASK_MIX:
        if next_seat < view.players:
            view.seat = next_seat
            return False
        next_seat = 0
    if not _ask_all_to_keep(board, state, next_seat):
        return False
    for seat in range(view.players):
        take_kept(board, state, seat)
    return_rest_at_start(board, state)
    view.decision = ASK_TURN
    return True

"""Setting up a game: everything laid out, cards and tickets dealt, first tickets chosen."""

import numpy as np

from ttr_sim.edition.limits import MAX_COLORS
from ttr_sim.engine.actions import ASK_KEEP, ASK_MIX, ASK_TURN, cards_of_deck, first_of
from ttr_sim.engine.cards import draw_from_deck, fill_row, shuffle_train_deck
from ttr_sim.engine.claims import open_all_routes
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.networks import clear_network, clear_routes
from ttr_sim.engine.records import N_COLORS
from ttr_sim.engine.rng import BOT, PASSENGERS, TIES, deal_key, item_key, purpose_key, sort_by_key, tie_number
from ttr_sim.engine.stations import open_all_cities
from ttr_sim.engine.tickets import (
    ask_to_keep,
    clear_offer,
    keep_offered,
    offer_tickets,
    return_rest_at_start,
    shuffle_ticket_decks,
    take_kept,
)
from ttr_sim.log import NULL

NOBODY = -1
NOT_YET = -1
SETUP_TURN = -1


@compiled
def set_up(board, state, players, seed, deal):
    """Lay out the game up to its first decision."""
    view = state.mover_view
    view.players = players
    state.hidden.deal_key = deal_key(seed, deal)
    _clear_view(board, view)
    hidden = state.hidden
    hidden.stuck_turn = SETUP_TURN - 1
    hidden.end = NOBODY
    hidden.n_drawn_tickets = hidden.resets = hidden.stuck = hidden.reshuffles = hidden.lead_changes = 0
    hidden.leader = hidden.last_leader = hidden.lead_since = NOBODY
    for seat in range(players):
        _clear_seat(board, state, seat)
    clear_turn(state.turn_log)
    _draw_ties(board, state)
    shuffle_train_deck(board, state)
    shuffle_ticket_decks(board, state)
    open_all_routes(board, state)
    open_all_cities(board, state)
    _place_passengers(board, state)
    for seat in range(players):
        for _ in range(board.hand):
            state.holdings[seat].hand[draw_from_deck(board, state)] += 1
        view.hand_cards[seat] = board.hand
    fill_row(board, state)
    # Seat 0 always begins: rotating lineups takes the place of drawing a first player.
    view.seat = 0
    if board.mix:
        view.decision = ASK_MIX
        return
    for seat in range(players):
        for deck in range(board.n_decks):
            offer_tickets(state, seat, deck, board.deck_deal[deck])
    view.decision = ASK_KEEP
    _advance_setup(board, state, 0)


@compiled
def _clear_view(board, view):
    view.turn = SETUP_TURN
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
def clear_turn(log):
    for column in range(log.columns.shape[0]):
        log.columns[column] = NULL
    log.n_fill = log.n_tunnel = log.n_tickets = 0
    log.fill2_from = 0


@compiled
def _draw_ties(board, state):
    """Draw the numbers that break ties, by identity, so that an edit leaves all others unchanged."""
    view, key = state.mover_view, purpose_key(state.hidden.deal_key, TIES)
    for city in range(board.n_cities):
        view.city_tie[city] = tie_number(key, board.city_identity[city])
    for route in range(board.n_routes):
        view.route_tie[route] = tie_number(key, board.route_identity[route])
    for ticket in range(board.n_tickets):
        view.ticket_tie[ticket] = tie_number(key, board.ticket_identity[ticket])
    for color in range(N_COLORS):
        view.color_tie[color] = tie_number(key, board.color_identity[color])


@compiled
def _place_passengers(board, state):
    """Place every meeple at random, at each city and country as many as the edition says."""
    scratch = state.scratch
    key = purpose_key(state.hidden.deal_key, PASSENGERS)
    n = board.n_passenger_colors * board.passengers_each
    for meeple in range(n):
        scratch.items[meeple] = board.passenger_color[meeple // board.passengers_each]
        scratch.keys[meeple] = item_key(key, board.passenger_identity[meeple])
    sort_by_key(scratch, n)
    meeple = 0
    for city in range(board.n_cities):
        for _ in range(board.pool_size[city]):
            state.mover_view.passengers[city, scratch.sorted_items[meeple]] += 1
            meeple += 1


@compiled
def enter_bot(state, seat, bot, index, rotation, place):
    """Seat a bot: empty its memory and start its own stream."""
    memory, driver = state.seats[seat], state.drivers[seat]
    driver.address, driver.bot, driver.plans = bot.address, index, bot.plans
    driver.guarded, driver.searches = bot.guarded, bot.searches
    for i in range(memory.parameters.shape[0]):
        memory.parameters[i] = bot.parameters[i]
    for i in range(memory.memory.shape[0]):
        memory.memory[i] = 0
    clear_routes(memory.wants)
    # The same place of the lineup draws the same numbers in every run of this deal and rotation.
    memory.stream = purpose_key(state.hidden.deal_key, np.int64(BOT) + 256 * rotation + place)


@compiled
def apply_at_setup(board, state, answer):
    """Deal an announced mix or store the tickets kept and return whether setup is over."""
    view = state.mover_view
    if view.decision == ASK_MIX:
        for deck in range(board.n_decks):
            offer_tickets(state, view.seat, deck, cards_of_deck(answer, deck))
    else:
        keep_offered(state, view.seat, first_of(answer))
    return _advance_setup(board, state, view.seat + 1)


@compiled
def _advance_setup(board, state, next_seat):
    """Move on to the next question of setup. True when setup is over."""
    view = state.mover_view
    if view.decision == ASK_MIX:
        if next_seat < view.players:
            view.seat = next_seat
            return False
        next_seat = 0
    for seat in range(next_seat, view.players):
        view.seat = seat
        if ask_to_keep(state, seat, board.keep_at_start):
            return False
    # All returns go back together, so that no early choice shows in a later offer.
    for seat in range(view.players):
        take_kept(board, state, seat)
    return_rest_at_start(board, state)
    view.decision = ASK_TURN
    return True

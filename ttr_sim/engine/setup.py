"""Setting up a game: everything laid out, cards and tickets dealt, first tickets chosen."""

import numpy as np

from ttr_sim.engine import rng, tickets
from ttr_sim.engine.actions import ASK_KEEP, ASK_MIX, ASK_TURN, cards_of_deck, unpack
from ttr_sim.engine.bot_abi import clear_record, copy_record
from ttr_sim.engine.cards import draw_from_deck, fill_row, shuffle_discards
from ttr_sim.engine.claims import FREE
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.networks import ALL_ROUTES
from ttr_sim.engine.records import N_COLORS, ROUTE_WORDS
from ttr_sim.log import NULL

NOBODY = -1
NOT_YET = -1
SETUP_TURN = -1


@compiled
def set_up(board, state, players, seed, deal):
    """Lay out the game up to its first decision."""
    view = state.mover_view
    _clear_game(board, state, players, rng.deal_key(seed, deal))
    for color in range(N_COLORS):
        view.discards[color] = board.color_cards[color]
    shuffle_discards(board, state, rng.TRAIN_DECK)
    for deck in range(board.n_decks):
        for at in range(board.first_ticket[deck], board.first_ticket[deck + 1]):
            tickets.put_under(board, state, board.deck_tickets[at])
        tickets.shuffle_ticket_deck(board, state, deck, rng.TICKET_DECK)
    _place_passengers(board, state)
    for seat in range(players):
        for _ in range(board.hand):
            state.holdings[seat].hand[draw_from_deck(board, state)] += 1
        view.hand_cards[seat] = board.hand
    fill_row(board, state, False)
    # Seat 0 always begins: rotating lineups takes the place of drawing a first player.
    if board.mix:
        view.decision = ASK_MIX
        return
    for seat in range(players):
        for deck in range(board.n_decks):
            tickets.offer_tickets(state, seat, deck, board.deck_deal[deck])
    view.decision = ASK_KEEP
    _advance_setup(board, state, 0)


@compiled
def _clear_game(board, state, players, key):
    """Everything empty, free and open, and the numbers drawn that break ties."""
    view, hidden = state.mover_view, state.hidden
    clear_record(view)
    clear_record(hidden)
    clear_turn(state.turn_log)
    view.players, view.turn = players, SETUP_TURN
    view.final_turns, view.drawn_card = NOT_YET, NOBODY
    view.merchandise_left, view.bonus_tickets_left = board.merchandise_cards, board.bonus_tickets
    hidden.stuck_turn = SETUP_TURN - 1
    hidden.end = hidden.leader = hidden.last_leader = hidden.lead_since = NOBODY
    for route in range(board.n_routes):
        view.owner[route] = FREE
    for city in range(board.n_cities):
        view.station_owner[city] = FREE
    for seat in range(players):
        clear_record(state.holdings[seat])
        view.trains[seat], view.stations[seat] = board.trains, board.stations
        for word in range(ROUTE_WORDS):
            view.open_routes[seat, word] = ALL_ROUTES
        for index in range(board.n_classes):
            view.open_classes[seat, index] = board.first_of_class[index + 1] - board.first_of_class[index]
        for city in range(board.n_cities):
            view.network[seat, city] = city
    hidden.deal_key = key
    ties = rng.purpose_key(key, rng.TIES)
    for city in range(board.n_cities):
        view.city_tie[city] = rng.tie_number(ties, board.city_identity[city])
    for route in range(board.n_routes):
        view.route_tie[route] = rng.tie_number(ties, board.route_identity[route])
    for ticket in range(board.n_tickets):
        view.ticket_tie[ticket] = rng.tie_number(ties, board.ticket_identity[ticket])
    for color in range(N_COLORS):
        view.color_tie[color] = rng.tie_number(ties, board.color_identity[color])


@compiled
def clear_turn(log):
    for column in range(log.columns.shape[0]):
        log.columns[column] = NULL
    log.n_fill = log.n_tunnel = log.n_tickets = 0
    log.fill2_from = 0


@compiled
def _place_passengers(board, state):
    """Place every meeple at random."""
    scratch = state.scratch
    key = rng.purpose_key(state.hidden.deal_key, rng.PASSENGERS)
    n = board.n_passenger_colors * board.passengers_each
    for meeple in range(n):
        scratch.items[meeple] = board.passenger_color[meeple // board.passengers_each]
        scratch.keys[meeple] = rng.item_key(key, board.passenger_identity[meeple])
    rng.sort_by_key(scratch, n)
    meeple = 0
    for city in range(board.n_cities):
        for _ in range(board.pool_size[city]):
            state.mover_view.passengers[city, scratch.sorted_items[meeple]] += 1
            meeple += 1


@compiled
def enter_bot(state, seat, bot, rotation, place):
    """Seat a bot: empty its memory and start its own stream."""
    memory = state.seats[seat]
    copy_record(state.drivers[seat], bot)
    clear_record(memory)
    for i in range(memory.parameters.shape[0]):
        memory.parameters[i] = bot.parameters[i]
    # The same place of the lineup draws the same numbers in every run of this deal and rotation.
    memory.stream = rng.purpose_key(state.hidden.deal_key, np.int64(rng.BOT) + 256 * rotation + place)


@compiled
def apply_at_setup(board, state, answer):
    """Deal an announced mix or store a choice. True: setup is over."""
    view = state.mover_view
    if view.decision == ASK_MIX:
        for deck in range(board.n_decks):
            tickets.offer_tickets(state, view.seat, deck, cards_of_deck(answer, deck))
    else:
        tickets.keep_offered(state, view.seat, unpack(answer)[1])
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
        if tickets.ask_to_keep(state, seat, board.keep_at_start):
            return False
    # All returns go back together, so that no early choice shows in a later offer.
    tickets.finish_offers_at_start(board, state)
    view.decision = ASK_TURN
    return True

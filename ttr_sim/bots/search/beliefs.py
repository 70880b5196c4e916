"""Beliefs about hidden tickets: a seat likelier holds a ticket along the routes it has built."""

from ttr_sim.bots.planner.memory import memory_of
from ttr_sim.bots.planner.ways import FAR, NOWHERE, find_way, price_by_trains, reset_search, use_prices
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.networks import is_met
from ttr_sim.engine.rng import draw_below, item_key
from ttr_sim.log import NULL

# How much likelier others hold tickets that fit their routes; 0: not at all.
TRUST = 60.0
# Trains that a route of another counts for where stations can lend it.
LOAN = 6.0
FINE_GRAIN = 1 << 30


@compiled
def judge_fits(board, view, scratch, fits):
    """Set the share of each ticket's shortest way that every other seat has built."""
    mover = view.seat
    for seat in range(view.players):
        if seat != mover:
            view.seat = seat
            memory = memory_of(scratch[seat])
            price_by_trains(board, view, memory, LOAN)
            use_prices(board, memory)
            for ticket in range(board.n_tickets):
                fits[seat][ticket] = _way(board, view, memory, ticket)  # trains still needed
            for route in range(board.n_routes):
                if view.owner[route] == seat:
                    memory.cost[route] = board.route_length[route]
            reset_search(memory)
            for ticket in range(board.n_tickets):
                left, whole = fits[seat][ticket], _way(board, view, memory, ticket)
                fits[seat][ticket] = 1.0 - left / whole if left < whole else 0.0
    view.seat = mover


@compiled
def _way(board, view, memory, ticket):
    end = find_way(board, view, memory, board.ticket_a_set[ticket], board.ticket_b_set[ticket], FAR)
    return FAR if end == NOWHERE else memory.distance[end]


@compiled
def weigh_tickets(board, state, mover, trust, fits):
    """Redraw each hidden ticket of others in proportion to its fit."""
    if trust <= 0 or board.show_tickets:  # shown tickets leave only those that fit nothing yet
        return
    for seat in range(state.mover_view.players):
        if seat != mover:
            state.seats[seat].stream = item_key(state.hidden.deal_key, state.seats[seat].stream)
            for i in range(state.holdings[seat].n_tickets):
                _redraw(board, state, seat, i, trust, fits[seat])


@compiled
def _redraw(board, state, seat, i, trust, fits):
    """Swap the ticket with one of its deck, or itself, by weight."""
    view, hidden, holding = state.mover_view, state.hidden, state.holdings[seat]
    held = holding.tickets[i]
    deck, chosen = board.ticket_deck[held], -1
    weight = _weight(fits, held, trust)
    total = weight
    for k in range(view.deck_tickets[deck]):
        total += _weight(fits, hidden.ring[deck, (hidden.ring_at[deck] + k) % hidden.ring.shape[1]], trust)
    left = total * draw_below(state.seats[seat], FINE_GRAIN) / FINE_GRAIN - weight
    while left >= 0 and chosen + 1 < view.deck_tickets[deck]:
        chosen += 1
        left -= _weight(fits, hidden.ring[deck, (hidden.ring_at[deck] + chosen) % hidden.ring.shape[1]], trust)
    if chosen >= 0:
        at = (hidden.ring_at[deck] + chosen) % hidden.ring.shape[1]
        other = hidden.ring[deck, at]
        hidden.ring[deck, at] = held
        holding.tickets[i] = other
        holding.met_turn[i] = view.turn if is_met(board, view.network[seat], other) else NULL


@compiled
def _weight(fits, ticket, trust):
    return (1.0 + trust * fits[ticket]) * (1.0 + trust * fits[ticket])

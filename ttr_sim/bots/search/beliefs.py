"""What others may be after: a ticket that fits what a seat has claimed is likelier to be in its hand."""

from ttr_sim.bots.skills.ways import has_city
from ttr_sim.engine.chance import draw_below, item_key
from ttr_sim.engine.compiled import compiled, part
from ttr_sim.engine.networks import is_met
from ttr_sim.log import NULL

TRUST = 1.0  # how much likelier others hold tickets that fit their routes; 0: not at all
SWAPS = 6  # tried for each ticket: enough to forget where it started
FINE_GRAIN = 1 << 20
FIT_OF_MET = 3.0
FIT_OF_END = 1.0  # reached by a route of the seat


@compiled
def weigh_tickets(board, state, mover, trust):
    """Swap others' hidden tickets with the decks', so that each is held as often as it fits (Metropolis)."""
    if trust <= 0 or board.show_tickets:  # shown tickets leave only those that fit nothing yet
        return
    for seat in range(state.table.players):
        if seat != mover:
            state.seats[seat].stream = item_key(state.hidden.deal_key, state.seats[seat].stream)
            for i in range(state.holdings[seat].n_tickets):
                for _ in range(SWAPS):
                    _try_swap(board, state, seat, i, trust)


@part
def _try_swap(board, state, seat, i, trust):
    view, hidden, holding = state.table, state.hidden, state.holdings[seat]
    held = holding.tickets[i]
    deck = board.ticket_deck[held]
    if view.deck_tickets[deck] == 0:
        return
    at = (hidden.ring_at[deck] + draw_below(state.seats[seat], view.deck_tickets[deck])) % hidden.ring.shape[1]
    other = hidden.ring[deck, at]
    chance = draw_below(state.seats[seat], FINE_GRAIN)
    if chance * _likelihood(board, view, seat, held, trust) < FINE_GRAIN * _likelihood(board, view, seat, other, trust):
        hidden.ring[deck, at] = held
        holding.tickets[i] = other
        holding.met_turn[i] = view.turn if is_met(board, view.network[seat], other) else NULL


@compiled
def _likelihood(board, view, seat, ticket, trust):
    """Return how likely the seat keeps such a ticket, given its routes; 1 for one that they do not touch."""
    if is_met(board, view.network[seat], ticket):
        fit = FIT_OF_MET
    else:
        fit = FIT_OF_END * _is_reached(board, view, seat, board.ticket_a_set[ticket])
        fit += FIT_OF_END * _is_reached(board, view, seat, board.ticket_b_set[ticket])
    return (1.0 + trust * fit) * (1.0 + trust * fit)


@compiled
def _is_reached(board, view, seat, cities):
    for city in range(board.n_cities):
        if has_city(cities, city):
            for index in range(board.first_road[city], board.first_road[city + 1]):
                if view.owner[board.road_route[index]] == seat:
                    return True
    return False

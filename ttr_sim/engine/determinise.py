"""Make a seat's view into a full state: sample again what the seat cannot know.

Other hands keep the cards that the table knows to be in them; all other hidden cards, the tickets
of others and of the decks, and the reshuffles to come are dealt afresh.
"""

from ttr_sim.engine.jit import compiled, part
from ttr_sim.engine.networks import is_met
from ttr_sim.engine.records import N_COLORS
from ttr_sim.engine.rng import DETERMINISE, item_key, purpose_key, sort_by_key
from ttr_sim.log import NULL


@compiled
def determinise(board, state, seat, key):
    """Replace all that is hidden from the seat by a sample that `key` decides."""
    state.hidden.deal_key = purpose_key(key, DETERMINISE)
    _resample_cards(board, state, seat)
    for deck in range(board.n_decks):
        _resample_tickets(board, state, seat, deck)


@part
def _resample_cards(board, state, seat):
    """Pool the deck with the unknown cards of other hands, shuffle, and deal them back."""
    view, hidden, scratch = state.mover_view, state.hidden, state.scratch
    n = 0
    for at in range(hidden.deck_at, hidden.deck_end):
        scratch.items[n] = hidden.deck[at]
        n += 1
    for other in range(view.players):
        if other != seat:
            n = _pool_unknown(view, state.holdings[other].hand, scratch, other, n)
    _shuffle_pool(board, state, n)
    dealt = 0
    for other in range(view.players):
        if other != seat:
            dealt = _deal_unknown(view, state.holdings[other].hand, scratch, other, dealt)
    for at in range(hidden.deck_at, hidden.deck_end):
        hidden.deck[at] = scratch.sorted_items[dealt]
        dealt += 1


@part
def _pool_unknown(view, hand, scratch, other, n):
    for color in range(N_COLORS):
        while hand[color] > view.known[other, color]:
            hand[color] -= 1
            scratch.items[n] = color
            n += 1
    return n


@part
def _deal_unknown(view, hand, scratch, other, dealt):
    held = 0
    for color in range(N_COLORS):
        held += hand[color]
    for _ in range(view.hand_cards[other] - held):
        hand[scratch.sorted_items[dealt]] += 1
        dealt += 1
    return dealt


@part
def _shuffle_pool(board, state, n):
    """Shuffle what is pooled. Sorting it first makes the sample independent of the order it truly lay in."""
    scratch = state.scratch
    _sort_items(scratch, n)
    for i in range(n):
        scratch.keys[i] = item_key(state.hidden.deal_key, board.card_identity[i % board.n_cards])
    sort_by_key(scratch, n)


@part
def _sort_items(scratch, n):
    for i in range(1, n):
        item, j = scratch.items[i], i
        while j > 0 and scratch.items[j - 1] > item:
            scratch.items[j] = scratch.items[j - 1]
            j -= 1
        scratch.items[j] = item


@part
def _is_known(state, seat, ticket):
    """Return whether the seat holds or is offered the ticket, or somebody has shown it."""
    for other in range(state.mover_view.players):
        holding = state.holdings[other]
        for i in range(holding.n_tickets):
            if holding.tickets[i] == ticket and (other == seat or holding.shown[i]):
                return True
        for i in range(holding.n_offered):
            if other == seat and holding.offered[i] == ticket:
                return True
    return False


@part
def _resample_tickets(board, state, seat, deck):
    """Shuffle all unknown tickets of a deck: to other seats, to the deck, and out of the game."""
    view, hidden, scratch = state.mover_view, state.hidden, state.scratch
    n = 0
    for at in range(board.first_ticket[deck], board.first_ticket[deck + 1]):
        ticket = board.deck_tickets[at]
        if not _is_known(state, seat, ticket):
            scratch.items[n] = ticket
            scratch.keys[n] = item_key(state.hidden.deal_key, board.ticket_identity[ticket])
            n += 1
    sort_by_key(scratch, n)
    dealt = 0
    for other in range(view.players):
        if other != seat:
            dealt = _deal_tickets(board, state, other, deck, dealt, n)
    for i in range(view.deck_tickets[deck]):
        hidden.ring[deck, (hidden.ring_at[deck] + i) % hidden.ring.shape[1]] = scratch.sorted_items[dealt]
        dealt += 1


@part
def _bring_unmet(board, labels, scratch, dealt, n):
    """Swap the next ticket that this network does not meet to the front: a met one would be shown."""
    for i in range(dealt, n):
        ticket = scratch.sorted_items[i]
        if not is_met(board, labels, ticket):
            scratch.sorted_items[i] = scratch.sorted_items[dealt]
            scratch.sorted_items[dealt] = ticket
            return


@part
def _deal_tickets(board, state, other, deck, dealt, n):
    """Deal another seat its hidden tickets of this deck: those held, and during setup those offered."""
    holding, scratch = state.holdings[other], state.scratch
    for i in range(holding.n_tickets):
        if board.ticket_deck[holding.tickets[i]] == deck and not holding.shown[i]:
            if board.show_tickets:
                _bring_unmet(board, state.mover_view.network[other], scratch, dealt, n)
            holding.tickets[i] = scratch.sorted_items[dealt]
            met = is_met(board, state.mover_view.network[other], holding.tickets[i])
            holding.met_turn[i] = state.mover_view.turn if met else NULL
            dealt += 1
    for i in range(holding.n_offered):
        if board.ticket_deck[holding.offered[i]] == deck:
            holding.offered[i] = scratch.sorted_items[dealt]
            dealt += 1
    return dealt

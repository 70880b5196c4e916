"""Worlds: states that a seat cannot tell from the game, with all that it cannot see sampled again.

Other hands keep the cards that the table has seen them take.
"""

from ttr_sim.engine.bot_abi import clear_record, copy_record
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.networks import is_met
from ttr_sim.engine.records import N_COLORS
from ttr_sim.engine.rng import DETERMINISE, draw_key, item_key, purpose_key, sort_by_key
from ttr_sim.log import NULL


@compiled
def prepare_world(board, state, world):
    """Fill `world` with the game as the mover sees it, for a bot that searches."""
    mover = state.mover_view.seat
    copy_game(world, state)
    for seat in range(state.mover_view.players):
        clear_record(world.seats[seat])
        if seat != mover:
            world.holdings[seat].kept_mask = 0
    determinise(board, world, mover, draw_key(state.seats[mover]))


@compiled
def copy_game(target, source):
    """Copy a game without its drivers: nobody's wants are published in a world."""
    copy_record(target.mover_view, source.mover_view)
    copy_record(target.hidden, source.hidden)
    copy_record(target.turn_log, source.turn_log)
    for seat in range(source.mover_view.players):
        copy_record(target.holdings[seat], source.holdings[seat])
        copy_record(target.seats[seat], source.seats[seat])


@compiled
def determinise(board, state, seat, key):
    """Replace all that is hidden from the seat by a sample that `key` decides."""
    state.hidden.deal_key = purpose_key(key, DETERMINISE)
    _resample_cards(board, state, seat)
    for deck in range(board.n_decks):
        _resample_tickets(board, state, seat, deck)


@compiled
def _resample_cards(board, state, seat):
    """Shuffle the deck with the unknown cards of other hands."""
    view, hidden, scratch = state.mover_view, state.hidden, state.scratch
    n = 0
    # Pooled by color, which makes the sample independent of the order in which the cards truly lie.
    for color in range(N_COLORS):
        unknown = 0
        for at in range(hidden.deck_at, hidden.deck_end):
            unknown += hidden.deck[at] == color
        for other in range(view.players):
            if other != seat:
                hand = state.holdings[other].hand
                unknown += hand[color] - min(hand[color], view.known[other, color])
                hand[color] = min(hand[color], view.known[other, color])
        for _ in range(unknown):
            scratch.items[n] = color
            n += 1
    for i in range(n):
        scratch.keys[i] = item_key(hidden.deal_key, board.card_identity[i % board.n_cards])
    sort_by_key(scratch, n)
    dealt = 0
    for other in range(view.players):
        if other == seat:
            continue
        hand, held = state.holdings[other].hand, 0
        for color in range(N_COLORS):
            held += hand[color]
        for _ in range(view.hand_cards[other] - held):
            hand[scratch.sorted_items[dealt]] += 1
            dealt += 1
    for at in range(hidden.deck_at, hidden.deck_end):
        hidden.deck[at] = scratch.sorted_items[dealt]
        dealt += 1


@compiled
def _resample_tickets(board, state, seat, deck):
    """Shuffle the unknown tickets of a deck."""
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


@compiled
def _is_known(state, seat, ticket):
    """Whether the seat holds or is offered the ticket, or somebody has shown it."""
    for other in range(state.mover_view.players):
        holding = state.holdings[other]
        for i in range(holding.n_tickets):
            if holding.tickets[i] == ticket and (other == seat or holding.shown[i]):
                return True
        for i in range(holding.n_offered):
            if other == seat and holding.offered[i] == ticket:
                return True
    return False


@compiled
def _deal_tickets(board, state, other, deck, dealt, n):
    """Deal another seat its hidden tickets of this deck, held or offered."""
    holding, items = state.holdings[other], state.scratch.sorted_items
    network = state.mover_view.network[other]
    for i in range(holding.n_tickets):
        if board.ticket_deck[holding.tickets[i]] != deck or holding.shown[i]:
            continue
        # Shown at once when met: a hidden ticket is the next one that the network does not meet.
        chosen = dealt
        while board.show_tickets and chosen < n and is_met(board, network, items[chosen]):
            chosen += 1
        if chosen < n:
            items[dealt], items[chosen] = items[chosen], items[dealt]
        holding.tickets[i] = items[dealt]
        holding.met_turn[i] = state.mover_view.turn if is_met(board, network, holding.tickets[i]) else NULL
        dealt += 1
    for i in range(holding.n_offered):
        if board.ticket_deck[holding.offered[i]] == deck:
            holding.offered[i] = items[dealt]
            dealt += 1
    return dealt

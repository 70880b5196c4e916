"""Tickets: decks as rings, deals, mixes, offers, keeping, returning, and instant tickets."""

from ttr_sim.engine import actions
from ttr_sim.engine.actions import ASK_KEEP, ASK_MIX, ASK_TURN, FINE, NOT_NOW, cards_of_deck
from ttr_sim.engine.board import REMOVED, SHUFFLED
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.networks import is_met
from ttr_sim.engine.rng import RETURNED_TICKETS, item_key, purpose_key, sort_by_key
from ttr_sim.log import ACTION_NAMES, NULL

ACTION_TICKETS, ACTION_DISCARD = ACTION_NAMES.index("tickets"), ACTION_NAMES.index("discard")
ALL_OFFERED = -1
KEPT = 1


@compiled
def shuffle_ticket_deck(board, state, deck, purpose):
    """Order a deck: a ring, so that a ticket goes under it without moving the others."""
    scratch, hidden, n = state.scratch, state.hidden, state.mover_view.deck_tickets[deck]
    key = purpose_key(hidden.deal_key, purpose + deck)
    for i in range(n):
        scratch.items[i] = hidden.ring[deck, (hidden.ring_at[deck] + i) % hidden.ring.shape[1]]
        scratch.keys[i] = item_key(key, board.ticket_identity[scratch.items[i]])
    sort_by_key(scratch, n)
    for i in range(n):
        hidden.ring[deck, i] = scratch.sorted_items[i]
    hidden.ring_at[deck] = 0


@compiled
def take_top_ticket(state, deck):
    hidden, view = state.hidden, state.mover_view
    ticket = hidden.ring[deck, hidden.ring_at[deck]]
    hidden.ring_at[deck] = (hidden.ring_at[deck] + 1) % hidden.ring.shape[1]
    view.deck_tickets[deck] -= 1
    return ticket


@compiled
def put_under(board, state, ticket):
    """Put a ticket at the bottom of its own deck."""
    hidden, view, deck = state.hidden, state.mover_view, board.ticket_deck[ticket]
    at = (hidden.ring_at[deck] + view.deck_tickets[deck]) % hidden.ring.shape[1]
    hidden.ring[deck, at] = ticket
    view.deck_tickets[deck] += 1


@compiled
def tickets_left(board, view):
    """Count the tickets in the decks that an action draws from."""
    total = 0
    # A deck may be dealt at setup only, and never be drawn from.
    for deck in range(board.n_decks):
        if board.mix or board.deck_draw[deck] > 0:
            total += view.deck_tickets[deck]
    return total


@compiled
def mix_size(board, view):
    """Number of tickets that a mix must have now."""
    wanted = board.deal_total if view.decision == ASK_MIX else board.draw_total
    return min(wanted, tickets_left(board, view))


@compiled
def may_draw_tickets(board, view):
    if board.mix and board.draw_total == 0:
        return False
    return tickets_left(board, view) > 0


@compiled
def why_not_draw_tickets(board, view, answer):
    if view.decision != ASK_TURN and view.decision != ASK_MIX:
        return NOT_NOW
    if view.decision == ASK_TURN and not may_draw_tickets(board, view):
        return actions.NO_TICKET_LEFT
    if not board.mix:
        return FINE
    total = 0
    for deck in range(board.n_decks):
        n = cards_of_deck(answer, deck)
        if n > view.deck_tickets[deck]:
            return actions.WRONG_MIX
        total += n
    return FINE if total == mix_size(board, view) else actions.WRONG_MIX


@compiled
def log_drawn(state, seat, ticket, kept):
    """Log a drawn ticket and return its number in the order of drawing."""
    log, order = state.turn_log, state.hidden.n_drawn_tickets
    log.ticket[log.n_tickets] = ticket
    log.ticket_seat[log.n_tickets] = seat
    log.ticket_kept[log.n_tickets] = kept
    log.n_tickets += 1
    state.hidden.n_drawn_tickets += 1
    return order


@compiled
def offer_tickets(state, seat, deck, n):
    """Show the seat the deck's next n tickets, or as many as there are."""
    holding = state.holdings[seat]
    for _ in range(min(n, state.mover_view.deck_tickets[deck])):
        ticket = take_top_ticket(state, deck)
        holding.offered[holding.n_offered] = ticket
        holding.offered_order[holding.n_offered] = log_drawn(state, seat, ticket, 0)
        holding.n_offered += 1


@compiled
def draw_tickets_to_keep(board, state, answer):
    """Draw tickets and ask the mover to keep some. True: turn over."""
    seat = state.mover_view.seat
    state.turn_log.action = ACTION_TICKETS
    for deck in range(board.n_decks):
        offer_tickets(state, seat, deck, cards_of_deck(answer, deck) if board.mix else board.deck_draw[deck])
    if ask_to_keep(state, seat, board.keep):
        return False
    finish_offer(board, state)
    return True


@compiled
def ask_to_keep(state, seat, least):
    """Ask the seat if it has a choice, else keep all."""
    view, holding = state.mover_view, state.holdings[seat]
    view.keep_at_least = min(least, holding.n_offered)
    # With too few tickets left there is nothing to choose, and the bot is not asked.
    if view.keep_at_least == holding.n_offered:
        keep_offered(state, seat, ALL_OFFERED)
        return False
    view.decision = ASK_KEEP
    return True


@compiled
def count_bits(mask):
    n = 0
    while mask != 0:
        n += mask & 1
        mask >>= 1
    return n


@compiled
def why_not_keep(view, mask):
    if view.decision != ASK_KEEP:
        return NOT_NOW
    if mask >> view.n_offered != 0:
        return actions.NOT_OFFERED
    return FINE if count_bits(mask) >= view.keep_at_least else actions.KEEP_MORE


@compiled
def keep_offered(state, seat, mask):
    """Store the choice. Tickets change hands once all have chosen."""
    holding = state.holdings[seat]
    holding.kept_mask = mask & ((1 << holding.n_offered) - 1)


@compiled
def finish_offer(board, state):
    """Settle the mover's choice and show tickets that are met."""
    take_kept(board, state, state.mover_view.seat, True)
    if board.show_tickets:
        show_met_tickets(board, state, state.mover_view.seat)


@compiled
def finish_offers_at_start(board, state):
    """Settle every seat's choice, then shuffle or close the decks."""
    view = state.mover_view
    for seat in range(view.players):
        take_kept(board, state, seat, board.returned_at_start != REMOVED)
    for deck in range(board.n_decks):
        if board.returned_at_start == SHUFFLED:
            shuffle_ticket_deck(board, state, deck, RETURNED_TICKETS)
        elif board.returned_at_start == REMOVED and board.deck_draw[deck] == 0 and not board.mix:
            view.deck_tickets[deck] = 0


@compiled
def take_kept(board, state, seat, to_bottom):
    """Hold the kept tickets, put the others under their decks or away."""
    holding, log = state.holdings[seat], state.turn_log
    for i in range(holding.n_offered):
        ticket, order = holding.offered[i], holding.offered_order[i]
        if (holding.kept_mask >> i) & 1:
            log.ticket_kept[log.n_tickets - (state.hidden.n_drawn_tickets - order)] = KEPT
            hold_ticket(board, state, seat, ticket, order)
        elif to_bottom:
            put_under(board, state, ticket)
        holding.offered[i] = 0
    holding.n_offered = 0


@compiled
def hold_ticket(board, state, seat, ticket, order):
    """Give a ticket to a seat. A connected one is met at once."""
    holding, view = state.holdings[seat], state.mover_view
    i = holding.n_tickets
    holding.tickets[i] = ticket
    holding.order[i] = order
    holding.met_turn[i] = view.turn if is_met(board, view.network[seat], ticket) else NULL
    holding.shown[i] = 0
    holding.n_tickets += 1
    view.held_tickets[seat] += 1


@compiled
def mark_met_tickets(board, state, seat):
    """Set the turn in which the network first meets each ticket."""
    holding, view = state.holdings[seat], state.mover_view
    for i in range(holding.n_tickets):
        if holding.met_turn[i] == NULL and is_met(board, view.network[seat], holding.tickets[i]):
            holding.met_turn[i] = view.turn


@compiled
def count_for_race(board, view, seat):
    """Raise the public score, which in a race is the number of completed tickets."""
    if board.race_tickets > 0:
        view.score[seat] += 1


@compiled
def is_race_won(board, view, seat):
    return board.race_tickets > 0 and view.completed[seat] + view.bonus_ticket[seat] >= board.race_tickets


@compiled
def show_met_tickets(board, state, seat):
    """Show and replace the connected tickets one by one, oldest first.

    The ticket that wins the race ends the game at once: nothing further is shown or replaced.
    """
    view, holding = state.mover_view, state.holdings[seat]
    i = 0
    while i < holding.n_tickets and not is_race_won(board, view, seat):
        if holding.met_turn[i] != NULL and not holding.shown[i]:
            # A shown ticket stays in the hand's list, so that it still counts at the end.
            holding.shown[i] = 1
            view.completed[seat] += 1
            view.held_tickets[seat] -= 1
            count_for_race(board, view, seat)
            deck = board.ticket_deck[holding.tickets[i]]
            can_replace = view.deck_tickets[deck] > 0 and view.held_tickets[seat] < board.instant_hold
            if can_replace and not is_race_won(board, view, seat):
                _draw_and_hold(board, state, seat, deck)
        i += 1


@compiled
def _draw_and_hold(board, state, seat, deck):
    ticket = take_top_ticket(state, deck)
    hold_ticket(board, state, seat, ticket, log_drawn(state, seat, ticket, KEPT))


@compiled
def can_discard(board, view):
    """Whether the decks can replace every held ticket."""
    if not board.instant_discard or view.held_tickets[view.seat] != board.instant_hold:
        return False
    for deck in range(board.n_decks):
        # A connected instant ticket has been shown, so the tickets not met are the ones held.
        held = 0
        for i in range(view.n_tickets):
            ticket = view.tickets[i]
            held += board.ticket_deck[ticket] == deck and not is_met(board, view.network[view.seat], ticket)
        if held > view.deck_tickets[deck]:
            return False
    return True


@compiled
def discard_held(board, state):
    """Draw new tickets, then put the old ones under their decks."""
    seat = state.mover_view.seat
    holding = state.holdings[seat]
    n_before = holding.n_tickets
    state.turn_log.action = ACTION_DISCARD
    for i in range(n_before):
        if not holding.shown[i]:
            _draw_and_hold(board, state, seat, board.ticket_deck[holding.tickets[i]])
    kept = 0
    for i in range(holding.n_tickets):
        if i < n_before and not holding.shown[i]:
            put_under(board, state, holding.tickets[i])
            state.mover_view.held_tickets[seat] -= 1
            continue
        holding.tickets[kept] = holding.tickets[i]
        holding.order[kept] = holding.order[i]
        holding.met_turn[kept] = holding.met_turn[i]
        holding.shown[kept] = holding.shown[i]
        kept += 1
    for i in range(kept, holding.n_tickets):
        holding.tickets[i] = 0
    holding.n_tickets = kept
    show_met_tickets(board, state, seat)

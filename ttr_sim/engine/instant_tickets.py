"""Tickets that are shown when completed (and replaced), their discard, and the bonus ticket."""

from ttr_sim.engine.actions import ASK_TURN
from ttr_sim.engine.jit import compiled, part
from ttr_sim.engine.networks import are_sets_joined, is_met
from ttr_sim.engine.reasons import FINE, NOT_NOW, NOTHING_TO_DISCARD
from ttr_sim.engine.tickets import hold_ticket, note_drawn, put_under, take_top_ticket
from ttr_sim.log import ACTION_NAMES, NULL

ACTION_DISCARD = ACTION_NAMES.index("discard")
KEPT = 1


@compiled
def earn_bonus_ticket(board, state, seat):
    """Give out a bonus ticket for the seat's first network from one region to the other, while any are left."""
    view = state.mover_view
    if view.bonus_ticket[seat] or view.bonus_tickets_left == 0:
        return False
    if not are_sets_joined(board, view.network[seat], board.bonus_source, board.bonus_target):
        return False
    view.bonus_ticket[seat] = 1
    view.bonus_tickets_left -= 1
    _count_for_race(board, view, seat)
    return True


@compiled
def _count_for_race(board, view, seat):
    """Raise the public score, which in a race is the number of completed tickets."""
    if board.race_tickets > 0:
        view.score[seat] += 1


@compiled
def is_race_won(board, view, seat):
    return board.race_tickets > 0 and view.completed[seat] + view.bonus_ticket[seat] >= board.race_tickets


@compiled
def show_met_tickets(board, state, seat):
    """Show the connected tickets, oldest first, and replace each before looking at the next.

    The ticket that wins the race ends the game at once: nothing further is shown or replaced.
    """
    view, holding = state.mover_view, state.holdings[seat]
    i = 0
    while i < holding.n_tickets and not is_race_won(board, view, seat):
        if holding.met_turn[i] != NULL and not holding.shown[i]:
            holding.shown[i] = 1
            view.completed[seat] += 1
            view.held_tickets[seat] -= 1
            _count_for_race(board, view, seat)
            if not is_race_won(board, view, seat):
                _replace(board, state, seat, board.ticket_deck[holding.tickets[i]])
        i += 1


@part
def _replace(board, state, seat, deck):
    if state.mover_view.deck_tickets[deck] > 0 and state.mover_view.held_tickets[seat] < board.instant_hold:
        _draw_and_hold(board, state, seat, deck)


@compiled
def _draw_and_hold(board, state, seat, deck):
    ticket = take_top_ticket(state, deck)
    hold_ticket(board, state, seat, ticket, note_drawn(state, seat, ticket, KEPT))


@compiled
def can_discard(board, view):
    """Return whether all held tickets can go: only at once, and while each one's deck can replace it."""
    if not board.instant_discard or view.held_tickets[view.seat] != board.instant_hold:
        return False
    for deck in range(board.n_decks):
        if _held_of_deck(board, view, deck) > view.deck_tickets[deck]:
            return False
    return True


@part
def _held_of_deck(board, view, deck):
    """Count the mover's tickets of a deck that are not shown: with instant tickets, those not connected."""
    n = 0
    for i in range(view.n_tickets):
        ticket = view.tickets[i]
        if board.ticket_deck[ticket] == deck and not is_met(board, view.network[view.seat], ticket):
            n += 1
    return n


@compiled
def why_not_discard(board, view):
    if view.decision != ASK_TURN:
        return NOT_NOW
    return FINE if can_discard(board, view) else NOTHING_TO_DISCARD


@compiled
def discard_held(board, state):
    """Draw new tickets first; then put the old ones under their decks, oldest first."""
    seat = state.mover_view.seat
    holding = state.holdings[seat]
    n_before = holding.n_tickets
    state.now.action = ACTION_DISCARD
    for i in range(n_before):
        if not holding.shown[i]:
            _draw_and_hold(board, state, seat, board.ticket_deck[holding.tickets[i]])
    _drop_unshown(board, state, seat, n_before)
    show_met_tickets(board, state, seat)


@part
def _drop_unshown(board, state, seat, n_before):
    """Take the old held tickets from the hand and close the gaps they leave."""
    holding = state.holdings[seat]
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

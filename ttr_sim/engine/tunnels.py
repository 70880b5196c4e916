"""Tunnels: cards laid down, cards revealed, the extra cards paid or the tunnel given up."""

from ttr_sim.engine.actions import ASK_TUNNEL, WILD
from ttr_sim.engine.cards import NO_CARD, discard_cards, draw_from_deck
from ttr_sim.engine.claims import pay_cards
from ttr_sim.engine.jit import compiled, part
from ttr_sim.engine.reasons import FINE, NOT_NOW, TOO_FEW_CARDS, WRONG_WILDS


@compiled
def is_tunnel(board, route):
    return board.tunnel_reveal >= 0 and board.route_tunnel[route]


@compiled
def reveal_tunnel_cards(board, state, color):
    """Turn up the tunnel's cards; return how many of them cost one card more.

    Cards laid down as wilds alone match wilds only. What is laid down has left the hand but lies
    in no pile, so a reshuffle on the way cannot turn it up.
    """
    now = state.now
    cost = 0
    for _ in range(board.tunnel_reveal):
        card = draw_from_deck(board, state)
        if card == NO_CARD:
            break
        now.tunnel[now.n_tunnel] = card
        now.n_tunnel += 1
        cost += card in (WILD, color)
    for i in range(now.n_tunnel):
        discard_cards(state, now.tunnel[i], 1)
    now.tunnel_cost = cost
    return cost


@compiled
def lay_down(board, state, route, color, wilds):
    """Start a tunnel; return true when its cost is settled without a question, claimed or given up."""
    view, now = state.mover_view, state.now
    length = board.route_length[route]
    _move_laid(state, color, length, wilds, 1)
    cost = reveal_tunnel_cards(board, state, color)
    view.route, view.laid_color, view.laid_wilds, view.tunnel_cost = route, color, wilds, cost
    _show_hand(state)
    if cost == 0:
        _settle(board, state, 0, 0)
        return True
    if count_tunnel_payments(view) == 0:
        give_up_tunnel(board, state)
        return True
    now.claimed = 0
    view.decision = ASK_TUNNEL
    return False


@part
def _show_hand(state):
    """Show the mover in the view that the hand has changed within the turn."""
    view = state.mover_view
    for color in range(WILD + 1):
        view.hand[color] = state.holdings[view.seat].hand[color]


@compiled
def _move_laid(state, color, length, wilds, sign):
    """Move cards from the hand to the table (sign 1) or back (sign -1)."""
    hand = state.holdings[state.mover_view.seat].hand
    hand[WILD] -= sign * wilds
    if color != WILD:
        hand[color] -= sign * (length - wilds)
    state.mover_view.hand_cards[state.mover_view.seat] -= sign * length


@compiled
def fewest_extra_wilds(view):
    if view.laid_color == WILD:
        return view.tunnel_cost
    return max(0, view.tunnel_cost - view.hand[view.laid_color])


@compiled
def most_extra_wilds(view):
    return min(view.tunnel_cost, view.hand[WILD])


@compiled
def count_tunnel_payments(view):
    """Count the ways to pay the extra cards: some wilds, the rest in the color laid down."""
    return max(0, most_extra_wilds(view) - fewest_extra_wilds(view) + 1)


@compiled
def why_not_pay_tunnel(view, wilds):
    if view.decision != ASK_TUNNEL:
        return NOT_NOW
    if wilds > view.tunnel_cost:
        return WRONG_WILDS
    if wilds < fewest_extra_wilds(view) or wilds > most_extra_wilds(view):
        return TOO_FEW_CARDS
    return FINE


@compiled
def why_not_give_up(view):
    return FINE if view.decision == ASK_TUNNEL else NOT_NOW


@compiled
def pay_tunnel_cards(board, state, wilds):
    """Pay the extra cards and claim the tunnel."""
    _settle(board, state, state.mover_view.tunnel_cost, wilds)


@compiled
def _settle(board, state, cost, extra_wilds):
    """Take the laid-down cards back in thought, then pay them and the extra ones as one set."""
    view, now = state.mover_view, state.now
    length = board.route_length[view.route]
    _move_laid(state, view.laid_color, length, view.laid_wilds, -1)
    wilds = view.laid_wilds + extra_wilds
    pay_cards(state, view.seat, view.laid_color, length + cost, wilds)
    now.cards, now.wilds, now.claimed = length + cost, wilds, 1


@compiled
def give_up_tunnel(board, state):
    """Return the cards laid down to the hand and end the turn; everybody has seen them."""
    view, length = state.mover_view, board.route_length[state.mover_view.route]
    _move_laid(state, view.laid_color, length, view.laid_wilds, -1)
    known = view.known[view.seat]
    known[WILD] = max(known[WILD], view.laid_wilds)
    if view.laid_color != WILD:
        known[view.laid_color] = max(known[view.laid_color], length - view.laid_wilds)
    state.now.claimed = 0

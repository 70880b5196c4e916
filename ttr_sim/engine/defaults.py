"""What is done when a bot has no opinion (DEFAULT)."""

from ttr_sim.engine.actions import (
    ASK_KEEP,
    ASK_MIX,
    ASK_PASSENGER,
    ASK_TUNNEL,
    draw_deck,
    keep,
    passenger,
    pay_tunnel,
)
from ttr_sim.engine.cards import can_draw_from_deck
from ttr_sim.engine.choices import count_choices, nth_choice
from ttr_sim.engine.compiled import compiled, part
from ttr_sim.engine.tunnels import fewest_extra_wilds


@compiled
def default_answer(board, view):
    if view.decision == ASK_KEEP:
        return keep(_cheapest_tickets(board, view))
    if view.decision == ASK_MIX:
        return nth_choice(board, view, count_choices(board, view) // 2)
    if view.decision == ASK_TUNNEL:
        return pay_tunnel(fewest_extra_wilds(view))
    if view.decision == ASK_PASSENGER:
        return passenger(_most_held_color(board, view))
    if can_draw_from_deck(view):
        return draw_deck()
    return nth_choice(board, view, 0)


@part
def _cheapest_tickets(board, view):
    """Keep as few tickets as allowed, those worth least: they risk least."""
    mask = 0
    for _ in range(view.keep_at_least):
        cheapest = -1
        for i in range(view.n_offered):
            if (mask >> i) & 1:
                continue
            if cheapest < 0 or board.ticket_points[view.offered[i]] < board.ticket_points[view.offered[cheapest]]:
                cheapest = i
        mask |= 1 << cheapest
    return mask


@part
def _most_held_color(board, view):
    """Return the color at this city that the mover holds most of."""
    pool = board.pool_city[view.passenger_city]
    best, most = -1, -1
    for color in range(board.n_colors):
        if view.passengers[pool, color] > 0 and view.held_passengers[view.seat, color] > most:
            best, most = color, view.held_passengers[view.seat, color]
    return best

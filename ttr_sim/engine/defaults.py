"""What is done when a bot has no opinion (DEFAULT)."""

import numpy as np

from ttr_sim.engine.actions import (
    ASK_KEEP,
    ASK_MIX,
    ASK_PASSENGER,
    ASK_TUNNEL,
    WILD,
    draw_deck,
    keep,
    passenger,
    pay_tunnel,
)
from ttr_sim.engine.cards import can_draw_from_deck
from ttr_sim.engine.jit import compiled, part
from ttr_sim.engine.legal import count_choices, count_draws, nth_choice
from ttr_sim.engine.rng import TINY
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
    return nth_choice(board, view, _any_choice(board, view))


@part
def _any_choice(board, view):
    """Return the number of a choice by lot, of a face-up card if there is one: draws are the first choices."""
    choices = count_draws(board, view)
    if choices == 0:
        choices = count_choices(board, view)
    return np.int64(choices * (view.color_tie[WILD] / TINY))


@part
def _cheapest_tickets(board, view):
    """Keep as few tickets as allowed, those worth least: they risk least."""
    mask = 0
    for _ in range(view.keep_at_least):
        cheapest, least = -1, 0.0
        for i in range(view.n_offered):
            points = board.ticket_points[view.offered[i]] + view.ticket_tie[view.offered[i]]
            if not (mask >> i) & 1 and (cheapest < 0 or points < least):
                cheapest, least = i, points
        mask |= 1 << cheapest
    return mask


@part
def _most_held_color(board, view):
    """Return the color at this city that the mover holds most of."""
    pool = board.pool_city[view.passenger_city]
    best, most = -1, -1.0
    for color in range(board.n_colors):
        held = view.held_passengers[view.seat, color] + view.color_tie[color]
        if view.passengers[pool, color] > 0 and held > most:
            best, most = color, held
    return best

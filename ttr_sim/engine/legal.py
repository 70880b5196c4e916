"""Every legal answer to the decision at hand: their number, the k-th of them, and the default one.

A walk counts answers and picks the k-th on the way, so that both cannot disagree. With k = -1 it only counts.
"""

import numpy as np

from ttr_sim.engine import actions
from ttr_sim.engine.actions import ASK_KEEP, ASK_MIX, ASK_PASSENGER, ASK_SECOND, ASK_TUNNEL, WILD
from ttr_sim.engine.board import GRAY
from ttr_sim.engine.cards import can_draw_from_deck, can_draw_from_row, count_payments, is_row_open, nth_payment
from ttr_sim.engine.claims import FREE, count_tunnel_payments, fewest_extra_wilds, is_open
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.rng import TINY
from ttr_sim.engine.stations import station_cost
from ttr_sim.engine.tickets import can_discard, count_bits, may_draw_tickets, mix_size


@compiled
def count_choices(board, view):
    return _walk_choices(board, view, -1)[0]


@compiled
def nth_choice(board, view, k):
    """The k-th legal answer, for k from 0 to count_choices - 1."""
    return _walk_choices(board, view, k)[1]


@compiled
def can_act(board, view):
    """Whether the mover has any action but passing."""
    return _walk_actions(board, view, -1)[0] > 0


@compiled
def _walk_choices(board, view, k):
    n, answer = 0, actions.pass_turn()
    if view.decision == ASK_SECOND:
        n, answer = _walk_draws(board, view, k)
    elif view.decision == ASK_MIX:
        n, answer = _walk_mixes(board, view, k)
    elif view.decision == ASK_KEEP:
        for mask in range(1 << view.n_offered):
            if count_bits(mask) >= view.keep_at_least:
                if n == k:
                    answer = actions.keep(mask)
                n += 1
    elif view.decision == ASK_PASSENGER:
        for color in range(board.n_colors):
            if view.passengers[board.pool_city[view.passenger_city], color] > 0:
                if n == k:
                    answer = actions.passenger(color)
                n += 1
    elif view.decision == ASK_TUNNEL:
        n = count_tunnel_payments(view)
        answer = actions.give_up() if k == n else actions.pay_tunnel(fewest_extra_wilds(view) + k)
        n += 1
    else:
        n, answer = _walk_actions(board, view, k)
        n = max(1, n)
    return n, answer


@compiled
def _walk_actions(board, view, k):
    """Draws, discard, tickets, stations, claims, without any, passing."""
    n, answer = _walk_draws(board, view, k)
    # Behind all actions there is only passing. Each kind below is asked for the k-th from its own start.
    if k >= n:
        answer = actions.pass_turn()
    if can_discard(board, view):
        if k == n:
            answer = actions.discard_tickets()
        n += 1
    if may_draw_tickets(board, view):
        more, found = _walk_mixes(board, view, k - n) if board.mix else (1, actions.draw_tickets())
        if n <= k < n + more:
            answer = found
        n += more
    if board.stations > 0:
        more, found = _walk_stations(board, view, k - n)
        if n <= k < n + more:
            answer = found
        n += more
    more, found = _walk_claims(board, view, k - n)
    if n <= k < n + more:
        answer = found
    return n + more, answer


@compiled
def _walk_draws(board, view, k):
    """The deck, then the colors in the row."""
    n, answer = 0, actions.draw_deck()
    if can_draw_from_deck(view):
        n += 1
    if view.row_cards > 0 and is_row_open(board, view):
        for color in range(board.n_colors):
            if view.row[color] > 0:
                if n == k:
                    answer = actions.draw_row(color)
                n += 1
        if can_draw_from_row(board, view, WILD):
            if n == k:
                answer = actions.draw_row(WILD)
            n += 1
    return n, answer


@compiled
def _walk_mixes(board, view, k):
    """Every mix that the decks can serve."""
    left, size = view.deck_tickets, mix_size(board, view)
    n, answer = 0, actions.pass_turn()
    for a in range(min(size, left[0]) + 1):
        for b in range(min(size - a, left[1]) + 1):
            for c in range(min(size - a - b, left[2]) + 1):
                d = size - a - b - c
                if d > left[3]:
                    continue
                if n == k:
                    answer = actions.ticket_mix(a, b, c, d)
                n += 1
    return n, answer


@compiled
def _walk_stations(board, view, k):
    """Every free city with every payment."""
    n, answer = 0, actions.pass_turn()
    if view.stations[view.seat] == 0:
        return n, answer
    cost = station_cost(board, view, view.seat)
    payments = count_payments(board, view, GRAY, cost, 0)
    for city in range(board.n_cities):
        if view.station_owner[city] == FREE:
            if n <= k < n + payments:
                color, wilds = nth_payment(board, view, GRAY, cost, 0, k - n)
                answer = actions.build_station(city, color, wilds)
            n += payments
    return n, answer


@compiled
def _walk_claims(board, view, k):
    """Every open route with every payment, by class of equal cost."""
    n, answer = 0, actions.pass_turn()
    for index in range(board.n_classes):
        n_open, length = view.open_classes[view.seat, index], board.class_length[index]
        if n_open == 0 or length > view.trains[view.seat]:
            continue
        gray_or_color, needed = board.class_color[index], board.class_wilds[index]
        payments = count_payments(board, view, gray_or_color, length, needed)
        if n <= k < n + n_open * payments:
            color, wilds = nth_payment(board, view, gray_or_color, length, needed, (k - n) % payments)
            nth = (k - n) // payments
            for at in range(board.first_of_class[index], board.first_of_class[index + 1]):
                if is_open(view, view.seat, board.class_routes[at]):
                    if nth == 0:
                        answer = actions.claim(board.class_routes[at], color, wilds)
                    nth -= 1
        n += n_open * payments
    return n, answer


@compiled
def default_answer(board, view):
    """A sensible answer for a bot without an opinion."""
    if view.decision == ASK_KEEP:
        # As few tickets as allowed, the ones worth least: they risk least.
        mask = 0
        for _ in range(view.keep_at_least):
            cheapest, least = -1, 0.0
            for i in range(view.n_offered):
                points = board.ticket_points[view.offered[i]] + view.ticket_tie[view.offered[i]]
                if not (mask >> i) & 1 and (cheapest < 0 or points < least):
                    cheapest, least = i, points
            mask |= 1 << cheapest
        return actions.keep(mask)
    if view.decision == ASK_MIX:
        return nth_choice(board, view, count_choices(board, view) // 2)
    if view.decision == ASK_TUNNEL:
        return actions.pay_tunnel(fewest_extra_wilds(view))
    if view.decision == ASK_PASSENGER:
        # The color at this city that the mover holds most of.
        best, most = -1, -1.0
        for color in range(board.n_colors):
            held = view.held_passengers[view.seat, color] + view.color_tie[color]
            if view.passengers[board.pool_city[view.passenger_city], color] > 0 and held > most:
                best, most = color, held
        return actions.passenger(best)
    if can_draw_from_deck(view):
        return actions.draw_deck()
    # Draws are the first choices: a random face-up card if there is one, else anything.
    choices = _walk_draws(board, view, -1)[0]
    if choices == 0:
        choices = count_choices(board, view)
    return nth_choice(board, view, np.int64(choices * (view.color_tie[WILD] / TINY)))

"""Every legal answer to what is being decided: how many there are, and the k-th of them.

Nothing lists them all. Both work from the board and the mover's view alone.
"""

from ttr_sim.engine.actions import (
    ASK_KEEP,
    ASK_MIX,
    ASK_PASSENGER,
    ASK_SECOND,
    ASK_TUNNEL,
    WILD,
    build_station,
    claim,
    discard_tickets,
    draw_deck,
    draw_row,
    draw_tickets,
    give_up,
    keep,
    pass_turn,
    passenger,
    pay_tunnel,
    ticket_mix,
)
from ttr_sim.engine.cards import can_draw_from_deck, can_draw_from_row, is_row_open
from ttr_sim.engine.claims import count_claims, nth_claim
from ttr_sim.engine.instant_tickets import can_discard
from ttr_sim.engine.jit import compiled, part
from ttr_sim.engine.passengers import count_passenger_choices, nth_passenger
from ttr_sim.engine.stations import count_stations, nth_station
from ttr_sim.engine.tickets import count_bits, may_draw_tickets, mix_size
from ttr_sim.engine.tunnels import count_tunnel_payments, fewest_extra_wilds


@compiled
def count_choices(board, view):
    if view.decision == ASK_SECOND:
        return count_draws(board, view)
    if view.decision == ASK_KEEP:
        return _count_keeps(view)
    if view.decision == ASK_MIX:
        return _count_mixes(board, view)
    if view.decision == ASK_TUNNEL:
        return count_tunnel_payments(view) + 1
    if view.decision == ASK_PASSENGER:
        return count_passenger_choices(board, view, view.passenger_city)
    actions = _count_actions(board, view)
    return max(1, actions)


@compiled
def nth_choice(board, view, k):
    """Return the k-th legal answer; k runs from 0 to count_choices - 1."""
    if view.decision == ASK_SECOND:
        return _nth_draw(board, view, k)
    if view.decision == ASK_KEEP:
        return keep(_nth_keep(view, k))
    if view.decision == ASK_MIX:
        return _nth_mix(board, view, k)
    if view.decision == ASK_TUNNEL:
        if k == count_tunnel_payments(view):
            return give_up()
        return pay_tunnel(fewest_extra_wilds(view) + k)
    if view.decision == ASK_PASSENGER:
        return passenger(nth_passenger(board, view, view.passenger_city, k))
    return _nth_action(board, view, k)


@compiled
def can_act(board, view):
    """Return whether the mover has any action but passing."""
    return _count_actions(board, view) > 0


@compiled
def _count_actions(board, view):
    total = count_draws(board, view) + count_claims(board, view) + can_discard(board, view)
    if may_draw_tickets(board, view):
        total += _count_mixes(board, view) if board.mix else 1
    if board.stations > 0:
        total += count_stations(board, view)
    return total


@part
def _nth_action(board, view, k):
    """Return the k-th action. Claims come last, so that nobody need count them again."""
    n = count_draws(board, view)
    if k < n:
        return _nth_draw(board, view, k)
    k -= n
    if can_discard(board, view):
        if k == 0:
            return discard_tickets()
        k -= 1
    if may_draw_tickets(board, view):
        n = _count_mixes(board, view) if board.mix else 1
        if k < n:
            return _nth_mix(board, view, k) if board.mix else draw_tickets()
        k -= n
    if board.stations > 0:
        n = count_stations(board, view)
        if k < n:
            city, color, wilds = nth_station(board, view, k)
            return build_station(city, color, wilds)
        k -= n
    route, color, wilds = nth_claim(board, view, k)
    return claim(route, color, wilds) if route >= 0 else pass_turn()


@compiled
def count_draws(board, view):
    """Count the colors in the row that can be drawn, and the deck."""
    n = 1 if can_draw_from_deck(view) else 0
    if view.row_cards > 0 and is_row_open(board, view):
        for color in range(board.n_colors):
            n += view.row[color] > 0
        n += can_draw_from_row(board, view, WILD)
    return n


@compiled
def _nth_draw(board, view, k):
    if can_draw_from_deck(view):
        if k == 0:
            return draw_deck()
        k -= 1
    found = WILD
    for color in range(board.n_colors):  # to the end: a jump out of it could not be foreseen, and costs more
        is_there = view.row[color] > 0
        if is_there and k == 0:
            found = color
        k -= is_there
    return draw_row(found)


@part
def _count_keeps(view):
    n = 0
    for mask in range(1 << view.n_offered):
        n += count_bits(mask) >= view.keep_at_least
    return n


@part
def _nth_keep(view, k):
    for mask in range(1 << view.n_offered):
        if count_bits(mask) >= view.keep_at_least:
            if k == 0:
                return mask
            k -= 1
    return -1


@compiled
def _count_mixes(board, view):
    return _walk_mixes(board, view, -1)[0]


@compiled
def _nth_mix(board, view, k):
    return _walk_mixes(board, view, k)[1]


@compiled
def _walk_mixes(board, view, k):
    """Return how many mixes the decks can serve, and the k-th of them as an answer."""
    left, size = view.deck_tickets, mix_size(board, view)
    n, answer = 0, pass_turn()
    for a in range(min(size, left[0]) + 1):
        for b in range(min(size - a, left[1]) + 1):
            for c in range(min(size - a - b, left[2]) + 1):
                d = size - a - b - c
                if d > left[3]:
                    continue
                if n == k:
                    answer = ticket_mix(a, b, c, d)
                n += 1
    return n, answer

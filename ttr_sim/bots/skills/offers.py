"""Tickets on offer: which to keep, judged by the plan each choice would lead to."""

from ttr_sim.bots.skills.goals import add_ticket, collect_goals, ticket_gain, ticket_loss
from ttr_sim.bots.skills.planning import best_trial
from ttr_sim.engine.compiled import compiled, part
from ttr_sim.engine.networks import is_met
from ttr_sim.engine.tickets import count_bits


@compiled
def best_mask(board, view, mind, turns, caution):
    """The offered tickets to keep; each unmet one must gain `caution` points more than its price.

    Prices must be set.
    """
    best, best_choice = -1e9, (1 << view.n_offered) - 1
    for mask in range(1 << view.n_offered):
        if count_bits(mask) >= view.keep_at_least:
            value = _value_of(board, view, mind, mask, turns, caution)
            if value > best:
                best, best_choice = value, mask
    return best_choice


@part
def _value_of(board, view, mind, mask, turns, caution):
    collect_goals(board, view, mind)
    value = 0.0
    for i in range(view.n_offered):
        if not (mask >> i) & 1:
            continue
        ticket = view.offered[i]
        if is_met(board, view.network[view.seat], ticket):
            value += ticket_gain(board, ticket)
        else:
            value -= ticket_loss(board, ticket) + caution
            add_ticket(board, mind, ticket)
    return value + best_trial(board, view, mind, turns)


@compiled
def mask_of_all(view):
    return (1 << view.n_offered) - 1

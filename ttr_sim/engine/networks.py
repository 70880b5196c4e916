"""Networks: cities with one label are joined; a ticket is met when its ends are."""

import numpy as np

from ttr_sim.engine.jit import compiled

_U = np.uint64
_ONE, _ZERO = _U(1), _U(0)


@compiled
def clear_network(board, labels):
    for city in range(board.n_cities):
        labels[city] = city


@compiled
def join_cities(board, labels, a, b):
    kept, dropped = labels[a], labels[b]
    if kept != dropped:
        for city in range(board.n_cities):
            if labels[city] == dropped:
                labels[city] = kept


@compiled
def are_sets_joined(board, labels, first, second):
    """Return whether a city of the first set is joined with one of the second (sets: a bit a city)."""
    for a in range(board.n_cities):
        if (first >> _U(a)) & _ONE == _ZERO:
            continue
        for b in range(board.n_cities):
            if labels[a] == labels[b] and (second >> _U(b)) & _ONE != _ZERO:
                return True
    return False


@compiled
def is_met(board, labels, ticket):
    """Return whether this network joins the ticket's ends; any one of its spots meets a country."""
    if board.ticket_simple[ticket]:
        return labels[board.ticket_a[ticket]] == labels[board.ticket_b[ticket]]
    return are_sets_joined(board, labels, board.ticket_a_set[ticket], board.ticket_b_set[ticket])

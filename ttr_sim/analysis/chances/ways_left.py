"""How far seats are from completing their tickets: fewest trains over own and open routes, for many states at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ttr_sim.analysis.chances.claimed import ClaimedBoard
from ttr_sim.analysis.chances.courses import Floats
from ttr_sim.analysis.chances.held import Held
from ttr_sim.analysis.columns import Ints
from ttr_sim.edition.limits import MAX_TRAINS

Costs = NDArray[np.uint8]
CUT_OFF = MAX_TRAINS + 1  # what is that far counts as cut off; a byte holds the sum of two
CHUNK = 16_000  # seats looked at together: with fewer the calls cost, with more the memory


def trains_left(board: ClaimedBoard, steps: Ints, state: Ints, seat: Ints, ticket: Ints) -> Floats:
    """Return the fewest trains that complete each ticket of a seat at a step, of which `state` is the place; infinite
    where others have cut it off."""
    players, left = board.courses.players, np.empty(len(state))
    starts, goals = _ends_of_tickets(board)
    held = Held.of(state * players + seat)
    for first in range(0, len(held.busiest), CHUNK):
        some = held.busiest[first : first + CHUNK]
        costs, rows = _costs(board, steps[some // players], some % players), list(held.of_each(some))
        # Costs of the seats that have one more ticket are side by side: copied several times as fast as indexed.
        costs, at = np.concatenate([costs[:, : len(each)] for each in rows], axis=1), np.concatenate(rows)
        left[at] = _shortest(board.ends, costs, starts[ticket[at]], goals[ticket[at]])
    left[left >= CUT_OFF] = np.inf
    return left


def _costs(board: ClaimedBoard, step: Ints, seat: Ints) -> Costs:
    """Return what seats would have to place on each connection, by connection and seat."""
    game, step = board.courses.game_of_step[step], step.astype(np.int32)
    closed, own = (
        since.take(at, axis=1) <= step
        for since, at in ((board.closed_since, game), (board.own_since, game * board.courses.players + seat))
    )
    costs = np.where(closed, np.uint8(CUT_OFF), board.lengths[:, None])
    return np.asarray(costs * ~own)


def _ends_of_tickets(board: ClaimedBoard) -> tuple[Ints, Ints]:
    """Return the cities at both ends of each ticket, where there are few, with one again."""
    tickets = board.courses.edition.tickets
    return _same_length([ticket.a_cities for ticket in tickets]), _same_length([ticket.b_cities for ticket in tickets])


def _same_length(lists: Sequence[Sequence[int]]) -> Ints:
    longest = max(map(len, lists), default=0)
    return np.array([[*cities, *[cities[0]] * (longest - len(cities))] for cities in lists])


def _shortest(ends: Ints, costs: Costs, starts: Ints, goals: Ints) -> Costs:
    """Return the least cost from any start to any goal; all by seat."""
    far = np.full((int(ends.max()) + 1, len(starts)), CUT_OFF, np.uint8)
    each = np.arange(len(starts))
    far[starts.T, each] = 0
    _relax(far, costs, ends)
    return np.asarray(far[goals.T, each].min(axis=0))


def _relax(far: Costs, costs: Costs, ends: Ints) -> None:
    """Shorten distances over every connection until none is shortened anymore (Bellman and Ford)."""
    shortened, way, rows = True, np.empty_like(far[0]), list(far)
    ways = [(rows[a], rows[b], cost) for (a, b), cost in zip(ends.tolist(), costs, strict=True)]
    while shortened:
        before = far.copy()
        for one, other, cost in ways:
            np.minimum(one, np.add(other, cost, out=way), out=one)
            np.minimum(other, np.add(one, cost, out=way), out=other)
        shortened = not np.array_equal(far, before)

"""The trains a seat still has to place for a ticket."""

from __future__ import annotations

from ttr_sim.referee.ways import Steps, Way, shortest_way

STEPS: Steps = {
    0: [(1, 3, 10), (2, 1, 11)],
    1: [(0, 3, 10), (2, 0, 12), (3, 2, 13)],
    2: [(0, 1, 11), (1, 0, 12)],
    3: [(1, 2, 13)],
}


def test_own_routes_cost_nothing_and_are_not_listed() -> None:
    assert shortest_way(STEPS, ((0,), (3,))) == Way(3, (11, 13))
    assert shortest_way(STEPS, ((1,), (2,))) == Way(0, ())


def test_any_city_of_an_end_will_do() -> None:
    assert shortest_way(STEPS, ((0, 2), (3, 9))) == Way(2, (13,))


def test_no_way_is_left() -> None:
    assert shortest_way(STEPS, ((0,), (7,))) is None

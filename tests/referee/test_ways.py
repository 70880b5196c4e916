"""The trains a seat still has to place for a ticket."""

from __future__ import annotations

import pytest

from tests.referee.conftest import PLAYERS, GamesOf
from ttr_sim.referee.audit import violations_of
from ttr_sim.referee.position import Position
from ttr_sim.referee.telling import OpenRoutes, Steps, Way, shortest_way

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


@pytest.mark.parametrize("edition", PLAYERS)
def test_ways_followed_through_a_game_are_those_found_anew(edition: str, games_of: GamesOf) -> None:
    rules, logs = games_of(edition)
    tickets = range(len(rules.edition.tickets))
    followed: list[OpenRoutes] = []
    seen: set[int] = set()

    def compare(position: Position) -> None:
        claimed = {route for route, owner in enumerate(position.owner) if owner is not None}
        anew = [OpenRoutes(position, seat) for seat in range(position.players)]
        if not claimed:
            followed[:] = anew
        for routes, expected in zip(followed, anew, strict=True):
            routes.after_claims(position, tuple(claimed - seen))
            assert [routes.way(position, row) for row in tickets] == [expected.way(position, row) for row in tickets]
        seen.update(claimed)

    assert not violations_of(rules, logs[0], compare)

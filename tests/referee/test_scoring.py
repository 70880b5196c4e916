"""Final scores, and the longest trail against trying every trail of small networks."""

from __future__ import annotations

from itertools import combinations, permutations
from random import Random

import pytest

from tests.referee.built import built, changed, game_log, messages
from ttr_sim.referee.position import Lead
from ttr_sim.referee.scoring import FinalScore, check_standings, longest_trail, majority_points, points_by_rank


@pytest.mark.parametrize(
    ("held", "points"),
    [
        ([4, 3, 2, 1], [8, 6, 4, 2]),
        ([4, 4, 2, 1], [8, 8, 4, 2]),
        ([3, 2, 2, 2], [8, 6, 6, 6]),
        ([2, 2, 2, 2], [8, 8, 8, 8]),
        ([5, 0, 1, 0], [8, 0, 6, 0]),
        ([0, 0, 0, 0], [0, 0, 0, 0]),
    ],
)
def test_merchandise_of_four(held: list[int], points: list[int]) -> None:
    """Tied players all score the rank; the ranks after it are ignored; no cards, no bonus."""
    assert points_by_rank(held, (8, 6, 4, 2)) == points


@pytest.mark.parametrize(
    ("held", "points"),
    [
        ([3, 2, 1], [20, 10, 0]),
        ([3, 3, 2], [20, 20, 0]),
        ([3, 2, 2], [20, 10, 10]),
        ([3, 0, 0], [20, 0, 0]),
        ([2, 2, 2], [20, 20, 20]),
        ([0, 0, 0], [0, 0, 0]),
    ],
)
def test_passengers_of_a_color(held: list[int], points: list[int]) -> None:
    """Tied for most: no second; tied for second: all of them; nobody scores with none."""
    assert majority_points(held, most=20, second=10) == points


def test_five_seats_may_share_the_win() -> None:
    log = game_log(5, winners=0b11111, margin=0, lead_changes=0)
    log.seats[:] = [changed(row, rank=1, win_share=0.2) for row in log.seats]
    position = built("usa", log)
    check_standings(position, [FinalScore(score=70, tickets_completed=3, has_longest_path=True) for _ in range(5)])
    assert messages(position) == []


def test_the_last_tie_break_decides_among_five() -> None:
    log = game_log(5, winners=0b00100, margin=0, lead_changes=0)
    log.seats[:] = [changed(row, rank=1 if row.seat == 2 else 2, win_share=float(row.seat == 2)) for row in log.seats]
    position = built("usa", log)
    check_standings(position, [FinalScore(score=70, has_longest_path=seat == 2) for seat in range(5)])
    assert messages(position) == []


Edges = list[tuple[int, int, int]]


def best_of_all_trails(edges: Edges) -> int:
    """Every start, every way on."""

    def longest_from(city: int, rest: Edges) -> int:
        best = 0
        for place, (a, b, length) in enumerate(rest):
            for here, there in ((a, b), (b, a)):
                if here == city:
                    best = max(best, length + longest_from(there, rest[:place] + rest[place + 1 :]))
        return best

    return max((longest_from(city, edges) for edge in edges for city in edge[:2]), default=0)


@pytest.mark.parametrize("seed", range(60))
def test_random_networks(seed: int) -> None:
    random = Random(seed)
    pairs = random.sample(list(permutations(range(6), 2)), random.randint(0, 9))
    edges = [(a, b, random.randint(1, 6)) for a, b in pairs]
    assert longest_trail(edges) == best_of_all_trails(edges)


def complete(cities: int) -> Edges:
    return [(a, b, 1) for a, b in combinations(range(cities), 2)]


@pytest.mark.parametrize(
    ("edges", "longest"),
    [
        pytest.param([(0, 1, 1), (1, 2, 2), (2, 3, 2), (3, 1, 2)], 7, id="a loop, and a city visited twice"),
        pytest.param([(0, 1, 5), (0, 2, 4), (0, 3, 3)], 9, id="of three arms the shortest is left out"),
        pytest.param([(0, 1, 5), (2, 3, 6)], 6, id="parts that do not hang together do not add up"),
        # All cities are odd, so all but two leave out a route, which serves two.
        pytest.param(complete(6), 13, id="every one of six cities joined with every other"),
        pytest.param(complete(8), 25, id="every one of eight"),
    ],
)
def test_longest_trail(edges: Edges, longest: int) -> None:
    assert longest_trail(edges) == longest


def test_a_dense_network_takes_no_time() -> None:
    """A square of six by six cities has sixteen odd ones, paired along its border: seven of sixty routes stay out."""
    square = [(6 * y + x, 6 * y + x + 1, 1) for x in range(5) for y in range(6)]
    square += [(6 * y + x, 6 * y + x + 6, 1) for x in range(6) for y in range(5)]
    assert longest_trail(square) == 53


@pytest.mark.parametrize(
    ("moves", "leader", "since", "changes"),
    [
        ([(1, 0), (0, 2), (0, 4)], 0, 1, 0),  # the first leader is no change
        ([(0, 2), (1, 4)], 1, 1, 1),
        ([(0, 2), (1, 2), (0, 3)], 0, 2, 0),  # a shared lead is nobody's, and the same leader no change
        ([(0, 2), (1, 2), (1, 3)], 1, 2, 1),
    ],
)
def test_the_lead_after_moves_of_two_seats(moves: list[tuple[int, int]], leader: int, since: int, changes: int) -> None:
    """A move is the seat and its score then."""
    lead = Lead(2)
    for turn, (seat, score) in enumerate(moves):
        lead.after_turn(turn, seat, score)
    assert (lead.leader, lead.since, lead.changes) == (leader, since, changes)

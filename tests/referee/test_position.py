"""Lead changes and the turn from which a leader led."""

from __future__ import annotations

import pytest

from ttr_sim.referee.position import Lead


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

"""Lead changes and the turn from which a leader led."""

from __future__ import annotations

from ttr_sim.referee.position import Lead


def lead_after(*moves: tuple[int, int]) -> Lead:
    """Moves of two seats: who moved, and the score then."""
    lead = Lead(2)
    for turn, (seat, score) in enumerate(moves):
        lead.after_turn(turn, seat, score)
    return lead


def test_the_first_leader_is_no_change() -> None:
    lead = lead_after((1, 0), (0, 2), (0, 4))
    assert (lead.leader, lead.since, lead.changes) == (0, 1, 0)


def test_another_leader_is_a_change() -> None:
    lead = lead_after((0, 2), (1, 4))
    assert (lead.leader, lead.since, lead.changes) == (1, 1, 1)


def test_a_shared_lead_is_nobodys_and_no_change_when_the_same_seat_leads_again() -> None:
    lead = lead_after((0, 2), (1, 2), (0, 3))
    assert (lead.leader, lead.since, lead.changes) == (0, 2, 0)


def test_a_shared_lead_between_two_leaders_is_one_change() -> None:
    assert lead_after((0, 2), (1, 2), (1, 3)).changes == 1

"""Lead changes and the turn from which a leader led."""

from __future__ import annotations

from ttr_sim.referee.lead import Lead


def lead_after(*scores: list[int]) -> Lead:
    lead = Lead()
    for turn, entries in enumerate(scores):
        lead.after_turn(entries, turn)
    return lead


def test_the_first_leader_is_no_change() -> None:
    lead = lead_after([0, 0], [2, 0], [4, 0])
    assert (lead.leader, lead.since, lead.changes) == (0, 1, 0)


def test_another_leader_is_a_change() -> None:
    lead = lead_after([2, 0], [2, 4])
    assert (lead.leader, lead.since, lead.changes) == (1, 1, 1)


def test_a_shared_lead_is_nobodys_and_no_change_when_the_same_seat_leads_again() -> None:
    lead = lead_after([2, 0], [2, 2], [3, 2])
    assert (lead.leader, lead.since, lead.changes) == (0, 2, 0)


def test_a_shared_lead_between_two_leaders_is_one_change() -> None:
    assert lead_after([2, 0], [2, 2], [2, 3]).changes == 1

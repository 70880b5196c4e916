"""Ticket decks: unknown order on top, known order below."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.referee.tiny import tiny_rules
from ttr_sim.referee.rulebook import RuleError
from ttr_sim.referee.tickets import TicketDeck


@pytest.fixture
def deck(tmp_path: Path) -> TicketDeck:
    return TicketDeck(tiny_rules(tmp_path / "tiny"), 0)


def test_any_ticket_may_be_on_top_of_a_shuffled_deck(deck: TicketDeck) -> None:
    deck.draw(2)
    deck.draw(0)
    assert len(deck) == 1


def test_returned_tickets_come_back_in_order(deck: TicketDeck) -> None:
    for ticket in (0, 1, 2):
        deck.draw(ticket)
    for ticket in (2, 0):
        deck.put_under(ticket)
    with pytest.raises(RuleError, match=r"Ash–Bay \(5\) was drawn, though Bay–Cove \(3\) was on top"):
        deck.draw(0)
    deck.draw(2)
    deck.draw(0)
    assert not deck


def test_a_returned_ticket_waits_until_the_shuffled_ones_are_gone(deck: TicketDeck) -> None:
    deck.draw(0)
    deck.put_under(0)
    with pytest.raises(RuleError, match="not in the only deck or not on top"):
        deck.draw(0)


def test_a_ticket_is_there_once(deck: TicketDeck) -> None:
    deck.draw(0)
    with pytest.raises(RuleError):
        deck.draw(0)

"""Ticket decks: unknown order on top, known order below."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import pytest

from tests.referee.built import built, game_log, ticket_row, tiny_rules
from ttr_sim.referee.log import SETUP
from ttr_sim.referee.rulebook import RuleError
from ttr_sim.referee.tickets import TicketDeck, can_discard, complete_tickets, deal_tickets


@pytest.fixture
def deck(tmp_path: Path) -> TicketDeck:
    return TicketDeck(tiny_rules(tmp_path / "tiny"), 0)


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


def test_a_ticket_is_there_once_and_a_returned_one_waits_until_the_shuffled_are_gone(deck: TicketDeck) -> None:
    deck.draw(0)
    with pytest.raises(RuleError):
        deck.draw(0)
    deck.put_under(0)
    with pytest.raises(RuleError, match="not in the only deck or not on top"):
        deck.draw(0)


@pytest.mark.parametrize(("edition", "dealt", "shuffled"), [("germany", 4, True), ("usa", 3, False)])
def test_returns_at_setup_are_shuffled_in_or_go_under_the_deck(edition: str, dealt: int, shuffled: bool) -> None:
    """Germany: "The two decks are reshuffled", so a returned ticket may be on top at once."""
    offers = [ticket_row(number, number, kept=number < 2) for number in range(dealt)]
    position = built(edition, game_log(1, [*offers, ticket_row(dealt - 1, dealt, turn=0)]))
    position.turn = SETUP
    deal_tickets(position)
    position.turn = position.seat = 0
    with nullcontext() if shuffled else pytest.raises(RuleError, match="not on top"):
        assert position.draw_ticket().ticket == 3


def test_a_completed_ticket_is_not_replaced_from_an_empty_deck() -> None:
    position = built("first_journey", game_log(2, [ticket_row(0, 0), ticket_row(1, 1)]))
    position.turn = SETUP
    for _ in range(2):
        position.hold(position.draw_ticket())
    position.decks[0].clear()
    (a, *_), (b, *_) = position.rules.ticket_ends[0]
    state = position.seats[0]
    state.network.join(a, b)
    complete_tickets(position, 0)
    assert [holding.ticket for holding in state.completed] == [0]
    assert [holding.ticket for holding in state.held] == [1]
    assert not can_discard(position, 0)

"""Which card to take."""

from __future__ import annotations

import pytest

from tests.bots.planner.skill_bench import Bench, bench
from ttr_sim.bots.planner.drawing import draw_card, hidden_cards
from ttr_sim.engine.actions import ASK_SECOND, WILD, draw_deck, draw_row


@pytest.fixture
def at() -> Bench:
    found = bench()
    found.hold()
    found.lay_row(red=1, blue=1, wilds=1)
    return found


def wish(at: Bench, wilds: float = 0.0, **colors: float) -> None:
    at.memory["wish"][:] = 0
    at.memory["wish"][WILD] = wilds
    for name, worth in colors.items():
        at.memory["wish"][at.color(name)] = worth


def test_the_wished_color_is_taken(at: Bench) -> None:
    wish(at, red=1.0)
    assert draw_card(at.board, at.view, at.memory) == draw_row(at.color("red"))


def test_the_deck_is_better_than_a_row_of_no_use(at: Bench) -> None:
    wish(at, green=1.0)
    assert draw_card(at.board, at.view, at.memory) == draw_deck()


def test_a_wild_must_be_worth_two_cards(at: Bench) -> None:
    wish(at, wilds=1.0, red=0.8, blue=0.8)
    assert draw_card(at.board, at.view, at.memory) != draw_row(WILD)
    wish(at, wilds=3.0, red=0.8, blue=0.8)
    assert draw_card(at.board, at.view, at.memory) == draw_row(WILD)


def test_a_wild_is_no_second_card(at: Bench) -> None:
    at.view["decision"] = ASK_SECOND
    wish(at, wilds=9.0, red=0.1)
    assert draw_card(at.board, at.view, at.memory) != draw_row(WILD)


def test_cards_that_are_seen_are_not_in_the_deck(at: Bench) -> None:
    red = at.color("red")
    at.view["discards"][red] = 3
    at.view["known"][1 - at.view["seat"], red] = 2
    at.hold(red=4)
    assert hidden_cards(at.board, at.view, red) == 12 - 4 - 1 - 3 - 2

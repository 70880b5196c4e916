"""Drawing cards: the row and its reset, the deck and its refill."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.invariants import check_invariants
from tests.engine.rig import RED, Position, new_game, pairs_of, with_rules
from ttr_sim.edition.model import RowRules
from ttr_sim.engine.actions import ASK_SECOND, ASK_TURN, WILD, draw_deck, draw_row, draw_tickets, pass_turn

PLAIN = RowRules(size=5, reset_at=3, max_resets=10, needs_pile=False)
NEEDS_PILE = RowRules(size=5, reset_at=3, max_resets=10, needs_pile=True)


def lay(rules: RowRules = PLAIN, **cards: Any) -> Position:
    """A game on the map of the USA in which the first player has an empty hand, or this one, and draws."""
    return new_game(with_rules("usa", row=rules)).rig(**{"hands": {0: ""}, **cards})


def draw(game: Position, letters: str) -> Position:
    """Draw these cards from the row, and blind where it says `?`."""
    for letter in letters:
        answer = draw_deck() if letter == "?" else draw_row(game.code(letter))
        assert answer in game.choices()
        game.apply(answer)
    return game


@pytest.mark.parametrize(
    ("name", "cards"), [("usa", 4), ("europe", 4), ("germany", 4), ("amsterdam", 2), ("first_journey", 4)]
)
def test_starting_hand(name: str, cards: int) -> None:
    game = new_game(name, 2)
    assert [len(game.hand(seat)) for seat in (0, 1)] == [cards, cards]


# The cards laid out (none but these where the deck is named), the ones that are drawn, and what comes of it.
DRAWS = {
    "a face-up card is replaced at once": ("row=rrgby on_top=kw draw=g", "hand=g row=rrbyk"),
    "the replacement may be taken": ("row=rrgby on_top=kw draw=gk", "hand=gk row=rrbyw"),
    "a blind card leaves the row": ("row=rrgby on_top=kw draw=??", "hand=wk row=rrbgy"),
    "a first card is followed by a second": ("row=rrgby draw=r", f"decision={ASK_SECOND} seat=0 turn=0"),
    "two cards end the turn": ("row=rrgby draw=r?", f"decision={ASK_TURN} seat=1 turn=1"),
    "a face-up wild is the only card": ("row=rgby* on_top=k draw=*", "hand=* row=rbgyk seat=1"),
    "a wild drawn blind counts as one card": ("row=rgbyk on_top=*w draw=?", "hand=* seat=0"),
    "a wild drawn blind, then another card": ("row=rgbyk on_top=*w draw=??", "hand=w* seat=1"),
    "a wild drawn blind, then a face-up card": ("row=rgbyk on_top=*w draw=?r", "hand=r* seat=1"),
    "two wilds drawn blind": ("row=rgbyk on_top=** draw=??", "hand=**"),
    "two wilds do not reset the row": ("row=rgby* on_top=*k draw=r", "row=bgy** resets=0"),
    "a third wild resets the row": ("row=rgb** on_top=*kwpoyr draw=r", "row=yopwk discards=bg*** resets=1"),
    "resets in a cascade": ("row=rgb** on_top=*k***wr****kwpoy draw=r", "row=yopwk resets=3 stuck=0"),
    "case 1: left after max_resets": ("max=2 row=rgb** on_top=*k***wr****kwpoy draw=r", "row=r**** resets=2 stuck=1"),
    "case 1: no reset where max_resets is 0": ("max=0 row=rgb** on_top=* draw=r", "row=bg*** resets=0 stuck=1"),
    "case 1: left with two plain cards": ("row=rrk** deck=* draw=k", "row=rr*** resets=0 stuck=1"),
    "case 1: tried again when a card is turned up": ("row=rrk** deck=*** draw=kr", "row=r**** stuck=2"),
    "case 1: tried once in the turn it got stuck": ("row=rrk** deck=* draw=kr", "row=r*** stuck=1 seat=1"),
    "a row of four stays with one plain card": ("size=4 row=rk** deck=* draw=k", "row=r*** resets=0 stuck=1"),
    "a wild from a row of wilds alone": ("row=*** deck= draw=*", "hand=* row=** seat=1"),
    "the deck is not refilled early": ("row=rgbyk deck=w discards=pp draw=?", "reshuffles=0 deck= discards=pp"),
    "the deck is refilled at need": ("row=rgbyk deck=w discards=pp draw=??", "reshuffles=1 hand=pw deck=p discards="),
    "the deck is refilled for the row": ("row=rgbyk deck= discards=p draw=r", "row=bgypk reshuffles=1"),
    "case 2: a short row fills": ("row=gb deck= discards=rkwpy draw=g", "row_cards=5 deck_cards=1"),
    "case 3: a first card without a pile": ("row=rgb deck= draw=r", f"row=bg decision={ASK_SECOND}"),
    "case 3: both cards without a pile": ("row=rgb deck= draw=rb", "row=g hand=rb seat=1"),
    "case 3: needs_pile and the last card drawn": ("pile=1 row=rgbyw deck=k draw=?", "hand=k row=rbgyw seat=1"),
    "case 3: needs_pile and discards for a pile": ("pile=1 row=rgbyw deck= discards=k draw=r", "hand=r row=bgywk"),
    "case 3: needs_pile and the last card turned up": ("pile=1 row=rgbyw deck=k draw=r", "hand=r row=bgywk seat=1"),
    "case 3: only wilds are left after the first card": ("row=r** deck= draw=r", "seat=1 hand=r row=**"),
    "case 3: the last card of all ends the draw": ("row= deck=r draw=?", "seat=1 hand=r"),
    "cards below a reset row stay in the deck": ("row=rgb** on_top=*kwpoyr draw=r", "top=r"),
    "cards taken face up are known to be held": ("row=rrgby draw=rr", "known=rr taken=rr"),
    "spent ones no longer": ("row=rrgby draw=rr?? claim=Dallas-Houston:r", "known=r"),
    "cards spent in public": ("hand=r row=rgbyk on_top=w draw=g??? claim=Dallas-Houston:r", "taken=g spent=r"),
    "case 1: a row of four": ("hand=* row=k** deck= claim=Dallas-Houston:*", "row=k*** resets=0 stuck=1"),
    "case 2: a short row fills with the discards of a claim": (
        "hand=rrrrr row=gb deck= claim=Calgary-Vancouver:rrr",
        "row=rrrbg deck= discards= reshuffles=1",
    ),
}


def played(position: str) -> Position:
    """The cards drawn and the route claimed from a position in words."""
    given = pairs_of(position)
    rules = RowRules(int(given.pop("size", 5)), 3, int(given.pop("max", 10)), bool(given.pop("pile", "")))
    hands, letters, claimed = {0: given.pop("hand", "")}, given.pop("draw", ""), given.pop("claim", "")
    game = draw(lay(rules, hands=hands, **given), letters)
    if claimed:
        ends, _, cards = claimed.partition(":")
        game.pay(game.route(*ends.split("-")), cards)
    check_invariants(game)
    return game


@pytest.mark.parametrize(("position", "facts"), DRAWS.values(), ids=DRAWS)
def test_drawing(position: str, facts: str) -> None:
    played(position).expect(facts)


@pytest.mark.parametrize(("row", "drawn"), [("rgby*", "?"), ("rgbyk", "r")])
def test_face_up_wild_is_no_second_card(row: str, drawn: str) -> None:
    """Not even one that replaced the first card."""
    game = draw(lay(row=row, on_top="*"), drawn)
    assert game.fact("row")[-1] == "*"  # type: ignore[index]
    assert game.why_not(draw_row(WILD)) == "a face-up wild may only be the first card"


def test_case_1_row_is_reset_with_three_plain_cards() -> None:
    """In row, deck and discards together, and two of them for a row of four."""
    cards = ("row=rrk** deck=*g draw=k", "row=rrk** deck=* discards=g draw=k", "size=4 row=rk** deck=*g draw=k")
    for position in (*cards, "hand=ggg row=r*** deck= claim=Calgary-Vancouver:ggg"):
        assert played(position).state["hidden"]["resets"] >= 1, position


def test_case_1_row_is_tried_again_at_the_end_of_each_later_turn() -> None:
    game = draw(lay(PLAIN, row="rrk**", deck="*"), "kr")
    for turns in (1, 2):
        game.apply(draw_tickets())
        game.apply(game.choices()[0])
        game.expect(stuck=1 + turns)


def test_setup_row_is_reset_too() -> None:
    games = [Position(with_rules("usa", wilds=70), 2, deal=deal) for deal in range(20)]
    assert any(game.state["hidden"]["resets"] > 0 for game in games)
    for game in games:
        assert game.view["row"][WILD] < 3 or game.state["hidden"]["stuck"] > 0
        check_invariants(game)


@pytest.mark.parametrize(
    ("rules", "row", "reason"),
    [
        (NEEDS_PILE, "rgb**", "neither the deck nor the discards hold a card, and so the row is closed"),
        (PLAIN, "", "no such card lies face up"),
    ],
)
def test_case_3_no_first_card_is_drawn_where_nothing_may_be(rules: RowRules, row: str, reason: str) -> None:
    game = lay(rules, row=row, deck="")
    assert game.why_not(draw_row(RED)) == reason
    assert game.why_not(draw_deck()) == "neither the deck nor the discards hold a card"
    answers = [draw_deck(), *(draw_row(color) for color in (*range(8), WILD))]
    assert not any(game.can_answer(answer) for answer in answers)
    assert not set(answers) & set(game.choices())


def test_case_3_with_needs_pile_a_player_who_can_only_draw_from_the_row_passes() -> None:
    game = lay(NEEDS_PILE, row="rgbyw", deck="")
    game.rig_tickets({1: list(range(len(game.edition.tickets)))})
    assert game.choices() == [pass_turn()]


def test_blind_edition_has_no_row() -> None:
    game = new_game("first_journey").rig(hands={0: ""}, deck="k", discards="ww")
    assert not any(game.can_answer(draw_row(color)) for color in (*range(6), WILD))
    draw(game, "??").expect("hand=wk reshuffles=1 seat=1")

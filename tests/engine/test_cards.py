"""Drawing cards: the row and its reset, the deck and its refill."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.invariants import check_invariants
from tests.engine.rig import (
    BLACK,
    GREEN,
    PINK,
    RED,
    can_answer,
    code,
    deck,
    expect,
    fact,
    hand,
    new_game,
    pairs_of,
    rig,
    rig_tickets,
    route,
    row,
    with_rules,
)
from ttr_sim.edition.model import RowRules
from ttr_sim.engine.actions import ASK_SECOND, ASK_TURN, WILD, claim, draw_deck, draw_row, draw_tickets, pass_turn
from ttr_sim.engine.stepping import Game

PLAIN = RowRules(size=5, reset_at=3, max_resets=10, needs_pile=False)
NEEDS_PILE = RowRules(size=5, reset_at=3, max_resets=10, needs_pile=True)


def lay(rules: RowRules = PLAIN, **cards: Any) -> Game:
    """A game on the map of the USA in which the first player has an empty hand, or this one, and draws."""
    return rig(new_game(with_rules("usa", row=rules)), **{"hands": {0: ""}, **cards})


def draw(game: Game, letters: str) -> Game:
    """Draw these cards from the row, and blind where it says `?`."""
    for letter in letters:
        answer = draw_deck() if letter == "?" else draw_row(code(game, letter))
        assert answer in game.choices()
        game.apply(answer)
    return game


@pytest.mark.parametrize(
    ("name", "cards"), [("usa", 4), ("europe", 4), ("germany", 4), ("amsterdam", 2), ("first_journey", 4)]
)
def test_starting_hand(name: str, cards: int) -> None:
    game = new_game(name, 2)
    assert [len(hand(game, seat)) for seat in (0, 1)] == [cards, cards]


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
}


@pytest.mark.parametrize(("position", "facts"), DRAWS.values(), ids=DRAWS)
def test_drawing(position: str, facts: str) -> None:
    given = pairs_of(position)
    rules = RowRules(int(given.pop("size", 5)), 3, int(given.pop("max", 10)), bool(given.pop("pile", "")))
    letters = given.pop("draw")
    game = draw(lay(rules, **given), letters)
    expect(game, facts)
    check_invariants(game)


def test_second_card_must_be_drawn() -> None:
    game = draw(lay(row="rrgby", hands={0: "rrrrrr"}), "g")
    assert {answer & 255 for answer in game.choices()} == {draw_row(0) & 255, draw_deck()}
    assert not can_answer(game, pass_turn())


@pytest.mark.parametrize(("row", "drawn"), [("rgby*", "?"), ("rgbyk", "r")])
def test_face_up_wild_is_no_second_card(row: str, drawn: str) -> None:
    """Not even one that replaced the first card."""
    game = draw(lay(row=row, on_top="*"), drawn)
    assert fact(game, "row")[-1] == "*"  # type: ignore[index]
    assert game.why_not(draw_row(WILD)) == "a face-up wild may only be the first card"


def test_cards_that_were_spent_are_no_longer_known_to_be_held() -> None:
    game = draw(lay(row="rrgby"), "rr")
    expect(game, known="rr")
    draw(game, "??").apply(claim(route(game, "Dallas", "Houston"), RED, 0))
    expect(game, known="r")


def test_cards_below_a_reset_row_stay_in_the_deck() -> None:
    assert deck(draw(lay(row="rgb**", on_top="*kwpoyr"), "r"))[0] == "r"


@pytest.mark.parametrize(("deck_cards", "discarded"), [("*g", ""), ("*", "g")])
def test_case_1_row_is_reset_with_three_plain_cards(deck_cards: str, discarded: str) -> None:
    """Row, deck and discards count: two plain cards lie in the row, one elsewhere."""
    game = draw(lay(row="rrk**", deck=deck_cards, discards=discarded), "k")
    assert game.state["hidden"]["resets"] >= 1
    check_invariants(game)


def test_row_of_size_four_resets_with_two_plain_cards() -> None:
    game = draw(lay(RowRules(4, 3, 10), row="rk**", deck="*g"), "k")
    assert game.state["hidden"]["resets"] >= 1
    check_invariants(game)


def test_case_1_row_is_tried_again_at_the_end_of_each_later_turn() -> None:
    game = draw(lay(PLAIN, row="rrk**", deck="*"), "kr")
    for turns in (1, 2):
        game.apply(draw_tickets())
        game.apply(game.choices()[0])
        expect(game, stuck=1 + turns)


def test_case_1_claim_brings_the_plain_cards_for_a_reset() -> None:
    game = draw(lay(PLAIN, row="rrk**", deck="*"), "kr")
    rig(game, hands={0: "ggg"}, row="r***", deck="")
    game.apply(claim(route(game, "Calgary", "Vancouver"), GREEN, 0))
    assert game.state["hidden"]["resets"] >= 1
    check_invariants(game)


def test_short_row_of_four_with_three_wilds_is_tried() -> None:
    """Too few plain cards lie open for a reset, and none lie elsewhere: it is counted as stuck."""
    game = lay(hands={0: "*"}, row="k**", deck="")
    game.apply(claim(route(game, "Dallas", "Houston"), WILD, 1))
    expect(game, row="k***", resets=0, stuck=1)


def test_setup_row_is_reset_too() -> None:
    games = [Game(with_rules("usa", wilds=70), 2, deal=deal) for deal in range(20)]
    assert any(game.state["hidden"]["resets"] > 0 for game in games)
    for game in games:
        assert game.view["row"][WILD] < 3 or game.state["hidden"]["stuck"] > 0
        check_invariants(game)


def test_discards_are_shuffled_when_they_become_the_deck() -> None:
    pile = "rrrrrrbbbbbbggggggyyyyyy"
    orders = set()
    for deal in range(5):
        game = rig(new_game("usa", deal=deal), hands={0: ""}, row="kkkww", deck="", discards=pile)
        draw(game, "?")
        orders.add(hand(game, 0) + deck(game))
    assert len(orders) == 5
    assert all(sorted(order) == sorted(pile) for order in orders)


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
    assert not any(can_answer(game, answer) for answer in answers)
    assert not set(answers) & set(game.choices())


def test_case_3_with_needs_pile_the_row_is_open_while_there_are_discards() -> None:
    game = draw(lay(NEEDS_PILE, row="rgbyw", discards="kp", deck=""), "r")
    game.apply(draw_row(BLACK if "k" in row(game) else PINK))
    assert (len(hand(game, 0)), game.seat) == (2, 1)


def test_case_3_with_needs_pile_a_player_who_can_only_draw_from_the_row_passes() -> None:
    game = lay(NEEDS_PILE, row="rgbyw", deck="")
    rig_tickets(game, {1: list(range(len(game.edition.tickets)))})
    assert game.choices() == [pass_turn()]


def test_case_2_short_row_fills_with_the_discards_of_a_claim() -> None:
    game = lay(hands={0: "rrrrr"}, row="gb", deck="")
    game.apply(claim(route(game, "Calgary", "Vancouver"), RED, 0))
    expect(game, row="rrrbg", deck="", discards="", reshuffles=1)


@pytest.mark.parametrize(
    ("cards", "facts"),
    [
        ({"on_top": "*k"}, {"hand": "k*", "seat": 1}),
        ({"deck": "k", "discards": "ww"}, {"hand": "wk", "reshuffles": 1}),
    ],
)
def test_blind_edition_has_no_row(cards: dict[str, Any], facts: dict[str, Any]) -> None:
    game = rig(new_game("first_journey"), hands={0: ""}, **cards)
    assert not any(can_answer(game, draw_row(color)) for color in (*range(6), WILD))
    expect(draw(game, "??"), **facts)


def test_table_knows_what_was_taken_face_up_and_spent() -> None:
    game = draw(rig(new_game("usa"), hands={0: "r"}, row="rgbyk", on_top="w"), "g?")
    expect(game, taken="g")
    draw(game, "??").apply(claim(route(game, "Dallas", "Houston"), RED, 0))
    expect(game, spent="r")
    assert not game.view["spent"][1:].any()

"""Drawing cards: the row and its reset, the deck and its refill."""

from __future__ import annotations

import pytest

from tests.engine.invariants import check_invariants
from tests.engine.rig import (
    can_answer,
    deck,
    discards,
    hand,
    is_asked_for_turn,
    letters,
    new_game,
    rig,
    rig_tickets,
    route,
    row,
    with_rules,
)
from ttr_sim.edition.model import RowRules
from ttr_sim.engine.actions import WILD, claim, draw_deck, draw_row, draw_tickets, pass_turn
from ttr_sim.engine.stepping import Game

RED, BLUE, GREEN, YELLOW, ORANGE, PINK, WHITE, BLACK = range(8)


def resets(game: Game) -> int:
    return int(game.state["hidden"]["resets"])


def stuck(game: Game) -> int:
    return int(game.state["hidden"]["stuck"])


def reshuffles(game: Game) -> int:
    return int(game.state["hidden"]["reshuffles"])


def game_with(needs_pile: bool, row: str, deck: str = "", discards: str = "") -> Game:
    """A game in which the first player draws, with no other cards on the table than these."""
    rules = RowRules(size=5, reset_at=3, max_resets=10, needs_pile=needs_pile)
    return rig(new_game(with_rules("usa", row=rules)), hands={0: ""}, row=row, deck=deck, discards=discards)


@pytest.mark.parametrize(
    ("name", "cards"), [("usa", 4), ("europe", 4), ("germany", 4), ("amsterdam", 2), ("first_journey", 4)]
)
def test_starting_hand(name: str, cards: int) -> None:
    game = new_game(name, 2)
    assert [len(hand(game, seat)) for seat in (0, 1)] == [cards, cards]


def test_face_up_card_is_replaced_at_once() -> None:
    game = rig(new_game("usa"), row="rrgby", on_top="kw")
    game.apply(draw_row(GREEN))
    assert (hand(game, 0), row(game)) == ("g", "rrbyk")
    game.apply(draw_row(BLACK))
    assert row(game) == "rrbyw"
    assert hand(game, 0) == "gk"


def test_blind_card_is_the_top_one_and_leaves_the_row_alone() -> None:
    game = rig(new_game("usa"), row="rrgby", on_top="kw")
    game.apply(draw_deck())
    game.apply(draw_deck())
    assert (hand(game, 0), row(game)) == ("wk", "rrbgy")


def test_two_cards_end_the_turn() -> None:
    game = rig(new_game("usa"), row="rrgby")
    game.apply(draw_row(RED))
    assert not is_asked_for_turn(game)
    game.apply(draw_deck())
    assert (game.seat, game.turn) == (1, 1)


def test_second_card_must_be_drawn() -> None:
    game = rig(new_game("usa"), row="rrgby", hands={0: "rrrrrr"})
    game.apply(draw_row(GREEN))
    kinds = {answer & 255 for answer in game.choices()}
    assert kinds == {draw_row(0) & 255, draw_deck()}
    assert not can_answer(game, pass_turn())


def test_face_up_wild_is_the_only_card() -> None:
    game = rig(new_game("usa"), row="rgby*", on_top="k")
    game.apply(draw_row(WILD))
    assert (hand(game, 0), row(game), game.seat) == ("*", "rbgyk", 1)


def test_face_up_wild_is_no_second_card() -> None:
    game = rig(new_game("usa"), row="rgby*")
    game.apply(draw_deck())
    assert game.why_not(draw_row(WILD)) == "a face-up wild may only be the first card"


def test_wild_turned_up_as_replacement_is_no_second_card() -> None:
    game = rig(new_game("usa"), row="rgbyk", on_top="*")
    game.apply(draw_row(RED))
    assert row(game) == "bgyk*"
    assert not can_answer(game, draw_row(WILD))


@pytest.mark.parametrize("second", [draw_deck(), draw_row(RED)])
def test_wild_drawn_blind_counts_as_one_card(second: int) -> None:
    game = rig(new_game("usa"), row="rgbyk", on_top="*w")
    game.apply(draw_deck())
    assert hand(game, 0) == "*"
    game.apply(second)
    assert (len(hand(game, 0)), game.seat) == (2, 1)


def test_two_wilds_drawn_blind() -> None:
    game = rig(new_game("usa"), row="rgbyk", on_top="**")
    game.apply(draw_deck())
    game.apply(draw_deck())
    assert hand(game, 0) == "**"


def test_two_wilds_do_not_reset_the_row() -> None:
    game = rig(new_game("usa"), row="rgby*", on_top="*k")
    game.apply(draw_row(RED))
    assert (row(game), resets(game)) == ("bgy**", 0)


def test_third_wild_resets_the_row() -> None:
    game = rig(new_game("usa"), row="rgb**", on_top="*" + "kwpoy" + "r")
    game.apply(draw_row(RED))
    assert (row(game), discards(game), resets(game)) == ("yopwk", "bg***", 1)
    assert deck(game)[0] == "r"


def test_wild_reset_in_a_cascade() -> None:
    game = rig(new_game("usa"), row="rgb**", on_top="*" + "k***w" + "r****" + "kwpoy")
    game.apply(draw_row(RED))
    assert (row(game), resets(game), stuck(game)) == ("yopwk", 3, 0)
    check_invariants(game)


def test_case_1_row_left_as_it_is_after_max_resets() -> None:
    game = new_game(with_rules("usa", row=RowRules(5, 3, 2)))
    rig(game, row="rgb**", on_top="*" + "k***w" + "r****" + "kwpoy")
    game.apply(draw_row(RED))
    assert (row(game), resets(game), stuck(game)) == ("r****", 2, 1)


def test_case_1_no_reset_at_all_when_max_resets_is_zero() -> None:
    game = rig(new_game(with_rules("usa", row=RowRules(5, 3, 0))), row="rgb**", on_top="*")
    game.apply(draw_row(RED))
    assert (row(game), resets(game), stuck(game)) == ("bg***", 0, 1)


def test_case_1_row_left_as_it_is_with_two_plain_cards() -> None:
    game = game_with(needs_pile=False, row="rrk**", deck="*")
    game.apply(draw_row(BLACK))
    assert (row(game), resets(game), stuck(game)) == ("rr***", 0, 1)


def test_case_1_row_is_reset_with_three_plain_cards() -> None:
    """Row, deck and discards count: two plain cards lie in the row, one elsewhere."""
    for deck_cards, discarded in (("*g", ""), ("*", "g")):
        game = rig(new_game("usa"), hands={0: ""}, row="rrk**", deck=deck_cards, discards=discarded)
        game.apply(draw_row(BLACK))
        assert resets(game) >= 1
        check_invariants(game)


def test_case_1_row_is_tried_again_whenever_a_card_is_turned_up() -> None:
    game = rig(new_game("usa"), hands={0: ""}, row="rrk**", deck="***")
    game.apply(draw_row(BLACK))
    game.apply(draw_row(RED))
    assert (row(game), stuck(game)) == ("r****", 2)


def test_case_1_row_is_tried_once_in_the_turn_it_got_stuck() -> None:
    game = game_with(needs_pile=False, row="rrk**", deck="*")
    game.apply(draw_row(BLACK))
    game.apply(draw_row(RED))
    assert (row(game), stuck(game), game.seat) == ("r***", 1, 1)


def test_case_1_row_is_tried_again_at_the_end_of_each_later_turn() -> None:
    game = game_with(needs_pile=False, row="rrk**", deck="*")
    game.apply(draw_row(BLACK))
    game.apply(draw_row(RED))
    for turns in (1, 2):
        game.apply(draw_tickets())
        game.apply(game.choices()[0])
        assert stuck(game) == 1 + turns


def test_wild_can_be_taken_from_a_row_of_wilds_alone() -> None:
    game = game_with(needs_pile=False, row="***")
    assert draw_row(WILD) in game.choices()
    game.apply(draw_row(WILD))
    assert (hand(game, 0), row(game), game.seat) == ("*", "**", 1)


def test_case_1_claim_brings_the_plain_cards_for_a_reset() -> None:
    game = game_with(needs_pile=False, row="rrk**", deck="*")
    game.apply(draw_row(BLACK))
    game.apply(draw_row(RED))
    rig(game, hands={0: "ggg"}, row="r***", deck="", seat=0)
    game.apply(claim(route(game, "Calgary", "Vancouver"), GREEN, 0))
    assert resets(game) >= 1
    check_invariants(game)


def test_row_of_size_four_resets_with_two_plain_cards() -> None:
    game = rig(new_game(with_rules("usa", row=RowRules(4, 3, 10))), hands={0: ""}, row="rk**", deck="*g")
    game.apply(draw_row(BLACK))
    assert resets(game) >= 1
    check_invariants(game)


def test_row_of_size_four_stays_with_one_plain_card() -> None:
    game = rig(new_game(with_rules("usa", row=RowRules(4, 3, 10))), hands={0: ""}, row="rk**", deck="*")
    game.apply(draw_row(BLACK))
    assert (row(game), resets(game), stuck(game)) == ("r***", 0, 1)


def test_short_row_of_four_with_three_wilds_is_tried() -> None:
    """Too few plain cards lie open for a reset, and none lie elsewhere: it is counted as stuck."""
    game = rig(new_game("usa"), hands={0: "*"}, row="k**", deck="")
    game.apply(claim(route(game, "Dallas", "Houston"), WILD, 1))
    assert (row(game), resets(game), stuck(game)) == ("k***", 0, 1)


def test_setup_row_is_reset_too() -> None:
    edition = with_rules("usa", wilds=70)
    rows = [Game(edition, 2, deal=deal) for deal in range(20)]
    assert any(resets(game) > 0 for game in rows)
    for game in rows:
        assert game.view["row"][WILD] < 3 or stuck(game) > 0
        check_invariants(game)


def test_deck_is_refilled_when_a_card_is_needed_and_not_before() -> None:
    game = rig(new_game("usa"), hands={0: ""}, row="rgbyk", deck="w", discards="pp")
    game.apply(draw_deck())
    assert (reshuffles(game), deck(game), discards(game)) == (0, "", "pp")
    game.apply(draw_deck())
    assert (reshuffles(game), hand(game, 0), deck(game), discards(game)) == (1, "pw", "p", "")


def test_deck_is_refilled_for_the_row() -> None:
    game = rig(new_game("usa"), hands={0: ""}, row="rgbyk", deck="", discards="p")
    game.apply(draw_row(RED))
    assert (row(game), reshuffles(game)) == ("bgypk", 1)


def test_discards_are_shuffled_when_they_become_the_deck() -> None:
    pile = "rrrrrrbbbbbbggggggyyyyyy"
    orders = set()
    for deal in range(5):
        game = rig(new_game("usa", deal=deal), hands={0: ""}, row="kkkww", deck="", discards=pile)
        game.apply(draw_deck())
        orders.add(hand(game, 0) + deck(game))
    assert len(orders) == 5
    assert all(sorted(order) == sorted(pile) for order in orders)


def test_case_3_row_cards_may_be_taken_without_deck_and_discards() -> None:
    game = game_with(needs_pile=False, row="rgb")
    game.apply(draw_row(RED))
    assert (row(game), is_asked_for_turn(game)) == ("bg", False)
    game.apply(draw_row(BLUE))
    assert (row(game), hand(game, 0), game.seat) == ("g", "rb", 1)


def test_case_3_with_needs_pile_no_first_card_is_drawn_without_deck_and_discards() -> None:
    game = game_with(needs_pile=True, row="rgb**")
    assert game.why_not(draw_row(RED)) == "neither the deck nor the discards hold a card, and so the row is closed"
    answers = [draw_deck(), *(draw_row(color) for color in (*range(8), WILD))]
    assert not any(can_answer(game, answer) for answer in answers)
    assert not set(answers) & set(game.choices())


def test_case_3_with_needs_pile_no_second_card_is_drawn_after_the_last_of_the_deck() -> None:
    blind = game_with(needs_pile=True, row="rgbyw", deck="k")
    blind.apply(draw_deck())
    assert (hand(blind, 0), row(blind), blind.seat) == ("k", "rbgyw", 1)
    face_up = game_with(needs_pile=True, row="rgbyw", deck="k")
    face_up.apply(draw_row(RED))
    assert (hand(face_up, 0), row(face_up), face_up.seat) == ("r", "bgywk", 1)


def test_case_3_with_needs_pile_the_row_is_open_while_there_are_discards() -> None:
    game = game_with(needs_pile=True, row="rgbyw", discards="kp")
    game.apply(draw_row(RED))
    game.apply(draw_row(BLACK if "k" in row(game) else PINK))
    assert (len(hand(game, 0)), game.seat) == (2, 1)


def test_case_3_with_needs_pile_a_player_who_can_only_draw_from_the_row_passes() -> None:
    game = game_with(needs_pile=True, row="rgbyw")
    rig_tickets(game, {1: list(range(len(game.edition.tickets)))})
    assert game.choices() == [pass_turn()]


def test_case_3_draw_ends_after_the_first_card_when_only_wilds_are_left() -> None:
    game = game_with(needs_pile=False, row="r**")
    game.apply(draw_row(RED))
    assert (game.seat, hand(game, 0), row(game)) == (1, "r", "**")


def test_case_3_last_card_of_all_ends_the_draw() -> None:
    game = rig(new_game("usa"), hands={0: ""}, row="", deck="r")
    game.apply(draw_deck())
    assert (game.seat, hand(game, 0)) == (1, "r")


def test_nothing_to_draw_without_any_card() -> None:
    game = rig(new_game("usa"), hands={0: "r"}, row="", deck="")
    assert game.why_not(draw_deck()) == "neither the deck nor the discards hold a card"
    assert not any(can_answer(game, draw_row(color)) for color in (*range(8), WILD))


def test_case_2_short_row_fills_with_the_discards_of_a_claim() -> None:
    game = rig(new_game("usa"), hands={0: "rrrrr"}, row="gb", deck="")
    game.apply(claim(route(game, "Calgary", "Vancouver"), RED, 0))
    assert (row(game), deck(game), discards(game)) == ("rrrbg", "", "")
    assert reshuffles(game) == 1


def test_case_2_short_row_fills_after_each_card_taken() -> None:
    game = rig(new_game("usa"), hands={0: ""}, row="gb", deck="", discards="rkwpy")
    game.apply(draw_row(GREEN))
    assert (int(game.view["row_cards"]), int(game.view["deck_cards"])) == (5, 1)


def test_blind_edition_has_no_row() -> None:
    game = rig(new_game("first_journey"), on_top="*k")
    assert not any(can_answer(game, draw_row(color)) for color in (*range(6), WILD))
    game.apply(draw_deck())
    game.apply(draw_deck())
    assert (hand(game, 0), game.seat) == ("k*", 1)


def test_blind_edition_refills_its_deck() -> None:
    game = rig(new_game("first_journey"), hands={0: ""}, deck="k", discards="ww")
    game.apply(draw_deck())
    game.apply(draw_deck())
    assert (hand(game, 0), reshuffles(game)) == ("wk", 1)


def test_table_knows_what_was_taken_face_up_and_spent() -> None:
    game = rig(new_game("usa"), hands={0: "r"}, row="rgbyk", on_top="w")
    game.apply(draw_row(GREEN))
    game.apply(draw_deck())
    assert letters(game, game.view["taken"][0]) == "g"
    game.apply(draw_deck())
    game.apply(draw_deck())
    game.apply(claim(route(game, "Dallas", "Houston"), RED, 0))
    assert letters(game, game.view["spent"][0]) == "r"
    assert not game.view["spent"][1:].any()

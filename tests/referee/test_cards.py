"""The face-up row: filling, resets, rows that have to stay as they are, and drawing with empty piles."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.referee.built import make_row, tiny_game, tiny_rules
from ttr_sim.edition.model import RowRules
from ttr_sim.referee.cards import FaceUpRow, Piles, can_draw_cards, draw_cards
from ttr_sim.referee.log import TurnRow
from ttr_sim.referee.position import Position
from ttr_sim.referee.rulebook import RuleError


def row_of(tmp_path: Path, size: int = 3, reset_at: int = 2, max_resets: int = 10, **deck: int) -> FaceUpRow:
    """An empty row before a deck of red, blue and wild cards."""
    piles = Piles(tiny_rules(tmp_path / "tiny"))
    piles.deck = {"r": 0, "b": 0, "*": 0, **{"*" if name == "wild" else name: count for name, count in deck.items()}}
    piles.deck_size = sum(piles.deck.values())
    return FaceUpRow(RowRules(size, reset_at, max_resets), piles)


def test_filled_from_the_deck_and_sorted(tmp_path: Path) -> None:
    row = row_of(tmp_path, r=4, wild=1)
    row.refill("*rr", turn=0, turn_ends=False)
    assert (row.cards, row.piles.deck_size) == ("rr*", 2)


def test_too_many_wilds_are_all_turned_over(tmp_path: Path) -> None:
    row = row_of(tmp_path, r=4, wild=2)
    row.refill("**rrrr", turn=0, turn_ends=False)
    assert (row.cards, row.resets, row.stuck, row.piles.discards["*"]) == ("rrr", 1, 0, 2)


def test_the_discards_are_shuffled_only_when_a_card_is_needed(tmp_path: Path) -> None:
    row = row_of(tmp_path, r=2, wild=2)
    row.refill("**rr*r", turn=0, turn_ends=False)
    assert (row.cards, row.piles.reshuffles) == ("rr*", 1)


def test_it_stays_when_no_row_could_be_better(tmp_path: Path) -> None:
    row = row_of(tmp_path, r=1, wild=2)
    row.refill("r**", turn=0, turn_ends=False)
    assert (row.cards, row.resets, row.stuck) == ("r**", 0, 1)


def test_it_stays_after_so_many_resets_in_a_row(tmp_path: Path) -> None:
    row = row_of(tmp_path, r=6, wild=4, max_resets=1)
    row.refill("**r**r", turn=0, turn_ends=False)
    assert (row.cards, row.resets, row.stuck) == ("r**", 1, 1)


def test_a_stuck_row_is_tried_once_a_turn(tmp_path: Path) -> None:
    row = row_of(tmp_path, r=1, wild=2)
    row.refill("r**", turn=0, turn_ends=False)
    row.refill("", turn=0, turn_ends=True)
    assert row.stuck == 1
    row.refill("", turn=1, turn_ends=True)
    assert row.stuck == 2


def test_it_stays_short_when_there_are_no_cards(tmp_path: Path) -> None:
    row = row_of(tmp_path, r=2)
    row.refill("rr", turn=0, turn_ends=False)
    assert row.cards == "rr"


@pytest.mark.parametrize(
    ("fill", "sentence"),
    [
        ("rr", "the row was left 1 card short, though there were cards to fill it"),
        ("rrrb", "the row needed no more cards, but these were turned up: 1 blue"),
        ("rrz", "an unknown (z) card came from the deck, which had none"),
    ],
)
def test_what_cannot_be(tmp_path: Path, fill: str, sentence: str) -> None:
    with pytest.raises(RuleError) as found:
        row_of(tmp_path, r=4, b=2).refill(fill, turn=0, turn_ends=False)
    assert found.value.message == sentence


ROW = "[row]\nsize = 3\nreset_at = 2\n"


def without_piles(tmp_path: Path, row: str, deck: str = "", needs_pile: bool = True) -> Position:
    """A position with these cards face up, these in the deck, none among the discards and all others in hands."""
    rules = tiny_rules(tmp_path / "tiny", f"{ROW}needs_pile = {'true' if needs_pile else 'false'}\n")
    position = Position(rules, tiny_game())
    assert position.row is not None
    position.row.cards = row
    position.piles.deck = {letter: deck.count(letter) for letter in rules.letters}
    position.piles.deck_size = len(deck)
    return position


def draw(first: str, second: str | None = None, fill1: str = "", **cells: Any) -> TurnRow:
    cards = {"card1": first, "card1_from": "row", "fill1": fill1, "card2": second, "card2_from": second and "row"}
    row: TurnRow = make_row(TurnRow, turn=0, seat=0, action="draw", **{**cards, **cells})
    return row


def test_case_3_no_first_card_without_a_pile(tmp_path: Path) -> None:
    position = without_piles(tmp_path, "rbb")
    assert not can_draw_cards(position)
    with pytest.raises(RuleError, match="taken from the row while deck and discards were both empty"):
        draw_cards(position, draw("r", "b"))


def test_case_3_no_second_card_without_a_pile(tmp_path: Path) -> None:
    """The last card of the deck replaces the first card."""
    draw_cards(without_piles(tmp_path, "rbb", deck="r"), draw("b", fill1="r"))
    with pytest.raises(RuleError, match="taken from the row while deck and discards were both empty"):
        draw_cards(without_piles(tmp_path, "rbb", deck="r"), draw("b", "b", fill1="r"))


def test_case_3_no_second_card_after_the_last_one_drawn_blind(tmp_path: Path) -> None:
    draw_cards(without_piles(tmp_path, "rbb", deck="*"), draw("*", card1_from="deck"))
    with pytest.raises(RuleError, match="taken from the row while deck and discards were both empty"):
        draw_cards(without_piles(tmp_path, "rbb", deck="*"), draw("*", "b", card1_from="deck"))


def test_case_3_discards_are_a_pile(tmp_path: Path) -> None:
    position = without_piles(tmp_path, "rbb")
    position.piles.discard("r", 2)
    assert can_draw_cards(position)
    draw_cards(position, draw("b", "b", fill1="r"))


def test_case_3_without_the_key_the_row_stays_open(tmp_path: Path) -> None:
    position = without_piles(tmp_path, "rbb", needs_pile=False)
    assert can_draw_cards(position)
    draw_cards(position, draw("r", "b"))
    with pytest.raises(RuleError, match="only one card was drawn, though a second was available"):
        draw_cards(without_piles(tmp_path, "rbb", needs_pile=False), draw("r"))


def test_a_wild_may_be_taken_first_from_a_row_of_wilds_and_ends_the_draw(tmp_path: Path) -> None:
    draw_cards(without_piles(tmp_path, "***", needs_pile=False), draw("*"))
    with pytest.raises(RuleError, match="a second card was drawn after a wild from the row"):
        draw_cards(without_piles(tmp_path, "***", needs_pile=False), draw("*", "*"))


def test_no_second_card_can_be_had_when_only_wilds_are_face_up(tmp_path: Path) -> None:
    draw_cards(without_piles(tmp_path, "r**", needs_pile=False), draw("r"))

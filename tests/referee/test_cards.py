"""The face-up row: filling, resets, rows that have to stay as they are, and drawing with empty piles."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from tests.referee.built import make_row, tiny_game, tiny_rules
from ttr_sim.edition.model import RowRules
from ttr_sim.referee.cards import FaceUpRow, Piles, can_draw_cards, draw_cards
from ttr_sim.referee.log import TurnRow
from ttr_sim.referee.position import Position
from ttr_sim.referee.rulebook import RuleError


def row_of(tmp_path: Path, deck: str, max_resets: int = 10) -> FaceUpRow:
    """An empty row of three, reset at two wilds, before this deck."""
    piles = Piles(tiny_rules(tmp_path / "tiny"))
    piles.deck, piles.deck_size = {letter: deck.count(letter) for letter in "rb*"}, len(deck)
    return FaceUpRow(RowRules(3, 2, max_resets), piles)


@pytest.mark.parametrize(
    ("deck", "max_resets", "fill", "facts"),
    [
        ("rrrr*", 10, "*rr", "cards=rr* deck=2"),  # filled from the deck and sorted
        ("rr", 10, "rr", "cards=rr"),  # short when there are no cards
        ("rrrr**", 10, "**rrrr", "cards=rrr resets=1 stuck=0"),  # too many wilds are turned over
        ("rr**", 10, "**rr*r", "cards=rr* reshuffles=1"),  # discards are shuffled when a card is needed
        ("r**", 10, "r**", "cards=r** resets=0 stuck=1"),  # stays when no row could be better
        ("rrrrrr****", 1, "**r**r", "cards=r** resets=1 stuck=1"),  # stays after so many resets
    ],
)
def test_row_filled(tmp_path: Path, deck: str, max_resets: int, fill: str, facts: str) -> None:
    row = row_of(tmp_path, deck, max_resets)
    row.refill(fill, turn=0, turn_ends=False)
    piles = row.piles
    found = {"cards": row.cards, "resets": row.resets, "stuck": row.stuck}
    found |= {"deck": piles.deck_size, "reshuffles": piles.reshuffles}
    assert dict(pair.split("=") for pair in facts.split()).items() <= {k: str(v) for k, v in found.items()}.items()


def test_a_stuck_row_is_tried_once_a_turn(tmp_path: Path) -> None:
    row = row_of(tmp_path, "r**")
    row.refill("r**", turn=0, turn_ends=False)
    row.refill("", turn=0, turn_ends=True)
    assert row.stuck == 1
    row.refill("", turn=1, turn_ends=True)
    assert row.stuck == 2


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
        row_of(tmp_path, "rrrrbb").refill(fill, turn=0, turn_ends=False)
    assert found.value.message == sentence


def draw(first: str, second: str | None = None, fill1: str = "", **cells: Any) -> TurnRow:
    cards = {"card1": first, "card1_from": "row", "fill1": fill1, "card2": second, "card2_from": second and "row"}
    row: TurnRow = make_row(TurnRow, turn=0, seat=0, action="draw", **{**cards, **cells})
    return row


CLOSED = "taken from the row while deck and discards were both empty"
MISSING = "only one card was drawn, though a second was available"
SECOND = "a second card was drawn after a wild from the row"


@pytest.mark.parametrize(
    ("row", "piles", "turn", "refused"),
    [
        pytest.param("rbb", {}, draw("r", "b"), CLOSED, id="case 3: no first card without a pile"),
        pytest.param("rbb", {"deck": "r"}, draw("b", fill1="r"), None, id="case 3: the deck's last card replaces it"),
        pytest.param("rbb", {"deck": "r"}, draw("b", "b", fill1="r"), CLOSED, id="case 3: no second card after that"),
        pytest.param("rbb", {"deck": "*"}, draw("*", card1_from="deck"), None, id="case 3: the last one blind"),
        pytest.param("rbb", {"deck": "*"}, draw("*", "b", card1_from="deck"), CLOSED, id="case 3: none after it"),
        pytest.param("rbb", {"discards": "rr"}, draw("b", "b", fill1="r"), None, id="case 3: discards are a pile"),
        pytest.param("rbb", {"needs_pile": False}, draw("r", "b"), None, id="case 3: open without the key"),
        pytest.param("rbb", {"needs_pile": False}, draw("r"), MISSING, id="case 3: both must be drawn then"),
        pytest.param("***", {"needs_pile": False}, draw("*"), None, id="a wild ends the draw"),
        pytest.param("***", {"needs_pile": False}, draw("*", "*"), SECOND, id="no card after a wild"),
        pytest.param("r**", {"needs_pile": False}, draw("r"), None, id="only wilds are left after the first card"),
    ],
)
def test_cards_drawn(tmp_path: Path, row: str, piles: dict[str, Any], turn: TurnRow, refused: str | None) -> None:
    """These cards are face up, these in the piles and all others in hands."""
    needs_pile = "true" if piles.get("needs_pile", True) else "false"
    rules = tiny_rules(tmp_path / "tiny", f"[row]\nsize = 3\nreset_at = 2\nneeds_pile = {needs_pile}\n")
    position, deck = Position(rules, tiny_game()), piles.get("deck", "")
    assert position.row is not None
    position.row.cards = row
    position.piles.deck = {letter: deck.count(letter) for letter in rules.letters}
    position.piles.deck_size = len(deck)
    for letter in piles.get("discards", ""):
        position.piles.discard(letter)
    assert can_draw_cards(position) == bool(piles)
    with nullcontext() if refused is None else pytest.raises(RuleError, match=refused):
        draw_cards(position, turn)

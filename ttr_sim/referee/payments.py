"""Paying with cards: one color, wilds standing in for any of them."""

from __future__ import annotations

from ttr_sim.log import WILD_LETTER
from ttr_sim.referee import words
from ttr_sim.referee.findings import RuleError
from ttr_sim.referee.rows import TurnRow
from ttr_sim.referee.table import SeatState, Table


def check_payment(table: Table, turn: TurnRow, rule: str, price: int) -> None:
    """The price exactly, out of the hand, in the one color that is named."""
    cards, wilds = turn.cards, turn.wilds
    if cards != price:
        raise RuleError(rule, f"{cards} cards were paid, the price was {price}")
    if wilds is None or not 0 <= wilds <= price:
        raise RuleError(rule, f"{wilds} of the {price} cards paid are logged as wilds")
    if (turn.color is None) != (wilds == price):
        raise RuleError(rule, "a color must be named for the colored cards paid, and for wilds alone none")
    if turn.color == WILD_LETTER or (turn.color is not None and turn.color not in table.rules.place):
        raise RuleError(rule, f"{turn.color} is no color to pay in")
    _check_hand(table, turn, rule, price - wilds, wilds)


def pay(table: Table, turn: TurnRow) -> None:
    """The cards go from the hand to the discards."""
    assert turn.cards is not None and turn.wilds is not None
    hand = table.seats[turn.seat].hand
    if turn.color is not None:
        hand[turn.color] -= turn.cards - turn.wilds
        table.piles.discard(turn.color, turn.cards - turn.wilds)
    hand[WILD_LETTER] -= turn.wilds
    table.piles.discard(WILD_LETTER, turn.wilds)


def can_pay(table: Table, state: SeatState, price: int, color: str | None, least_wilds: int = 0) -> bool:
    """Whether the hand holds the price in this color, or in any when none is named."""
    wilds = state.hand[WILD_LETTER]
    if wilds < least_wilds:
        return False
    colors = table.rules.letters[:-1] if color is None else (color,)
    return wilds + max(min(state.hand[letter], price - least_wilds) for letter in colors) >= price


def _check_hand(table: Table, turn: TurnRow, rule: str, colored: int, wilds: int) -> None:
    hand = table.seats[turn.seat].hand
    if hand[WILD_LETTER] < wilds or (turn.color is not None and hand[turn.color] < colored):
        paid = words.payment(table.rules, turn.color, colored + wilds, wilds)
        raise RuleError(rule, f"the hand did not hold the {paid} laid down")

"""Drawing cards: two, each from the row or blind; a wild from the row is the first and only one."""

from __future__ import annotations

from ttr_sim.log import WILD_LETTER
from ttr_sim.referee.findings import RuleError
from ttr_sim.referee.rows import TurnRow
from ttr_sim.referee.table import Table

RULE = "drawing cards"


def can_draw_cards(table: Table) -> bool:
    return table.piles.size > 0 or (table.row is not None and table.row.cards != "")


def draw_cards(table: Table, turn: TurnRow) -> None:
    """The first card, what is turned up for it, and the second where one can be had."""
    if turn.card1 is None:
        raise RuleError(RULE, "the turn was spent on drawing, but no card was drawn")
    _take(table, turn.seat, turn.card1, turn.card1_from)
    table.expect_fill("fill1", turn.fill1)
    if table.row is not None:
        if turn.card1_from == "row":
            table.row.refill(turn.fill1 or "", turn.turn, turn_ends=False)
        elif turn.fill1:
            raise RuleError("face-up cards", "cards were turned up after a blind draw")
    _draw_second(table, turn)


def _draw_second(table: Table, turn: TurnRow) -> None:
    only_one = turn.card1 == WILD_LETTER and turn.card1_from == "row"
    if turn.card2 is None:
        if not only_one and _second_is_possible(table):
            raise RuleError(RULE, "only one card was drawn though a second could be")
        if turn.card2_from is not None:
            table.note(RULE, "a source is named for a second card that was not drawn")
        return
    if only_one:
        raise RuleError(RULE, "a second card was drawn after a wild from the row")
    if turn.card2 == WILD_LETTER and turn.card2_from == "row":
        raise RuleError(RULE, "a wild was taken from the row as second card")
    _take(table, turn.seat, turn.card2, turn.card2_from)


def _second_is_possible(table: Table) -> bool:
    return table.piles.size > 0 or (table.row is not None and table.row.plain > 0)


def _take(table: Table, seat: int, letter: str, source: str | None) -> None:
    if source == "deck":
        table.piles.take(letter)
    elif source == "row" and table.row is not None:
        table.row.remove(letter)
    else:
        raise RuleError(RULE, f"a card came from {source or 'nowhere'}")
    table.seats[seat].hand[letter] += 1

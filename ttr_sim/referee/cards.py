"""Train cards: the deck and its discards, the face-up row, drawing cards and paying with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ttr_sim.edition.model import RowRules
from ttr_sim.log import WILD_LETTER
from ttr_sim.referee.log import TurnRow
from ttr_sim.referee.rulebook import Rulebook, RuleError, cell_text, numbered

if TYPE_CHECKING:  # a position holds these piles
    from ttr_sim.referee.position import Position, SeatState

ROW_RULE = "face-up cards"
DRAWING_RULE = "drawing cards"


class Piles:
    """The deck of cards and its discards: every card is known, but not the order.

    The discards become the deck when a card is needed and the deck is empty, not before.
    """

    def __init__(self, rules: Rulebook) -> None:
        self.rules = rules
        self.deck = dict(rules.card_counts)
        self.deck_size = sum(self.deck.values())
        self.discards = dict.fromkeys(rules.letters, 0)
        self.discard_size = 0
        self.reshuffles = 0

    @property
    def size(self) -> int:
        return self.deck_size + self.discard_size

    @property
    def plain(self) -> int:
        """Count the cards of both piles that are not wilds."""
        return self.size - self.deck[WILD_LETTER] - self.discards[WILD_LETTER]

    def take(self, letter: str) -> None:
        """Take a card of this color, by the log, from the top of the deck."""
        # The rulebooks shuffle the discards when the deck runs out and a card is needed.
        if not self.deck_size:
            if not self.discard_size:
                raise RuleError("train cards", "a card came from the deck when deck and discards were both empty")
            self.deck, self.discards = self.discards, self.deck
            self.deck_size, self.discard_size = self.discard_size, 0
            self.reshuffles += 1
        left = self.deck.get(letter, 0)
        if not left:
            card = self.rules.card_name(letter)
            raise RuleError("train cards", f"{card} came from the deck, which had none")
        self.deck[letter] = left - 1
        self.deck_size -= 1

    def discard(self, letter: str, count: int = 1) -> None:
        self.discards[letter] += count
        self.discard_size += count


class FaceUpRow:
    """The face-up cards in the log's order: by color, wilds last.

    Refilled as soon as there are cards, and all replaced when too many are wilds.
    """

    def __init__(self, rules: RowRules, piles: Piles) -> None:
        self.rules = rules
        self.piles = piles
        self.cards = ""
        self.resets = 0
        self.stuck = 0
        self.last_try = -2  # the turn of the last look at the wilds; before setup, which is turn -1

    @property
    def wilds(self) -> int:
        return self.cards.count(WILD_LETTER)

    @property
    def plain(self) -> int:
        return len(self.cards) - self.wilds

    @property
    def is_open(self) -> bool:
        """Some editions close the row while deck and discards are both empty."""
        return self.piles.size > 0 or not self.rules.needs_pile

    def remove(self, letter: str) -> None:
        if letter not in self.piles.rules.letter_order or letter not in self.cards:
            raise RuleError(ROW_RULE, f"{self.piles.rules.card_name(letter)} was taken, but none was face up")
        self.cards = self.cards.replace(letter, "", 1)

    def refill(self, fill: str, turn: int, turn_ends: bool) -> None:
        """Turn up missing cards and reset while the rule asks for it. The log's `fill` names the cards."""
        rest = ""
        if fill or len(self.cards) < self.rules.size:
            rest = self._turn_up(fill)
        # A row that cannot be filled is looked at once a turn, as it may be stuck with too many wilds.
        if rest != fill or (turn_ends and self.last_try < turn):
            self.last_try = turn
            resets = 0
            while self.wilds >= self.rules.reset_at:
                # Without enough plain cards, no row could have fewer wilds.
                can_help = self.plain + self.piles.plain >= self.rules.size - (self.rules.reset_at - 1)
                if resets == self.rules.max_resets or not can_help:
                    self.stuck += 1
                    break
                for letter in self.cards:
                    self.piles.discard(letter)
                self.cards = ""
                resets += 1
                rest = self._turn_up(rest)
            self.resets += resets
        if rest:
            cards = self.piles.rules.cards_text(rest)
            raise RuleError(ROW_RULE, f"the row needed no more cards, but these were turned up: {cards}")

    def _turn_up(self, fill: str) -> str:
        """Fill the row as far as the piles reach, and return the unused rest of `fill`."""
        missing = min(self.rules.size - len(self.cards), self.piles.size)
        if len(fill) < missing:
            short = numbered(missing - len(fill), "card")
            raise RuleError(ROW_RULE, f"the row was left {short} short, though there were cards to fill it")
        for letter in fill[:missing]:
            self.piles.take(letter)
        self.cards = self.piles.rules.sorted_cards(self.cards + fill[:missing])
        return fill[missing:]


def can_draw_cards(position: Position) -> bool:
    row = position.row
    return position.piles.size > 0 or (row is not None and row.is_open and row.cards != "")


def draw_cards(position: Position, turn: TurnRow) -> None:
    """Two cards, each from the row or blind. A wild from the row is the first and only one."""
    if turn.card1 is None:
        raise RuleError(DRAWING_RULE, "the turn was spent on drawing, but no card was drawn")
    _take(position, turn.seat, turn.card1, turn.card1_from)
    position.expect_fill("fill1", turn.fill1)
    row = position.row
    if row is not None:
        if turn.card1_from == "row":
            row.refill(turn.fill1 or "", turn.turn, turn_ends=False)
        elif turn.fill1:
            raise RuleError(ROW_RULE, "cards were turned up after a blind draw")

    # A wild that was drawn blind counts as any other card.
    only_one = turn.card1 == WILD_LETTER and turn.card1_from == "row"
    if not only_one:
        position.decide("second card")
    if turn.card2 is None:
        is_possible = position.piles.size > 0 or (row is not None and row.is_open and row.plain > 0)
        if not only_one and is_possible:
            raise RuleError(DRAWING_RULE, "only one card was drawn, though a second was available")
        if turn.card2_from is not None:
            position.note(DRAWING_RULE, "the log names a source for a second card that was not drawn")
        return
    if only_one:
        raise RuleError(DRAWING_RULE, "a second card was drawn after a wild from the row")
    if turn.card2 == WILD_LETTER and turn.card2_from == "row":
        raise RuleError(DRAWING_RULE, "a wild was taken from the row as the second card")
    _take(position, turn.seat, turn.card2, turn.card2_from)


def _take(position: Position, seat: int, letter: str, source: str | None) -> None:
    if source == "deck":
        position.piles.take(letter)
    elif source == "row" and position.row is not None:
        if not position.row.is_open:
            raise RuleError(DRAWING_RULE, "a card was taken from the row while deck and discards were both empty")
        position.row.remove(letter)
    else:
        raise RuleError(DRAWING_RULE, f"a card was drawn from {source or 'an unnamed source'}")
    position.seats[seat].hand[letter] += 1


def check_payment(position: Position, turn: TurnRow, rule: str, price: int) -> None:
    """Expect the exact price, out of the hand, in the one color that is named. Wilds stand in for it."""
    cards, wilds = turn.cards, turn.wilds
    if cards != price:
        raise RuleError(rule, f"{cell_text(cards)} cards were paid, the price was {price}")
    if wilds is None or not 0 <= wilds <= price:
        raise RuleError(rule, f"of {numbered(price, 'card')} paid, the log counts {cell_text(wilds)} as wilds")
    # With wilds alone, any color would do, so the log must not name one.
    if (turn.color is None) != (wilds == price):
        raise RuleError(rule, "the log must name a color for the colored cards paid, and none for wilds alone")
    if turn.color == WILD_LETTER or (turn.color is not None and turn.color not in position.rules.letter_order):
        raise RuleError(rule, f"{turn.color} is not a color to pay in")
    hand = position.seats[turn.seat].hand
    if hand[WILD_LETTER] < wilds or (turn.color is not None and hand[turn.color] < price - wilds):
        paid = position.rules.payment_text(turn.color, price, wilds)
        raise RuleError(rule, f"the cards paid were not in hand: {paid}")


def pay(position: Position, turn: TurnRow) -> None:
    """Move the cards from the hand to the discards."""
    hand = position.seats[turn.seat].hand
    if turn.color is not None:
        hand[turn.color] -= turn.cards - turn.wilds
        position.piles.discard(turn.color, turn.cards - turn.wilds)
    hand[WILD_LETTER] -= turn.wilds
    position.piles.discard(WILD_LETTER, turn.wilds)


def can_pay(position: Position, state: SeatState, price: int, color: str | None, least_wilds: int = 0) -> bool:
    """Check whether the hand has the price in this color, or in any when none is named."""
    wilds = state.hand[WILD_LETTER]
    if wilds < least_wilds:
        return False
    colors = position.rules.letters[:-1] if color is None else (color,)
    return wilds + max(min(state.hand[letter], price - least_wilds) for letter in colors) >= price

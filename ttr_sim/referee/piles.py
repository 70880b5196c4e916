"""The deck of cards and its discards: known to the last card, though not in order."""

from __future__ import annotations

from ttr_sim.log import WILD_LETTER
from ttr_sim.referee import words
from ttr_sim.referee.findings import RuleError
from ttr_sim.referee.rulebook import Rulebook


class Piles:
    """The discards become the deck when a card is needed and the deck is empty, not before."""

    __slots__ = ("deck", "deck_size", "discard_size", "discards", "reshuffles", "rules")

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
        """Cards of both piles that are no wilds."""
        return self.size - self.deck[WILD_LETTER] - self.discards[WILD_LETTER]

    def take(self, letter: str) -> None:
        """The top card of the deck turns out to be of this color."""
        if not self.deck_size:
            self._reshuffle()
        left = self.deck.get(letter, 0)
        if not left:
            card = words.one_card(self.rules, letter)
            raise RuleError("train cards", f"{card} came from the deck, which held none")
        self.deck[letter] = left - 1
        self.deck_size -= 1

    def discard(self, letter: str, count: int = 1) -> None:
        self.discards[letter] += count
        self.discard_size += count

    def _reshuffle(self) -> None:
        if not self.discard_size:
            raise RuleError("train cards", "a card came from the deck when neither deck nor discards had any")
        self.deck, self.discards = self.discards, self.deck
        self.deck_size, self.discard_size = self.discard_size, 0
        self.reshuffles += 1

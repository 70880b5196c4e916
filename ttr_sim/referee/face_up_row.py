"""The face-up row: refilled as soon as there are cards, all turned over when too many are wilds."""

from __future__ import annotations

from ttr_sim.edition.model import RowRules
from ttr_sim.log import WILD_LETTER
from ttr_sim.referee import words
from ttr_sim.referee.findings import RuleError
from ttr_sim.referee.piles import Piles

RULE = "face-up cards"


class FaceUpRow:
    """`cards` are in the colors' order, wilds last, as the log writes them."""

    __slots__ = ("cards", "last_try", "piles", "resets", "row", "stuck")

    def __init__(self, row: RowRules, piles: Piles) -> None:
        self.row = row
        self.piles = piles
        self.cards = ""
        self.resets = 0
        self.stuck = 0
        self.last_try = -2

    @property
    def wilds(self) -> int:
        return self.cards.count(WILD_LETTER)

    @property
    def plain(self) -> int:
        return len(self.cards) - self.wilds

    def remove(self, letter: str) -> None:
        if letter not in self.piles.rules.place or letter not in self.cards:
            raise RuleError(RULE, f"{words.one_card(self.piles.rules, letter)} was taken, but none lay face up")
        self.cards = self.cards.replace(letter, "", 1)

    def refill(self, fill: str, turn: int, turn_ends: bool) -> None:
        """Turn up what is missing and reset while the rule asks for it; the log's `fill` tells the cards."""
        if fill or len(self.cards) < self.row.size:
            rest = self._turn_up(fill)
            tried = rest != fill
        else:
            rest, tried = "", False
        if tried or (turn_ends and self.last_try < turn):
            self.last_try = turn
            rest = self._reset(rest)
        if rest:
            cards = words.cards(self.piles.rules, rest)
            raise RuleError(RULE, f"{cards} were turned up though the row asked for no more")

    def _turn_up(self, fill: str) -> str:
        """Fill the row as far as the piles reach; what is left over of `fill` is returned."""
        missing = min(self.row.size - len(self.cards), self.piles.size)
        if len(fill) < missing:
            raise RuleError(RULE, f"the row was left {missing - len(fill)} short though there were cards to fill it")
        for letter in fill[:missing]:
            self.piles.take(letter)
        self.cards = self.piles.rules.sorted_cards(self.cards + fill[:missing])
        return fill[missing:]

    def _reset(self, fill: str) -> str:
        """All cards go to the discards and new ones come, again while there are too many wilds."""
        resets = 0
        while self.wilds >= self.row.reset_at:
            if resets == self.row.max_resets or not self._can_help():
                self.stuck += 1
                break
            for letter in self.cards:
                self.piles.discard(letter)
            self.cards = ""
            resets += 1
            fill = self._turn_up(fill)
        self.resets += resets
        return fill

    def _can_help(self) -> bool:
        """Whether there are plain cards enough for a row without too many wilds."""
        return self.plain + self.piles.plain >= self.row.size - (self.row.reset_at - 1)

"""Ten words of a report, explained where they first stand on the page."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

MEANINGS = {
    "strong players": "the bot that plays best here, tuned for the board, in every seat",
    "planner": "the strongest bot: it plans its routes ahead and publishes the routes it currently wants",
    "fair share": "the wins that everybody would have if all were equal: 25 % with four players",
    "too generous": "a ticket that clearly gives more wins than others of its class",
    "too stingy": "a ticket that clearly gives fewer wins than others of its class",
    "class": "the tickets of a deck that print much, or those that print little",
    "dealt": "given at the start; deals are random, so what being dealt a ticket changes is the ticket's doing",
    "fought over": "taken by one player while a rival wanted it",
    "locks": "somebody who wanted the route finds no parallel route left",
    "open points": "the points everybody can see during the game; tickets are hidden until its end",
}
WORDS = re.compile("|".join(rf"\b{word}\b" for word in sorted(MEANINGS, key=len, reverse=True)))


class Explainer:
    """Marks each word once a page."""

    def __init__(self) -> None:
        self.told: set[str] = set()

    def __call__(self, sentence: str) -> Markup:
        """Return the sentence with the words that are new in it explained to whoever points at them."""
        parts, done = [], 0
        for found in WORDS.finditer(sentence):
            if found[0] not in self.told:
                self.told.add(found[0])
                parts += [escape(sentence[done : found.start()]), _explained(found[0])]
                done = found.end()
        return Markup("").join([*parts, escape(sentence[done:])])


def _explained(word: str) -> Markup:
    return Markup('<dfn tabindex="0" title="{}">{}</dfn>').format(MEANINGS[word], word)

"""The ticket decks: an unknown order on top, and below it what was put back, in a known order."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from ttr_sim.referee import words
from ttr_sim.referee.findings import RuleError
from ttr_sim.referee.rulebook import Rulebook

RULE = "ticket decks"


class TicketDeck:
    __slots__ = ("_bottom", "_name", "_rules", "_shuffled")

    def __init__(self, rules: Rulebook, number: int) -> None:
        tickets = rules.edition.tickets
        self._rules = rules
        self._name = rules.edition.decks[number].name
        self._shuffled = {ticket for ticket, entry in enumerate(tickets) if entry.deck == number}
        self._bottom: deque[int] = deque()

    def __len__(self) -> int:
        return len(self._shuffled) + len(self._bottom)

    def draw(self, ticket: int) -> None:
        """The top ticket turns out to be this one."""
        if ticket in self._shuffled:
            self._shuffled.remove(ticket)
        elif self._shuffled or ticket not in self._bottom:
            raise RuleError(
                RULE, f"{self._words(ticket)} was drawn, but was not in the {self._name} deck or not on top"
            )
        elif self._bottom[0] != ticket:
            due = self._words(self._bottom[0])
            raise RuleError(RULE, f"{self._words(ticket)} was drawn though {due} lay on top of the deck")
        else:
            self._bottom.popleft()

    def put_under(self, ticket: int) -> None:
        self._bottom.append(ticket)

    def shuffle_in(self, tickets: Iterable[int]) -> None:
        self._shuffled.update(tickets)

    def clear(self) -> None:
        self._shuffled.clear()
        self._bottom.clear()

    def _words(self, ticket: int) -> str:
        return words.ticket(self._rules, ticket)

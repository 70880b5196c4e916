"""A game stepped from plain Python: its state and legal choices in words, one decision at a time.

>>> game = Game(load_edition("usa"), players=2, seed=1)
>>> game.decision
'choose which tickets to keep'
>>> game.apply(game.choices()[0])
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ttr_sim.edition.canonical import in_canonical_order
from ttr_sim.edition.model import Edition
from ttr_sim.engine.actions import FINE, GAME_OVER, REASONS
from ttr_sim.engine.board import compile_board
from ttr_sim.engine.game import advance, count_answers, nth_answer, reason_against, start_game
from ttr_sim.engine.records import new_state
from ttr_sim.engine.words import DECISIONS, answer_in_words, color_name, route_name, ticket_name
from ttr_sim.log import END_NAMES


class IllegalChoiceError(Exception):
    """The rules refuse this answer. Nothing was changed."""


class Game:
    """One game. `boards` and `states` are the records that kernels work on, open to tests.

    `edition` is in canonical order: its numbers of cities, routes and tickets are those of all records and answers.
    """

    def __init__(self, edition: Edition, players: int, seed: int = 1, deal: int = 0) -> None:
        self.edition = in_canonical_order(edition).edition
        self.boards = compile_board(edition)
        self.states = new_state()
        start_game(self.boards, self.states, players, np.uint64(seed), deal)

    @property
    def state(self) -> Any:
        return self.states[0]

    @property
    def view(self) -> Any:
        """Everything open, with the mover's own hand and tickets."""
        return self.states[0]["mover_view"]

    @property
    def is_over(self) -> bool:
        return bool(self.view["decision"] == GAME_OVER)

    @property
    def seat(self) -> int:
        return int(self.view["seat"])

    @property
    def turn(self) -> int:
        return int(self.view["turn"])

    @property
    def decision(self) -> str:
        return DECISIONS[int(self.view["decision"])]

    def choices(self) -> list[int]:
        """Every legal answer to the decision at hand."""
        if self.is_over:
            return []
        n = count_answers(self.boards, self.states)
        return [int(nth_answer(self.boards, self.states, k)) for k in range(n)]

    def in_words(self, answer: int) -> str:
        table = self.view
        return answer_in_words(self.edition, answer, [int(t) for t in table["offered"][: table["n_offered"]]])

    def why_not(self, answer: int) -> str | None:
        """The reason to refuse this answer, or None."""
        reason = int(reason_against(self.boards, self.states, answer))
        return None if reason == FINE else REASONS[reason]

    def apply(self, answer: int) -> None:
        """Play an answer and move on to the next decision."""
        refused = "the game is over" if self.is_over else self.why_not(answer)
        if refused is not None:
            raise IllegalChoiceError(f"{self.in_words(answer)}: {refused}")
        advance(self.boards, self.states, answer)

    def hand(self, seat: int) -> dict[str, int]:
        """Cards held, by color name."""
        return self._cards(self.state["holdings"][seat]["hand"])

    def row(self) -> dict[str, int]:
        return self._cards(self.view["row"])

    def _cards(self, counts: Any) -> dict[str, int]:
        return {color_name(self.edition, color): int(n) for color, n in enumerate(counts) if n}

    def tickets(self, seat: int) -> list[str]:
        holding = self.state["holdings"][seat]
        return [ticket_name(self.edition, int(ticket)) for ticket in holding["tickets"][: holding["n_tickets"]]]

    def routes(self, seat: int) -> list[str]:
        owner = self.view["owner"]
        return [route_name(self.edition, row) for row in range(len(self.edition.routes)) if owner[row] == seat]

    def scores(self) -> list[int]:
        """Final scores by seat."""
        return [int(result["score"]) for result in self.state["results"][: self.view["players"]]]

    def end(self) -> str:
        """Why the game ended: a word of the log's `end` column."""
        return END_NAMES[int(self.state["hidden"]["end"])]

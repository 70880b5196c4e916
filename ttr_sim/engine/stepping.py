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
from ttr_sim.engine import actions
from ttr_sim.engine.actions import ASK_TURN, FINE, GAME_OVER, REASONS
from ttr_sim.engine.board import compile_board
from ttr_sim.engine.game import apply, begin_turn, finish_turn, go_on, show_own, why_not
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.legal import count_choices, default_answer, nth_choice
from ttr_sim.engine.records import STATE
from ttr_sim.engine.setup import SETUP_TURN, set_up
from ttr_sim.engine.worlds import determinise
from ttr_sim.log import END_NAMES

DECISIONS = {
    actions.ASK_MIX: "announce a mix of tickets",
    actions.ASK_KEEP: "choose which tickets to keep",
    actions.ASK_TURN: "take a turn",
    actions.ASK_SECOND: "draw a second card",
    actions.ASK_TUNNEL: "pay for the tunnel or give it up",
    actions.ASK_PASSENGER: "take a passenger",
    actions.GAME_OVER: "the game is over",
}


class IllegalChoiceError(Exception):
    """The rules refuse this answer. Nothing was changed."""


class Game:
    """One game. `boards` and `states` are the records that kernels work on, open to tests.

    `edition` is in canonical order: all records and answers use its numbers of cities, routes and tickets.
    """

    def __init__(self, edition: Edition, players: int, seed: int = 1, deal: int = 0) -> None:
        self.edition = in_canonical_order(edition).edition
        self.boards = compile_board(edition)
        self.states = np.zeros(1, STATE)  # the form in which Python passes a game to kernels
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
        return [int(answer) for answer in list_answers(self.boards, self.states)]

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

    def scores(self) -> list[int]:
        """Final scores by seat."""
        return [int(result["score"]) for result in self.state["results"][: self.view["players"]]]

    def end(self) -> str:
        """Why the game ended: a word of the log's `end` column."""
        return END_NAMES[int(self.state["hidden"]["end"])]


# Words, with the names of an edition's cities and colors


def answer_in_words(edition: Edition, answer: int, offered: list[int]) -> str:
    """An answer in words. A kept mask refers to the `offered` tickets."""
    a, b, c = (answer >> 8) & 255, (answer >> 16) & 255, (answer >> 24) & 255
    simple = {
        actions.DEFAULT: "no opinion",
        actions.ANSWER_DRAW_DECK: "draw from the deck",
        actions.ANSWER_DISCARD: "discard all held tickets",
        actions.ANSWER_PASS: "pass",
        actions.ANSWER_GIVE_UP: "give the tunnel up",
    }
    kind = answer if answer < 0 else answer & 255
    if kind in simple:
        return simple[kind]
    if kind == actions.ANSWER_DRAW_ROW:
        return f"take a face-up {color_name(edition, a)}"
    if kind == actions.ANSWER_CLAIM:
        colored = edition.routes[a].length - c
        parts = [f"{colored} {color_name(edition, b)}"] if colored > 0 else []
        if c:
            parts.append(f"{c} wild")
        return f"claim {route_name(edition, a)} for {' and '.join(parts)}"
    if kind == actions.ANSWER_TICKETS:
        if not edition.ticket_rules.mix:
            return "draw tickets"
        counts = [(answer >> (8 + 8 * index)) & 255 for index in range(len(edition.decks))]
        parts = [f"{count} {deck.name}" for count, deck in zip(counts, edition.decks, strict=True)]
        return "draw tickets: " + " and ".join(parts)
    if kind == actions.ANSWER_STATION:
        return f"build a station in {edition.cities[a].name} ({c} wilds, {color_name(edition, b)})"
    if kind == actions.ANSWER_KEEP:
        kept = [ticket_name(edition, ticket) for index, ticket in enumerate(offered) if a >> index & 1]
        return "keep " + (", ".join(kept) or "nothing")
    if kind == actions.ANSWER_PAY_TUNNEL:
        return f"pay the tunnel's extra cards, {c} of them wilds"
    if kind == actions.ANSWER_PASSENGER:
        return f"take a {color_name(edition, a)} passenger"
    return f"the meaningless answer {answer}"


def color_name(edition: Edition, color: int) -> str:
    return edition.colors[color].name if color < len(edition.colors) else "wild"


def route_name(edition: Edition, route: int) -> str:
    """`Atlanta–Miami`, with color and number among parallel routes."""
    entry = edition.routes[route]
    name = f"{edition.cities[entry.a].name}–{edition.cities[entry.b].name}"
    if sum(other.group == entry.group for other in edition.routes) > 1:
        name += f" ({'gray' if entry.color is None else edition.colors[entry.color].name} {entry.copy + 1})"
    return name


def ticket_name(edition: Edition, ticket: int) -> str:
    entry = edition.tickets[ticket]
    return f"{entry.a}–{entry.b} ({entry.points})"


# Kernels. Arguments are 1-element record arrays: a record by itself costs twenty times as much to pass.


@compiled
def start_game(boards: Any, states: Any, players: Any, seed: Any, deal: Any) -> Any:
    """Set a game up to its first decision."""
    set_up(boards[0], states[0], players, seed, deal)
    if states[0].mover_view.decision == ASK_TURN:
        begin_turn(states[0], 0, 0)
    show_own(states[0])


@compiled
def list_answers(boards: Any, states: Any) -> Any:
    board, view = boards[0], states[0].mover_view
    answers = np.empty(count_choices(board, view), np.int64)
    for k in range(answers.shape[0]):
        answers[k] = nth_choice(board, view, k)
    return answers


@compiled
def reason_against(boards: Any, states: Any, answer: Any) -> Any:
    return why_not(boards[0], states[0].mover_view, answer)


@compiled
def default_of_mover(boards: Any, states: Any) -> Any:
    return default_answer(boards[0], states[0].mover_view)


@compiled
def resample_hidden(boards: Any, states: Any, key: Any) -> Any:
    """Replace all that is hidden from the mover by a sample that `key` decides."""
    determinise(boards[0], states[0], states[0].mover_view.seat, key)


@compiled
def advance(boards: Any, states: Any, answer: Any) -> Any:
    """Apply a legal answer and move on to the next decision."""
    board, state = boards[0], states[0]
    at_setup = state.mover_view.turn == SETUP_TURN
    is_over = apply(board, state, answer)
    if is_over and at_setup:
        begin_turn(state, 0, 0)
    elif is_over:
        finish_turn(board, state)
        go_on(board, state)
    show_own(state)

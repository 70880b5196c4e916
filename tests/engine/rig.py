"""Rare positions built by hand, with every card and ticket still in exactly one place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import numpy as np

from tests.engine import kernels
from tests.engine.invariants import check_invariants
from ttr_sim.edition import load_edition
from ttr_sim.edition.canonical import in_canonical_order
from ttr_sim.edition.model import Edition
from ttr_sim.engine.actions import ANSWER_CLAIM, ANSWER_DRAW_DECK, ANSWER_DRAW_ROW, ASK_MIX, WILD, claim
from ttr_sim.engine.bot_abi import address_of
from ttr_sim.engine.records import DRIVER, VIEW
from ttr_sim.engine.stepping import Game
from ttr_sim.log import NULL, SCORE_PARTS, WILD_LETTER

RED, BLUE, GREEN, YELLOW, ORANGE, PINK, WHITE, BLACK = range(8)  # the colors of the USA and of Europe


class Position(Game):
    """A game whose cards, tickets and routes tests lay out by hand."""

    def code(self, letter: str) -> int:
        """Index of a card's letter."""
        if letter == WILD_LETTER:
            return WILD
        return next(index for index, color in enumerate(self.edition.colors) if color.letter == letter)

    def _letter(self, index: int) -> str:
        return WILD_LETTER if index == WILD else self.edition.colors[index].letter

    def letters(self, counts: Any) -> str:
        """Counted cards as the log writes them: in the colors' order, wilds last."""
        return "".join(self._letter(index) * int(n) for index, n in enumerate(counts) if n)

    def hand(self, seat: int) -> str:
        return self.letters(self.state["holdings"][seat]["hand"])

    def row(self) -> str:
        return self.letters(self.view["row"])

    def discards(self) -> str:
        return self.letters(self.view["discards"])

    def deck(self) -> str:
        """The deck from the top."""
        hidden = self.state["hidden"]
        return "".join(self._letter(int(index)) for index in hidden["deck"][hidden["deck_at"] : hidden["deck_end"]])

    def fact(self, name: str) -> object:
        """A fact by the name of its field, of seat 0 where each seat has its own. Cards and passengers are text."""
        if name in ("end", "deck"):
            return self.end() if name == "end" else self.deck()
        if name in ("hand", "top"):
            return self.hand(0) if name == "hand" else self.deck()[:1]
        value = self.view[name] if name in (VIEW.names or ()) else self.state["hidden"][name]
        if name in ("row", "discards"):
            return self.letters(value)
        if name in ("taken", "spent", "known", "held_passengers"):
            return self.letters(value[0])
        return int(value[0] if np.ndim(value) else value)

    def expect(self, text: str = "", **facts: object) -> None:
        """Compare facts, also those of a text like `hand=rr seat=1`."""
        assert {name: self.fact(name) for name in facts} == facts
        assert {name: str(self.fact(name)) for name in pairs_of(text)} == pairs_of(text)

    def can_answer(self, answer: int) -> bool:
        return self.why_not(answer) is None

    def score(self) -> Any:
        """Score the position as if the game ended now; the results by seat."""
        kernels.score(self.boards, self.states)
        return self.state["results"][: int(self.view["players"])]

    def points_for(self, part: str) -> list[int]:
        """Points of one part by seat, as if the game ended now."""
        return [scored(result, part) for result in self.score()]

    def rig(
        self,
        hands: dict[int, str] | None = None,
        row: str | None = None,
        deck: str | None = None,
        on_top: str = "",
        discards: str = "",
        seat: int = 0,
    ) -> Position:
        """Lay out the cards: hands by seat, row, discards, and either the whole deck or its first cards.

        Cards not named lie below `on_top`, plain ones first; where the whole deck is named, the last seat
        without a named hand hoards them. A row not named is full of plain cards. Then the seat begins a turn.
        """
        named = hands or {}
        left = Counter({color.letter: color.cards for color in self.edition.colors})
        left[WILD_LETTER] = self.edition.wilds
        for text in (*named.values(), row or "", deck or "", on_top, discards):
            left.subtract(text)
        assert min(left.values()) >= 0, f"more cards than there are: {-left}"
        rest = "".join(sorted(left.elements(), reverse=True))
        if row is None:
            size = int(self.boards[0]["row_size"])
            row, rest = rest[:size], rest[size:]
        piles = {other: named.get(other, "") for other in range(int(self.view["players"]))}
        if deck is None:
            deck = on_top + rest
        elif rest:
            piles[max(other for other in piles if other not in named)] += rest
        table, hidden = self.view, self.state["hidden"]
        for other, cards in piles.items():
            self._count(self.state["holdings"][other]["hand"], cards)
            table["hand_cards"][other] = len(cards)
        self._count(table["row"], row)
        self._count(table["discards"], discards)
        table["taken"], table["spent"], table["known"] = 0, 0, 0
        table["row_cards"], table["discard_cards"], table["deck_cards"] = len(row), len(discards), len(deck)
        hidden["deck"][: len(deck)] = [self.code(letter) for letter in deck]
        hidden["deck_at"], hidden["deck_end"] = 0, len(deck)
        hidden["stuck"] = hidden["resets"] = hidden["reshuffles"] = 0
        hidden["stuck_turn"] = -2
        kernels.hand_over(self.states, seat)
        check_invariants(self, settled=False)
        return self

    def _count(self, target: Any, cards: str) -> None:
        target[:] = 0
        for letter in cards:
            target[self.code(letter)] += 1

    def rig_tickets(
        self, held: dict[int, list[int]], decks: list[list[int]] | None = None, hoarder: int | None = None
    ) -> Position:
        """Deal tickets anew: held ones by seat, decks from the top. All others lie below them in their
        decks, or are the hoarder's where one is named."""
        state = self.state
        named = [ticket for tickets in (*held.values(), *(decks or [])) for ticket in tickets]
        assert len(named) == len(set(named)), "a ticket is named twice"
        rest = [row for row in range(len(self.edition.tickets)) if row not in named]
        for seat in range(int(self.view["players"])):
            tickets, holding = held.get(seat, []) + (rest if seat == hoarder else []), state["holdings"][seat]
            holding["tickets"], n = 0, len(tickets)
            holding["n_tickets"], holding["tickets"][:n], holding["order"][:n] = n, tickets, range(n)
            holding["met_turn"][:n], holding["shown"][:n] = NULL, 0
            self.view["held_tickets"][seat], self.view["completed"][seat] = n, 0
            kernels.meet_tickets(self.boards, self.states, seat)
        for index in range(len(self.edition.decks)):
            below = [] if hoarder is not None else [row for row in rest if self.edition.tickets[row].deck == index]
            ring = [*(decks[index] if decks else []), *below]
            assert all(self.edition.tickets[row].deck == index for row in ring)
            state["hidden"]["ring"][index][: len(ring)] = ring
            state["hidden"]["ring_at"][index] = 0
            self.view["deck_tickets"][index] = len(ring)
        state["hidden"]["n_drawn_tickets"] = sum(len(tickets) for tickets in held.values())
        kernels.show_mover(self.states)
        check_invariants(self, settled=False)
        return self

    def ticket_deck(self, index: int = 0) -> list[int]:
        """A ticket deck from the top."""
        hidden = self.state["hidden"]
        ring, at = hidden["ring"][index], int(hidden["ring_at"][index])
        return [int(ring[(at + i) % len(ring)]) for i in range(int(self.view["deck_tickets"][index]))]

    def give(self, seat: int, *routes: int) -> Position:
        """Put a seat's trains on routes that cost nothing."""
        for row in routes:
            assert self.view["owner"][row] == -1, f"route {row} is taken"
            kernels.give_route(self.boards, self.states, seat, row)
        return self

    def give_between(self, seat: int, *ends: tuple[str, str]) -> Position:
        return self.give(seat, *(self.route(*pair) for pair in ends))

    def claim_wild(self, row: int) -> None:
        """Claim a route with the wilds in the mover's hand."""
        self.apply(claim(row, WILD, self.edition.routes[row].length))

    def city(self, name: str) -> int:
        return next(row for row, entry in enumerate(self.edition.cities) if entry.name == name)

    def route(self, a: str, b: str, copy: int = 0) -> int:
        ends = {self.city(a), self.city(b)}
        rows = [row for row, entry in enumerate(self.edition.routes) if {entry.a, entry.b} == ends]
        return rows[copy]

    def ticket(self, a: str, b: str) -> int:
        return next(row for row, entry in enumerate(self.edition.tickets) if {entry.a, entry.b} == {a, b})

    def pay(self, row: int, cards: str) -> None:
        """Claim a route with these cards."""
        color = next((self.code(letter) for letter in cards if letter != WILD_LETTER), WILD)
        self.apply(claim(row, color, cards.count(WILD_LETTER)))

    def of_rows(self, kind: str, rows: Iterable[int]) -> list[int]:
        """The engine's numbers of routes or tickets by their rows in the edition that the self was made from."""
        # Reversed, for behind the last one there are zeros.
        numbers = {int(row): number for number, row in reversed(list(enumerate(self.boards[0][f"{kind}_row"])))}
        return [numbers[row] for row in rows]

    def gray_tunnel(self, length: int) -> int:
        """A tunnel that any color may pay."""
        kinds = [(entry.kind, entry.color, entry.length) for entry in self.edition.routes]
        return kinds.index(("tunnel", None, length))

    def play_some(self, random: Random, decisions: int) -> Position:
        """So many decisions, or fewer when the self ends before."""
        for _ in range(decisions):
            if self.is_over:
                break
            self.apply(any_answer(self, random))
        return self


@cache
def edition_of(name: str) -> Edition:
    """An official edition in canonical order, so that its rows are the engine's numbers."""
    return in_canonical_order(load_edition(name)).edition


def with_rules(name: str, **changes: Any) -> Edition:
    """An official edition with other rules or numbers."""
    return replace(edition_of(name), **changes)


def new_game(edition: str | Edition, players: int = 2, deal: int = 0) -> Position:
    """A game at its first turn; everybody keeps as few tickets as allowed."""
    game = Position(edition_of(edition) if isinstance(edition, str) else edition, players, seed=1, deal=deal)
    while game.turn < 0:
        choices = game.choices()
        middle = len(choices) // 2 if game.view["decision"] == ASK_MIX else 0
        game.apply(choices[middle])
    return game


def pairs_of(text: str) -> dict[str, str]:
    return dict(pair.split("=") for pair in text.split())


def scored(result: Any, part: str) -> int:
    """Points of one part of a result, by the name in log.SCORE_PARTS."""
    return int(result["points"][[entry.name for entry in SCORE_PARTS].index(part)])


def any_answer(game: Position, random: Random) -> int:
    """Draw a kind of answer, with more draws and claims than tickets, then any answer of the kind."""
    weights = {ANSWER_CLAIM: 8, ANSWER_DRAW_DECK: 3, ANSWER_DRAW_ROW: 3}
    by_kind: dict[int, list[int]] = {}
    for answer in game.choices():
        by_kind.setdefault(answer & 255, []).append(answer)
    kinds = [kind for kind in sorted(by_kind) for _ in range(weights.get(kind, 1))]
    return random.choice(by_kind[random.choice(kinds)])


def table_of(bot: Any) -> np.ndarray:
    """A compiled bot without parameters, for all seats."""
    drivers = np.zeros(1, DRIVER)
    drivers["address"] = address_of(bot)
    return drivers


def is_plausible(counts: list[int], chances: list[float] | None = None) -> bool:
    """Within 4.5 deviations of what these chances give, or equal ones."""
    freedom = len(counts) - 1
    chances = [1 / len(counts)] * len(counts) if chances is None else chances
    expected = [sum(counts) * chance for chance in chances]
    chi_square = sum((count - e) ** 2 / e for count, e in zip(counts, expected, strict=True))
    return bool(abs(chi_square - freedom) < 4.5 * (2 * freedom) ** 0.5)

"""The state of a game: all that is on the table and in hands, and the violations found so far."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ttr_sim.referee.cards import FaceUpRow, Piles
from ttr_sim.referee.log import SETUP, GameLog, TicketRow
from ttr_sim.referee.rulebook import Ends, Rulebook, RuleError, Violation, cell_text
from ttr_sim.referee.tickets import TicketDeck

Listener = Callable[["Position", str, tuple[Any, ...]], None]  # the kind of a decision and its facts
Watcher = Callable[["Position"], None]


@dataclass(slots=True)
class Holding:
    """A ticket a seat kept. `order` is that of its row in the log."""

    ticket: int
    order: int
    completed: bool = False
    completed_turn: int | None = None


class Network:
    """The cities a seat's routes connect. Each city points toward the root of its part."""

    __slots__ = ("_toward",)

    def __init__(self, cities: int) -> None:
        self._toward = list(range(cities))

    def root(self, city: int) -> int:
        toward = self._toward
        # Each city passed is moved halfway to the root, so later searches are short.
        while toward[city] != city:
            toward[city] = city = toward[toward[city]]
        return city

    def join(self, a: int, b: int) -> None:
        self._toward[self.root(a)] = self.root(b)

    def connects(self, ends: Ends) -> bool:
        """Check whether any city of one end is connected with any city of the other."""
        roots = {self.root(city) for city in ends[0]}
        return any(self.root(city) in roots for city in ends[1])

    def copy(self) -> Network:
        twin = Network(0)
        twin._toward = self._toward.copy()
        return twin


class SeatState:
    """Cards, pieces and tickets of one seat."""

    def __init__(self, rules: Rulebook) -> None:
        self.hand = dict.fromkeys(rules.letters, 0)
        self.trains = rules.edition.trains
        self.routes: list[int] = []
        self.network = Network(len(rules.edition.cities))
        self.held: list[Holding] = []  # not completed, oldest first
        self.completed: list[Holding] = []  # by own routes
        self.stations: list[int] = []  # cities, in the order of building
        self.passengers = dict.fromkeys(rules.letters, 0)
        self.merchandise = 0
        self.bonus_ticket = False
        self.public_score = 0
        self.turns = 0

    @property
    def tickets_and_bonus(self) -> int:
        """Count completed tickets as a race does, the bonus ticket as one."""
        return len(self.completed) + self.bonus_ticket


class Lead:
    """The leader in public score, the number of changes and the turn of the last one."""

    def __init__(self, players: int) -> None:
        self._scores = [0] * players
        self._last_leader: int | None = None
        self.leader: int | None = None
        self.since = 0
        self.changes = 0

    def after_turn(self, turn: int, seat: int, score: int) -> None:
        """Update the lead. A shared one is nobody's and changes nothing by itself."""
        # Only a score that changed can change the lead.
        if self._scores[seat] == score:
            return
        self._scores[seat] = score
        best = max(self._scores)
        leader = self._scores.index(best) if self._scores.count(best) == 1 else None
        if leader == self.leader:
            return
        self.leader = leader
        self.since = turn
        if leader is not None:
            self.changes += self._last_leader not in {None, leader}
            self._last_leader = leader


class Position:
    """A game at one moment. `turn` and `seat` belong to the move being checked.

    `listener` is called before each decision of a turn, `watcher` after setup and after every turn.
    """

    def __init__(self, rules: Rulebook, log: GameLog) -> None:
        edition = rules.edition
        self.rules = rules
        self.edition = edition
        self.log = log
        self.players: int = log.game.players
        self.piles = Piles(rules)
        self.row = FaceUpRow(edition.row, self.piles) if edition.row else None
        self.seats = [SeatState(rules) for _ in range(self.players)]
        self.owner: list[int | None] = [None] * len(edition.routes)
        self.decks = [TicketDeck(rules, number) for number in range(len(edition.decks))]
        self.holdings: dict[int, Holding] = {}
        self.city_passengers = [dict.fromkeys(rules.letters, 0) for _ in edition.cities]
        self.merchandise_left = edition.merchandise.cards if edition.merchandise else 0
        self.bonus_tickets_left = edition.bonus_ticket.count if edition.bonus_ticket else 0
        self.station_cities: set[int] = set()
        # A mask like the log's wanted_by: bit 0 is the first player.
        self.planners = sum(1 << seat for seat, row in enumerate(log.seats) if row.plans)
        self.lead = Lead(self.players)
        self.passes_in_row = 0
        self.final_turn: int | None = None
        self.over: str | None = None  # the log's word for the end of the game
        self.turn: int | None = SETUP
        self.seat: int | None = None
        self.violations: list[Violation] = []
        self.listener: Listener | None = None
        self.watcher: Watcher | None = None
        self._next_offer = 0

    def decide(self, kind: str, *facts: object) -> None:
        """Announce a decision of a turn before the log's choice is applied."""
        if self.listener is not None and self.turn != SETUP:
            self.listener(self, kind, facts)

    def show(self) -> None:
        if self.watcher is not None:
            self.watcher(self)

    def note(self, rule: str, message: str) -> None:
        """Record a violation after which the game can still be followed."""
        self.violations.append(Violation(self.log.game.game, self.turn, self.seat, rule, message))

    def expect(self, rule: str, cell: str, logged: object, right: object) -> None:
        """Record a cell of the log that breaks the rules."""
        if logged != right:
            self.note(rule, f"{cell} is {cell_text(logged)} in the log but should be {cell_text(right)}")

    def expect_fill(self, cell: str, logged: str | None) -> None:
        """Expect text, even if empty, where there is a row, and null where there is none."""
        if (logged is None) != (self.row is None):
            having = "without" if self.row is None else "with"
            self.note("log", f"{cell} is {cell_text(logged)} in an edition {having} a row")

    def draw_ticket(self, deck: int | None = None) -> TicketRow:
        """Draw the log's next ticket: by this seat, in this turn, from this deck or any."""
        # The log alone knows the order of the tickets, so every draw takes its next row.
        rows = self.log.tickets
        if self._next_offer == len(rows):
            raise RuleError("drawing tickets", "a ticket had to be drawn, but the log has no more of them")
        row = rows[self._next_offer]
        if row.order != self._next_offer or row.turn != self.turn or row.seat != self.seat:
            raise RuleError(
                "drawing tickets",
                f"the next ticket should be number {self._next_offer}, drawn here, "
                f"but the log has number {row.order} of turn {row.turn}, seat {row.seat}",
            )
        self._next_offer += 1
        if not 0 <= row.ticket < len(self.edition.tickets):
            raise RuleError("drawing tickets", f"there is no ticket {row.ticket}")
        drawn_from = self.edition.tickets[row.ticket].deck
        if deck is not None and drawn_from != deck:
            due = self.edition.decks[deck].name
            raise RuleError("drawing tickets", f"a ticket had to come from the {due} deck, but came from another")
        self.decks[drawn_from].draw(row.ticket)
        return row

    def no_more_tickets(self) -> None:
        """Refuse a ticket that the log has up to now and that no rule had drawn."""
        assert self.turn is not None
        rows = self.log.tickets
        if self._next_offer < len(rows) and rows[self._next_offer].turn <= self.turn:
            raise RuleError("drawing tickets", "more tickets were drawn in this turn than the rules allow")

    def all_tickets_drawn(self) -> None:
        if self._next_offer < len(self.log.tickets):
            raise RuleError("drawing tickets", "the log has tickets from after the end of the game")

    def hold(self, row: TicketRow) -> None:
        """Let the seat of the moment keep a ticket."""
        if not row.kept:
            raise RuleError("drawing tickets", "a ticket that had to be kept was not kept")
        holding = Holding(row.ticket, row.order)
        self.holdings[row.order] = holding
        self.seats[row.seat].held.append(holding)

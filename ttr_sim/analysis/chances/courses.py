"""The courses of logged games: for each seat, what it has at every step, the setup and each turn.

Steps of all games lie one below the other; a game of T turns has T + 1 of them, the first after setup.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ttr_sim.analysis.columns import (
    WORDS,
    Column,
    Columns,
    Ints,
    as_array,
    chosen_columns,
    read_columns,
    with_places,
)
from ttr_sim.edition.model import Edition
from ttr_sim.log import ACTION_NAMES, WILD_LETTER
from ttr_sim.run.opened import Run
from ttr_sim.run.tables import schema_of

Floats = NDArray[np.float64]

NEVER = np.iinfo(np.int64).max // 2
LONGEST = 1 << 16  # turns of a game and more
GAME_COLUMNS = ("game", "block", "turns")
SEAT_COLUMNS = ("game", "seat", "hand", "win_share")
TICKET_COLUMNS = ("game", "seat", "ticket", "turn", "kept", "completed_turn")
TURN_COLUMNS = (
    *("game", "turn", "seat", "action", "card1", "card2", "route", "claimed", "cards", "wilds", "score", "trains"),
    "wanted_by",
)
DISCARD = ACTION_NAMES.index("discard")


@dataclass(frozen=True)
class Courses:
    """Logged games, with `game` counted from 0 in all tables; `wins` are shares of the win by game and seat."""

    edition: Edition
    players: int
    blocks: Ints
    lengths: Ints  # steps of each game
    wins: Floats
    hands: NDArray[np.str_]  # as dealt, seat by seat of each game
    turns: Columns
    tickets: Columns  # those kept

    @property
    def games(self) -> int:
        return len(self.lengths)

    @cached_property
    def starts(self) -> Ints:
        """Return the first step of each game."""
        return np.asarray(np.cumsum(self.lengths) - self.lengths)

    @cached_property
    def game_of_step(self) -> Ints:
        return np.repeat(np.arange(self.games), self.lengths)

    @cached_property
    def turns_taken(self) -> Ints:
        """Return how many turns lie behind each step."""
        return np.arange(self.lengths.sum()) - self.starts[self.game_of_step]

    def dealt(self, letter: str) -> Floats:
        """Count cards of a letter (all when empty) in the hands as dealt, by game and seat."""
        counts = np.strings.count(self.hands, letter) if letter else np.strings.str_len(self.hands)
        return counts.astype(float).reshape(self.games, self.players)

    @cached_property
    def claims(self) -> Columns:
        """Return the turns in which a route was claimed; `wanted_by` is 0 where nobody published what it wants."""
        names = ("game", "turn", "seat", "route", "wanted_by")
        at = np.flatnonzero((self.turns["claimed"] == 1) & ~np.isnan(self.turns["route"]))
        return {name: np.nan_to_num(self.turns[name][at]).astype(np.int64) for name in names}


@dataclass(frozen=True)
class Snapshots:
    """What each seat has at some steps, in order: only there anything is added up."""

    courses: Courses
    steps: Ints

    @cached_property
    def game(self) -> Ints:
        return self.courses.game_of_step[self.steps]

    @cached_property
    def _following(self) -> Ints:
        """Return the place of the first of these steps that is not before a step, for each step and after the last."""
        total = len(self.courses.game_of_step)
        return np.asarray(np.cumsum(np.bincount(self.steps + 1, minlength=total + 2))[: total + 1])

    @cached_property
    def _before(self) -> Ints:
        """Return by step how many of these steps lie in earlier games."""
        return np.searchsorted(self.game, self.game)

    @cached_property
    def _cells_of_turns(self) -> Ints:
        turns = self.courses.turns
        return self._cells(turns["game"], turns["turn"], turns["seat"])

    def _cells(self, game: Ints, turn: Ints, seat: Ints) -> Ints:
        """Return where seats first show what holds from after a turn on (-1: from setup on)."""
        place = self._following[self.courses.starts[game] + turn + 1]
        is_seen = np.append(self.game, -1)[place] == game  # else its game is not looked at again
        return np.where(is_seen, place, len(self.steps)) * self.courses.players + seat

    def _added_up(self, cells: Ints, change: Column) -> Floats:
        players, rows = self.courses.players, len(self.steps) + 1
        gained = np.bincount(cells, change, minlength=rows * players).reshape(rows, players)
        totals = np.vstack([np.zeros((1, players)), np.cumsum(gained[:-1], axis=0)])
        return np.asarray(totals[1:] - totals[self._before])

    def running(self, game: Ints, turn: Ints, seat: Ints, change: Column) -> Floats:
        """Add up changes, each of which holds from after its turn on (-1: from setup on); by step and seat."""
        return self._added_up(self._cells(game, turn, seat), change)

    def by_turn(self, change: Column) -> Floats:
        """Add up what the mover of each turn gains."""
        return self._added_up(self._cells_of_turns, change)

    def current(self, column: str, at_first: float) -> Floats:
        """Return a number that the log gives of the mover after each turn; by step and seat."""
        players = self.courses.players
        taken = self.courses.turns_taken[self.steps][:, None]
        last = taken - 1 - (taken - 1 - np.arange(players)) % players  # each seat's last turn: they move one by one
        row = (self.courses.starts[self.game] - self.game)[:, None] + last  # a game has a step more than turns
        values = self.courses.turns[column]
        return np.where(last < 0, at_first, values[np.maximum(row, 0)])

    def of_tickets(self, value: Floats, since: Ints) -> Floats:
        """Add up values of kept tickets, each from a turn on."""
        known, tickets = since < NEVER, self.courses.tickets
        return self.running(tickets["game"][known], since[known], tickets["seat"][known], value[known])


class CourseReader:
    """Reads games of a run, and keeps the parts that it read last: other games of theirs cost nothing."""

    def __init__(self, run: Run) -> None:
        self.run, self._ends = run, np.cumsum(run.games_by_part)
        self._kept: tuple[tuple[int, int], dict[str, Columns]] | None = None

    def read(self, first: int, most: int) -> Courses:
        """Read games from one on."""
        low, high = (int(np.searchsorted(self._ends, game, side="right")) for game in (first, first + most - 1))
        skipped = first - (int(self._ends[low - 1]) if low else 0)
        tables = dict(self._parts(low, high + 1))
        games = {name: values[skipped : skipped + most] for name, values in tables.pop("games").items()}
        return _courses(self.run, games, {name: with_places(rows, games["game"]) for name, rows in tables.items()})

    def _parts(self, low: int, end: int) -> dict[str, Columns]:
        if self._kept is None or self._kept[0] != (low, end):
            self._kept = None  # before more is read: both together would cost memory
            within = replace(self.run, parts=self.run.parts[low:end])
            columns = {"games": GAME_COLUMNS, **_columns(self.run.edition)}
            self._kept = (low, end), {name: read_columns(within, name, names) for name, names in columns.items()}
        return self._kept[1]


def course_of(run: Run, log: Any) -> Courses:
    """Return a game that is read already: `log` has its rows by table, with the log's columns as attributes."""
    rows = {"seats": log.seats, "turns": log.turns, "tickets": log.tickets}
    tables = {name: _of_rows(name, rows[name], columns) for name, columns in _columns(run.edition).items()}
    return _courses(run, _of_rows("games", [log.game], GAME_COLUMNS), tables)


def _of_rows(table: str, rows: Sequence[Any], names: Sequence[str]) -> Columns:
    import pyarrow as pa

    known = schema_of(table)
    columns = {name: pa.array([getattr(row, name) for row in rows], known.field(name).type) for name in names}
    found = {name: as_array(pa.chunked_array([column]), WORDS.get(name)) for name, column in columns.items()}
    return {**found, "game": np.zeros(len(rows), np.int64)}


def _columns(edition: Edition) -> dict[str, tuple[str, ...]]:
    """Return what is read of each table: of the turns, only what the edition has."""
    turns: tuple[str, ...] = TURN_COLUMNS
    if edition.stations is not None:
        turns = (*turns, "city")
    if edition.passengers is not None:
        turns = (*turns, "passenger1", "passenger2")
    if edition.merchandise is not None:
        turns = (*turns, "merchandise")
    return {"seats": SEAT_COLUMNS, "turns": turns, "tickets": TICKET_COLUMNS}


def _courses(run: Run, games: Columns, others: Mapping[str, Columns]) -> Courses:
    seats, turns, tickets = others["seats"], others["turns"], others["tickets"]
    return Courses(
        run.edition,
        run.plan.players,
        games["block"],
        games["turns"].astype(np.int64) + 1,
        seats["win_share"].astype(float).reshape(-1, run.plan.players),
        seats["hand"].astype(np.str_),
        turns,
        chosen_columns(tickets, tickets["kept"] == 1),
    )


def met_since(courses: Courses) -> Ints:
    """Return the turn from which each kept ticket is completed by own routes; NEVER when it is not."""
    met = courses.tickets["completed_turn"].astype(float)
    since = np.where(np.isnan(met), NEVER, np.nan_to_num(met).astype(np.int64))
    return np.asarray(np.maximum(since, courses.tickets["turn"]))


def given_up_since(courses: Courses) -> Ints:
    """Return the turn in which each kept ticket is discarded for others, as First Journey allows; NEVER when it is not.

    Who discards gives up all tickets held; those that come in exchange are offered in the same turn.
    """
    turns = chosen_columns(courses.turns, courses.turns["action"] == DISCARD)
    when = np.sort(_moments(courses, turns))
    offered = _moments(courses, courses.tickets)
    place = np.searchsorted(when, offered, side="right")
    following = np.append(when, NEVER)[place]
    return np.where(following // LONGEST == offered // LONGEST, following % LONGEST - 1, NEVER)


def _moments(courses: Courses, rows: Columns) -> Ints:
    """Number turns of all seats so that those of a seat in a game are neighbors; the setup is turn -1."""
    return np.asarray((rows["game"] * courses.players + rows["seat"]) * LONGEST + rows["turn"] + 1)


def cards_gained(courses: Courses, wild: bool) -> Floats:
    """Return how many cards (wilds) more the mover of each turn holds after it."""
    turns = courses.turns
    first, second = (turns[name] == WILD_LETTER if wild else turns[name] != "" for name in ("card1", "card2"))
    cards = turns["wilds" if wild else "cards"]
    paid = np.where((turns["claimed"] != 0) & ~np.isnan(cards), cards, 0.0)
    return np.asarray(first.astype(float) + second - paid)

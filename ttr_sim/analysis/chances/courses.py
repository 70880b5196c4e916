"""The courses of logged games: for each seat, what it has at every step, the setup and each turn.

Steps of all games lie one below the other; a game of T turns has T + 1 of them, the first after setup.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ttr_sim.edition.model import Edition
from ttr_sim.log import WILD_LETTER
from ttr_sim.run.opened import Run, as_logged

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

NEVER = np.iinfo(np.int64).max // 2
LONGEST = 1 << 16  # turns of a game and more
GAME_COLUMNS = ("game", "block", "turns")
SEAT_COLUMNS = ("game", "seat", "hand", "win_share")
TICKET_COLUMNS = ("game", "seat", "ticket", "turn", "kept", "completed_turn")
TURN_COLUMNS = (
    *("game", "turn", "seat", "action", "card1", "card2", "route", "claimed", "city", "cards", "wilds"),
    *("passenger1", "passenger2", "merchandise", "bonus_ticket", "score", "trains", "wanted_by"),
)
COLUMNS = {"games": GAME_COLUMNS, "seats": SEAT_COLUMNS, "turns": TURN_COLUMNS, "tickets": TICKET_COLUMNS}


@dataclass(frozen=True)
class Courses:
    """Logged games, with `game` counted from 0 in all tables; `wins` are shares of the win by game and seat."""

    edition: Edition
    players: int
    blocks: Ints
    lengths: Ints  # steps of each game
    wins: Floats
    hands: list[str]  # as dealt, seat by seat of each game
    turns: pd.DataFrame
    tickets: pd.DataFrame  # those kept

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
        counts = [len(hand) if not letter else hand.count(letter) for hand in self.hands]
        return np.array(counts, float).reshape(self.games, self.players)


@dataclass(frozen=True)
class Snapshots:
    """What each seat has at some steps, in order: only there anything is added up."""

    courses: Courses
    steps: Ints

    @cached_property
    def game(self) -> Ints:
        return self.courses.game_of_step[self.steps]

    def running(self, game: Ints, turn: Ints, seat: Ints, change: Floats) -> Floats:
        """Add up changes, each of which holds from after its turn on (-1: from setup on); by step and seat."""
        courses = self.courses
        place = np.searchsorted(self.steps, courses.starts[game] + turn + 1)
        is_seen = np.append(self.game, -1)[place] == game  # else its game is not looked at again
        place = np.where(is_seen, place, len(self.steps))
        players, rows = courses.players, len(self.steps) + 1
        gained = np.bincount(place * players + seat, change, minlength=rows * players)
        totals = np.cumsum(gained.reshape(rows, players)[:-1], axis=0)
        first = np.searchsorted(self.game, self.game)
        return np.asarray(totals - np.vstack([np.zeros((1, players)), totals])[first])

    def by_turn(self, change: Floats | pd.Series) -> Floats:
        """Add up what the mover of each turn gains."""
        turns = self.courses.turns
        game, turn, seat = (turns[name].to_numpy(np.int64) for name in ("game", "turn", "seat"))
        return self.running(game, turn, seat, np.asarray(change, float))

    def current(self, column: str, at_first: float) -> Floats:
        """Return a number that the log gives of the mover after each turn; by step and seat."""
        players = self.courses.players
        taken = self.courses.turns_taken[self.steps][:, None]
        last = taken - 1 - (taken - 1 - np.arange(players)) % players  # each seat's last turn: they move one by one
        row = (self.courses.starts[self.game] - self.game)[:, None] + last  # a game has a step more than turns
        values = self.courses.turns[column].to_numpy(float)
        return np.where(last < 0, at_first, values[np.maximum(row, 0)])

    def of_tickets(self, value: Floats, since: Ints) -> Floats:
        """Add up values of kept tickets, each from a turn on."""
        known, tickets = since < NEVER, self.courses.tickets
        game, seat = (tickets[name].to_numpy(np.int64)[known] for name in ("game", "seat"))
        return self.running(game, since[known], seat, value[known])


def read_courses(run: Run, first: int, most: int) -> Courses:
    """Read games of a run, from one on."""
    ends = np.cumsum(run.games_by_part)
    low, high = (int(np.searchsorted(ends, game, side="right")) for game in (first, first + most - 1))
    within = replace(run, parts=run.parts[low : high + 1])
    skipped = first - (int(ends[low - 1]) if low else 0)
    return courses_of(within, within.games(["game"])["game"].iloc[skipped : skipped + most].tolist())


def courses_of(run: Run, numbers: Sequence[int]) -> Courses:
    """Read these games of a run, which are in order."""
    games = np.asarray(numbers, np.int64)
    return _courses(run, [_of_games(run.logged(table, names), games) for table, names in COLUMNS.items()])


def course_of(run: Run, log: Any) -> Courses:
    """Return a game that is read already: `log` has its rows by table, with the log's columns as attributes."""
    rows = {"games": [log.game], "seats": log.seats, "turns": log.turns, "tickets": log.tickets}
    tables = {name: {column: [getattr(row, column) for row in rows[name]] for column in COLUMNS[name]} for name in rows}
    return _courses(run, [as_logged(name, columns).assign(game=0) for name, columns in tables.items()])


def _courses(run: Run, tables: Sequence[pd.DataFrame]) -> Courses:
    games, seats, turns, tickets = tables
    return Courses(
        run.edition,
        run.plan.players,
        games["block"].to_numpy(np.int64),
        games["turns"].to_numpy(np.int64) + 1,
        seats["win_share"].to_numpy(float).reshape(-1, run.plan.players),
        seats["hand"].tolist(),
        turns.astype({"score": float, "trains": float}),
        tickets[tickets["kept"].astype(bool)].reset_index(drop=True),
    )


def _of_games(rows: pd.DataFrame, games: Ints) -> pd.DataFrame:
    """Return the rows of these games, which are counted from 0."""
    game = rows["game"].to_numpy(np.int64)
    place = np.minimum(np.searchsorted(games, game), len(games) - 1)
    is_one = games[place] == game
    found = rows if is_one.all() else rows[is_one].reset_index(drop=True)
    return found.assign(game=place[is_one])


def met_since(courses: Courses) -> Ints:
    """Return the turn from which each kept ticket is completed by own routes; NEVER when it is not."""
    met = courses.tickets["completed_turn"].astype("Int64").fillna(NEVER).to_numpy(np.int64)
    return np.asarray(np.maximum(met, courses.tickets["turn"].to_numpy(np.int64)))


def given_up_since(courses: Courses) -> Ints:
    """Return the turn in which each kept ticket is discarded for others, as First Journey allows; NEVER when it is not.

    Who discards gives up all tickets held; those that come in exchange are offered in the same turn.
    """
    turns = courses.turns[courses.turns["action"] == "discard"]
    when = np.sort(_moments(courses, turns))
    offered = _moments(courses, courses.tickets)
    place = np.searchsorted(when, offered, side="right")
    following = np.append(when, NEVER)[place]
    return np.where(following // LONGEST == offered // LONGEST, following % LONGEST - 1, NEVER)


def _moments(courses: Courses, rows: pd.DataFrame) -> Ints:
    """Number turns of all seats so that those of a seat in a game are neighbors; the setup is turn -1."""
    game, seat, turn = (rows[name].to_numpy(np.int64) for name in ("game", "seat", "turn"))
    return np.asarray((game * courses.players + seat) * LONGEST + turn + 1)


def cards_gained(courses: Courses, wild: bool) -> Floats:
    """Return how many cards (wilds) more the mover of each turn holds after it."""
    turns = courses.turns
    drawn = [turns[name] == WILD_LETTER if wild else turns[name].notna() for name in ("card1", "card2")]
    paid = turns["wilds" if wild else "cards"].fillna(0).where(turns["claimed"].fillna(True).astype(bool), 0)
    return np.asarray(drawn[0].astype(float) + drawn[1].astype(float) - paid.astype(float))

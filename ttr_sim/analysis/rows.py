"""The log of a batch of games as arrays, each table read once, however many questions are asked of it.

A game lies in one part, so whatever is derived per game is done within a batch. What lies within a batch is numbered:
`game` is the place of the game among those of the batch, `bot` the place of the name among those of all runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa

from ttr_sim.analysis.columns import (
    WORDS,
    Column,
    Columns,
    Flags,
    Ints,
    as_array,
    chosen_columns,
    columns_where,
    joined_columns,
    read_columns,
    read_file,
    with_places,
)
from ttr_sim.analysis.jackknife import GROUPS
from ttr_sim.edition.model import Edition
from ttr_sim.log import ACTION_NAMES
from ttr_sim.run.opened import Run

GAME_COLUMNS = (
    *("game", "block", "turns", "end", "winners", "margin", "lead_changes", "lead_turn"),
    *("resets", "stuck", "reshuffles"),
)
SEAT_COLUMNS = ("game", "seat", "bot", "plans", "score", "win_share")
OUTCOME_COLUMNS = (
    *("game", "routes", "tickets_completed", "route_points", "ticket_points", "ticket_penalty", "longest_points"),
    *("globetrotter_points", "station_points", "passenger_points", "merchandise_points"),
)
TICKET_COLUMNS = ("game", "seat", "ticket", "turn", "kept", "completed", "completed_turn")
DRAW_COLUMNS = ("game", "order", "seat", "ticket", "turn")
TURN_COLUMNS = ("game", "turn", "seat", "action", "route", "wanted_by")


@dataclass(frozen=True)
class Batch:
    """Some parts of a run, the `number`-th of those that are added up; `bots` are the names of all of them. Where
    `blocks` are given, all others are left out."""

    run: Run
    number: int
    bots: tuple[str, ...]
    blocks: Ints | None = None


@dataclass(frozen=True)
class Table:
    """Columns of a table, and the group of blocks of each game."""

    columns: Mapping[str, Column]
    groups: Ints

    def __getitem__(self, name: str) -> Column:
        return self.columns[name]

    @property
    def game(self) -> Ints:
        return self.columns["game"]

    @cached_property
    def grp(self) -> Ints:
        """Return the group of each row."""
        return self.groups[self.game]

    def where(self, chosen: Flags | Ints) -> Table:
        return Table(chosen_columns(self.columns, chosen), self.groups)


class Rows:
    """The rows of a batch, table by table. A table is read when it is first asked for."""

    def __init__(self, batch: Batch) -> None:
        self.batch, self.run, self.bots = batch, batch.run, batch.bots
        self.edition: Edition = batch.run.edition
        self.players: int = batch.run.plan.players

    @cached_property
    def _games(self) -> Columns:
        columns = self._read("games", GAME_COLUMNS)
        if self.batch.blocks is None:
            return columns
        return chosen_columns(columns, np.isin(columns["block"], self.batch.blocks))

    @property
    def numbers(self) -> Ints:
        """Return the number that each game has in its run."""
        return self._games["game"]

    @cached_property
    def games(self) -> Table:
        return Table({**self._games, "game": np.arange(len(self.numbers))}, self._games["block"] % GROUPS)

    @cached_property
    def seats(self) -> Table:
        return self._of_games(self._read("seats", SEAT_COLUMNS))

    @cached_property
    def outcomes(self) -> Table:
        """Return what seats ended with, row by row as in `seats`."""
        return self._of_games(self._read("seats", OUTCOME_COLUMNS))

    @cached_property
    def tickets(self) -> Table:
        """Return the tickets offered, and what became of them."""
        return self._of_games(self._read("tickets", TICKET_COLUMNS))

    @cached_property
    def draws(self) -> Table:
        """Return the tickets offered, with the order in which they were drawn."""
        return self._of_games(self._read("tickets", DRAW_COLUMNS))

    @cached_property
    def claims(self) -> Table:
        """Return the turns in which a route was claimed or tried."""
        return self._of_games(self._turns[0])

    @cached_property
    def stations(self) -> Table:
        """Return the turns in which a station was built."""
        return self._of_games(self._turns[1])

    @property
    def actions(self) -> Ints:
        """Return the number of turns of each kind, by game and place in ACTION_NAMES."""
        return self._turns[2]

    def row_of_seat(self, game: Ints, seat: Column) -> Ints:
        """Return where these seats of games stand in `seats`."""
        place = game * self.players + seat
        return place if self._rows_of_places is None else self._rows_of_places[place]

    @cached_property
    def _rows_of_places(self) -> Ints | None:
        """Return the row of each seat of each game; None where they stand in that order, as they should."""
        place = self.seats.game * self.players + self.seats["seat"]
        places = len(self.numbers) * self.players
        if np.array_equal(place, np.arange(places)):
            return None
        rows = np.full(places, len(place))
        rows[place] = np.arange(len(place))
        return rows

    @cached_property
    def _turns(self) -> tuple[Columns, Columns, Ints]:
        """Read the turns file by file, as only few of their rows are kept: those with claims, and those with stations.
        Of all of them it is counted what was done."""
        has_tunnels = any(route.kind == "tunnel" for route in self.edition.routes)  # else every try is a claim
        names = [*TURN_COLUMNS, *["claimed"] * has_tunnels, *["city"] * bool(self.edition.stations)]
        claims, stations = [], []
        actions = np.zeros((len(self.numbers), len(ACTION_NAMES)), np.int64)
        for file in self.run.files("turns"):
            turns = read_file(self.run, file, names)
            claims.append(_claims(turns))
            stations.append(_stations(turns))
            done = {"game": as_array(turns["game"]), "action": as_array(turns["action"], ACTION_NAMES)}
            done = with_places(done, self.numbers)
            actions += _counted(done["game"], done["action"], actions.shape)
        return joined_columns(claims), joined_columns(stations), actions

    def _read(self, table: str, names: Sequence[str]) -> Columns:
        return read_columns(self.run, table, names, {**WORDS, "bot": self.bots})

    def _of_games(self, columns: Columns) -> Table:
        return Table(with_places(columns, self.numbers), self.games.groups)


def _claims(turns: pa.Table) -> Columns:
    found = columns_where("route", turns, ("game", "turn", "seat", "route", "wanted_by", "claimed"))
    return {"claimed": np.ones(len(found["route"]), bool), **found}


def _stations(turns: pa.Table) -> Columns:
    return {"city": np.zeros(0, np.int64), **columns_where("city", turns, ("game", "city"))}


def _counted(row: Ints, column: Column, shape: tuple[int, ...]) -> Ints:
    return np.bincount(row * shape[1] + column, minlength=shape[0] * shape[1]).reshape(shape)

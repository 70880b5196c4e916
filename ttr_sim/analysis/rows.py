"""The log of a batch of games as arrays, each table read once, however many questions are asked of it.

A game lies in one part, so whatever is derived per game is done within a batch. What lies within a batch is numbered:
`game` is the place of the game among those of the batch, `bot` the place of the name among those of all runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from ttr_sim.analysis.jackknife import GROUPS
from ttr_sim.analysis.queries import unreadable
from ttr_sim.edition.model import Edition
from ttr_sim.log import ACTION_NAMES, END_NAMES
from ttr_sim.run.opened import Run

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
Column = NDArray[Any]
Columns = dict[str, Column]

GAME_COLUMNS = (
    *("game", "block", "turns", "end", "winners", "margin", "lead_changes", "lead_turn"),
    *("resets", "stuck", "reshuffles"),
)
SEAT_COLUMNS = ("game", "seat", "bot", "plans", "score", "win_share")
OUTCOME_COLUMNS = (
    *("game", "routes", "tickets_completed", "route_points", "ticket_points", "ticket_penalty", "longest_points"),
    *("globetrotter_points", "station_points", "passenger_points", "merchandise_points"),
)
TICKET_COLUMNS = ("game", "order", "seat", "ticket", "turn", "kept", "completed", "completed_turn")
TURN_COLUMNS = ("game", "turn", "seat", "action", "route", "wanted_by")
UNKNOWN = -1  # a word or a flag that is null


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
    """Columns of a table, and the group of blocks of each game. Numbers are NaN, and words and flags UNKNOWN, where
    there are none."""

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
        return Table(_chosen(self.columns, chosen), self.groups)


class Rows:
    """The rows of a batch, table by table. A table is read when it is first asked for."""

    def __init__(self, batch: Batch) -> None:
        self.batch, self.run, self.bots = batch, batch.run, batch.bots
        self.edition: Edition = batch.run.edition
        self.players: int = batch.run.plan.players
        self._words = {"bot": batch.bots, "end": END_NAMES, "action": ACTION_NAMES}

    @cached_property
    def _games(self) -> Columns:
        columns = self._read("games", GAME_COLUMNS)
        if self.batch.blocks is None:
            return columns
        return _chosen(columns, np.isin(columns["block"], self.batch.blocks))

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
        """Return the tickets offered."""
        return self._of_games(self._read("tickets", TICKET_COLUMNS))

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
            turns = self._file(file, names)
            claims.append(_claims(turns))
            stations.append(_stations(turns))
            done = self._of_games({name: self._array(name, turns[name]) for name in ("game", "action")})
            actions += _counted(done.game, done["action"], actions.shape)
        return _joined(claims), _joined(stations), actions

    def _read(self, table: str, names: Sequence[str]) -> Columns:
        tables = [self._file(file, names) for file in self.run.files(table)]
        together = pa.concat_tables(tables).unify_dictionaries().combine_chunks()
        return {name: self._array(name, together[name]) for name in names}

    def _file(self, file: Path, names: Sequence[str]) -> pa.Table:
        try:
            with pq.ParquetFile(file) as parquet:
                return parquet.read(list(names), use_threads=False)
        except (OSError, pa.ArrowException) as error:
            raise unreadable(self.run, error) from error

    def _array(self, name: str, column: pa.ChunkedArray) -> Column:
        """Return numbers as they are, and flags and words as numbers."""
        values = column.combine_chunks()
        if isinstance(values, pa.DictionaryArray):
            places = [self._words[name].index(word) for word in values.dictionary.to_pylist()]
            numbers = np.array([*places, UNKNOWN])  # what is null comes last
            return np.asarray(numbers[values.indices.fill_null(UNKNOWN).to_numpy()])
        if pa.types.is_boolean(values.type):
            values = values.cast(pa.int8()).fill_null(UNKNOWN)
        return np.asarray(values.to_numpy(zero_copy_only=False))

    def _of_games(self, columns: Columns) -> Table:
        """Return rows with the place of their game, without those of games that are left out."""
        numbers, game = self.numbers, columns["game"]
        if len(numbers) and numbers[-1] - numbers[0] + 1 == len(numbers):
            place = game - numbers[0]
            is_one = (place >= 0) & (place < len(numbers))
        else:  # a part is missing, or games are left out
            place = np.searchsorted(numbers, game)
            is_one = np.append(numbers, UNKNOWN)[place] == game
        columns = {**columns, "game": place}
        return Table(columns if is_one.all() else _chosen(columns, is_one), self.games.groups)


def _claims(turns: pa.Table) -> Columns:
    found = _where("route", turns, ("game", "turn", "seat", "route", "wanted_by", "claimed"))
    return {"claimed": np.ones(len(found["route"]), bool), **found}


def _stations(turns: pa.Table) -> Columns:
    return {"city": np.zeros(0, np.int64), **_where("city", turns, ("game", "city"))}


def _where(known: str, turns: pa.Table, names: Sequence[str]) -> Columns:
    """Return those columns that there are, of the rows in which one of them is known."""
    if known not in turns.column_names:
        return {"game": np.zeros(0, np.int64)}
    nulls = turns[known].null_count
    at = np.flatnonzero(turns[known].is_valid().to_numpy())
    return {
        name: _plain(turns[name] if turns[name].null_count in (0, nulls) else turns[name].fill_null(0))[at]
        for name in names
        if name in turns.column_names
    }


def _plain(column: pa.ChunkedArray) -> Column:
    """Return what a column holds, with anything where it is null: that takes no time."""
    values = column.combine_chunks()
    without_nulls = pa.Array.from_buffers(values.type, len(values), [None, values.buffers()[1]], 0, values.offset)
    return np.asarray(without_nulls.to_numpy(zero_copy_only=False))


def _counted(row: Ints, column: Column, shape: tuple[int, ...]) -> Ints:
    return np.bincount(row * shape[1] + column, minlength=shape[0] * shape[1]).reshape(shape)


def _chosen(columns: Mapping[str, Column], chosen: Flags | Ints) -> Columns:
    at = np.flatnonzero(chosen) if chosen.dtype == bool else chosen  # found once, not for each column
    return {name: values[at] for name, values in columns.items()}


def _joined(pieces: Sequence[Columns]) -> Columns:
    return {name: np.concatenate([piece[name] for piece in pieces]) for name in pieces[0]}

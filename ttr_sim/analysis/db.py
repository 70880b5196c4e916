"""DuckDB over the Parquet files of some runs: questions in SQL, answered by sums for the jackknife.

The views `games`, `seats`, `turns` and `tickets` are the log of all runs. The tables in JOINED are made of them when a
question first needs them. A question is one SQL text that can be pasted into DuckDB (docs/statistics.md shows how).
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import duckdb
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ttr_sim.analysis.jackknife import GROUPS, Estimate, Floats, ratio
from ttr_sim.edition.model import Edition
from ttr_sim.errors import UserError
from ttr_sim.run.read import Run

MEMORY_LIMIT = "700MB"  # beyond it DuckDB moves tables to the disk
INTERRUPTED_QUERY = "Query interrupted"  # DuckDB's own words after Ctrl-C
DECK_BITS = 4  # of a mix, for the tickets of a deck

# Decimals add up without rounding, so the order in which threads add leaves no trace in a table.
JOINED = {
    "game": """
CREATE TABLE game AS
SELECT run, game, block, (block % 1000)::SMALLINT AS grp, players, turns, "end", bit_count(winners) AS sharing, margin,
    lead_changes, lead_turn, resets, stuck, reshuffles
FROM games""",
    # Where players announce a mix of decks, only seats dealt the same mix are comparable. Else this table is empty.
    "hand": """
CREATE TABLE hand AS
SELECT run, game, seat, sum(mix)::INT AS mix FROM tickets JOIN ticket USING (ticket) WHERE turn = -1 AND mix > 0
GROUP BY ALL""",
    # `win` and `points` are residuals: wins and score beyond the mean of the same bot, seat and player count.
    "seat": """
CREATE TABLE seat AS
SELECT run, game, grp, players, seat, bot, coalesce(mix, 0) AS mix, plans, score,
    win_share::DECIMAL(18, 15) AS win_share,
    (win_share - avg(win_share::DECIMAL(18, 15)) OVER peers)::DECIMAL(18, 12) AS win,
    (score - avg(score) OVER peers)::DECIMAL(18, 12) AS points
FROM seats JOIN game USING (run, game) LEFT JOIN hand USING (run, game, seat)
WINDOW peers AS (PARTITION BY players, bot, seat)""",
    "stratum": """
CREATE TABLE stratum AS
SELECT players, bot, seat, mix, avg(win_share) AS win, avg(score) AS points FROM seat GROUP BY ALL""",
    # Tickets offered, with residuals of the seat against the same mix.
    "offer": """
CREATE TABLE offer AS
SELECT grp, players, bot, seat, mix, ticket, turn, kept, completed, completed_turn, win_share, score,
    (win_share - stratum.win)::DECIMAL(18, 12) AS win, (score - stratum.points)::DECIMAL(18, 12) AS points
FROM tickets JOIN seat USING (run, game, seat) JOIN stratum USING (players, bot, seat, mix)""",
    # Claims and tries. `rivals` is the mask of other seats whose published plan held the route.
    "claim": """
CREATE TABLE claim AS
SELECT run, game, grp, players, turn, seat, route, claimed, wanted_by & (1 << seat::INT) <> 0 AS wanted,
    (wanted_by & ~(1 << seat::INT))::UTINYINT AS rivals
FROM turns JOIN game USING (run, game) WHERE route IS NOT NULL""",
    # Contested claims that lock rivals out: all parallel routes are closed or taken, none of them by the rival.
    "denial": """
CREATE TABLE denial AS
WITH parallel AS (
    SELECT run, game, route, count(*) OVER earlier AS taken, bit_or(1 << seat) OVER earlier AS owners
    FROM claim JOIN lane USING (players, route) WHERE claimed AND lanes > 1
    WINDOW earlier AS (PARTITION BY run, game, "group" ORDER BY turn ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
)
SELECT run, game, grp, players, route, rivals & ~coalesce(owners, 0) AS locked_out
FROM claim JOIN lane USING (players, route) LEFT JOIN parallel USING (run, game, route)
WHERE claimed AND rivals <> 0 AND coalesce(taken, 0) = lanes - 1 AND locked_out <> 0""",
}

PLAYED = """
SELECT players, count(*) AS blocks, sum(games)::BIGINT AS games
FROM (SELECT players, run, block, count(*) AS games FROM game GROUP BY ALL) GROUP BY ALL ORDER BY players"""
GAMES_AND_TURNS = "SELECT grp, players, count(*) AS games, sum(turns) AS turns FROM game GROUP BY ALL"
PLANNING = "SELECT DISTINCT players FROM seat WHERE plans"


class Database:
    """The games of some runs of one edition, as tables for questions in SQL, of all blocks or only of some."""

    def __init__(self, runs: Sequence[Run], blocks: NDArray[np.int64] | None = None) -> None:
        self.runs = tuple(run for run in runs if run.finished_games)
        self.edition: Edition = runs[0].edition
        without_turns = {run.plan.players for run in self.runs if "turns" not in run.plan.tables}
        self.counts = sorted({run.plan.players for run in self.runs})
        self.counts_with_turns = [players for players in self.counts if players not in without_turns]
        self._connection = duckdb.connect()
        self._connection.execute(f"SET memory_limit = '{MEMORY_LIMIT}'")
        self._connection.execute(f"SET temp_directory = {quoted(Path(tempfile.gettempdir()))}")
        self._connection.execute("SET preserve_insertion_order = false")  # saves memory; questions sort
        for table in ("games", "seats", "tickets", "turns"):
            selected = []
            for number, run in enumerate(self.runs):
                if table != "turns" or run.plan.players in self.counts_with_turns:
                    files = ", ".join(map(quoted, run.files(table)))
                    columns = f"{number}::USMALLINT AS run, * REPLACE (game::INT AS game)"
                    selected.append(f"SELECT {columns} FROM read_parquet([{files}])")
            if selected:
                self._execute(f"CREATE VIEW {table} AS {' UNION ALL BY NAME '.join(selected)}")
        # A mix holds the number of tickets of each deck in four bits. Lanes are the parallel routes that players may
        # take in one game: one where the rules close the others.
        weight = 1 if self.edition.ticket_rules.mix else 0
        mixes = [(row, weight << (DECK_BITS * ticket.deck)) for row, ticket in enumerate(self.edition.tickets)]
        self._connection.register("ticket", pd.DataFrame(mixes, columns=["ticket", "mix"]))
        groups, closed = [route.group for route in self.edition.routes], self.edition.closed_up_to_players
        lanes = [
            (players, row, group, 1 if players <= closed else groups.count(group))
            for players in self.counts
            for row, group in enumerate(groups)
        ]
        self._connection.register("lane", pd.DataFrame(lanes, columns=["players", "route", "group", "lanes"]))
        self._made: set[str] = set()
        if blocks is not None:
            self._connection.register("chosen", pd.DataFrame({"block": blocks}))
            self._execute(JOINED["game"] + " WHERE block IN (SELECT block FROM chosen)")
            self._made.add("game")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._connection.close()

    def frame(self, sql: str, parameters: Mapping[str, Any] | None = None) -> pd.DataFrame:
        """Run a query, after making the joined tables that it names."""
        for name in re.findall(r"(?:FROM|JOIN) (\w+)", sql):
            if name in JOINED and name not in self._made:
                self._made.add(name)
                self.frame(JOINED[name])
        return self._execute(sql, parameters).df()

    def sums(self, sql: str, *keys: str, parameters: Mapping[str, Any] | None = None) -> Sums:
        """Answer a question: its measures summed by jackknife group and key."""
        return Sums.of(self.frame(sql, parameters), keys)

    def _execute(self, sql: str, parameters: Mapping[str, Any] | None = None) -> duckdb.DuckDBPyConnection:
        try:
            return self._connection.execute(sql, parameters)
        except (duckdb.IOException, duckdb.InvalidInputException, duckdb.SerializationException) as error:
            damaged = next((run for run in self.runs if str(run.path) in str(error)), self.runs[0])
            message = f"a part of {damaged.path} can no longer be read: {str(error).splitlines()[0]}"
            raise UserError(message) from error
        except RuntimeError as error:
            if str(error) == INTERRUPTED_QUERY:
                raise KeyboardInterrupt from None
            raise

    @cached_property
    def played(self) -> pd.DataFrame:
        return self.frame(PLAYED).set_index("players")

    @cached_property
    def planning(self) -> frozenset[int]:
        """Player counts at which any bot published the routes it wants."""
        return frozenset(self.frame(PLANNING)["players"])

    @cached_property
    def sums_by_count(self) -> Sums:
        return self.sums(GAMES_AND_TURNS, "players")

    def games(self, keys: pd.DataFrame) -> NDArray[np.int64]:
        return np.asarray(self.played["games"].reindex(keys["players"]), np.int64)

    def blocks(self, keys: pd.DataFrame) -> NDArray[np.int64]:
        """Blocks played at the player count of each key (0: the most at any)."""
        blocks = self.played["blocks"]
        return np.asarray(pd.concat([blocks, pd.Series({0: blocks.max()})]).reindex(keys["players"]), np.int64)

    def per_game(self, counts: Floats, keys: pd.DataFrame, measure: str = "games") -> Estimate:
        """Divide sums by group and key by the games of the key's player count."""
        return ratio(counts, self.sums_by_count.reindex(keys[["players"]])[measure])


def quoted(file: Path) -> str:
    """Write a path as SQL text that DuckDB takes literally, with or without wildcards."""
    literal = re.sub(r"([*?\[])", r"[\1]", str(file))
    return "'" + literal.replace("'", "''") + "'"


@dataclass(frozen=True, eq=False)
class Sums:
    """`keys` has a row for each of K keys, sorted. `arrays[measure]` is (GROUPS, K)."""

    keys: pd.DataFrame
    arrays: Mapping[str, Floats]

    @classmethod
    def of(cls, frame: pd.DataFrame, keys: Sequence[str]) -> Sums:
        """Add up rows with a column `grp`, the keys, and measures."""
        distinct, column = number_keys(frame, keys)
        cell = frame["grp"].to_numpy(np.int64) * len(distinct) + column
        arrays = {}
        for measure in frame.columns.difference([*keys, "grp"]):
            values = frame[measure].fillna(0).to_numpy(float)
            added = np.bincount(cell, values, minlength=GROUPS * len(distinct))
            arrays[measure] = np.asarray(added.reshape(GROUPS, len(distinct)), float)
        return cls(distinct, arrays)

    def __getitem__(self, measure: str) -> Floats:
        return self.arrays[measure]

    def total(self, measure: str) -> Floats:
        return np.asarray(self.arrays[measure].sum(axis=0))

    def mean(self, measure: str, of: str = "n") -> Estimate:
        return ratio(self.arrays[measure], self.arrays[of])

    def over(self, *keys: str) -> tuple[Sums, NDArray[np.int64]]:
        """Sum over all other keys, and give the new place of each old key."""
        return self.by(**{name: self.keys[name].to_numpy() for name in keys})

    def by(self, **labels: NDArray[Any]) -> tuple[Sums, NDArray[np.int64]]:
        """Sum by labels of the keys, and give the new place of each key."""
        distinct, column = number_keys(pd.DataFrame(labels, index=self.keys.index), list(labels))
        belongs = np.zeros((len(column), len(distinct)))
        belongs[np.arange(len(column)), column] = 1
        return Sums(distinct, {measure: array @ belongs for measure, array in self.arrays.items()}), column

    def reindex(self, keys: pd.DataFrame) -> Sums:
        """Give the sums exactly these keys, with 0 for keys without games."""
        column = place_of(self.keys, keys[self.keys.columns])
        arrays = {}
        for measure, array in self.arrays.items():
            arrays[measure] = np.zeros((GROUPS, len(keys)))
            arrays[measure][:, column >= 0] = array[:, column[column >= 0]]
        return Sums(keys, arrays)


def number_keys(frame: pd.DataFrame, names: Sequence[str]) -> tuple[pd.DataFrame, NDArray[np.int64]]:
    """List the distinct keys in order, and number each row's key among them."""
    if not names:
        return pd.DataFrame({"all": [0]}), np.zeros(len(frame), np.int64)
    numbers = np.asarray(frame.groupby(list(names), sort=True).ngroup(), np.int64)
    distinct = frame[list(names)].drop_duplicates().sort_values(list(names), ignore_index=True)
    return distinct, numbers


def product(**levels: Iterable[object]) -> pd.DataFrame:
    """List all keys that can be made of these values."""
    index = pd.MultiIndex.from_product([list(level) for level in levels.values()], names=list(levels))
    return index.to_frame(index=False)


def place_of(known: pd.DataFrame, keys: pd.DataFrame) -> NDArray[np.int64]:
    """Row of each key among the known ones, or -1."""
    one, other = (pd.MultiIndex.from_frame(frame) for frame in (known, keys))
    return np.asarray(one.get_indexer(other), np.int64)

"""The log of all runs of one player count, read with SQL a batch of games at a time.

A game lies in one part, so whatever is derived per game (joins, claims in order) is done within a batch, and only
sums by group of blocks leave it: memory does not grow with the number of games.
"""

from __future__ import annotations

import re
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, reduce
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd

from ttr_sim.analysis.jackknife import GROUPS, Estimate, Floats, ratio
from ttr_sim.analysis.reader import Run, open_run
from ttr_sim.analysis.sums import Sums
from ttr_sim.edition.model import Edition
from ttr_sim.errors import UserError

BATCH_GAMES = 100_000
MEMORY_LIMIT = "1GB"
COLUMNS_OF_PLAYED = (
    f"game, (block % {GROUPS})::SMALLINT AS grp, players, turns, winners, 1.0 / bit_count(winners) AS share, margin, "
    'lead_changes, lead_turn, resets, stuck, reshuffles, "end"'
)

PLAYED = "SELECT grp, count(*) AS games FROM played GROUP BY ALL"


class Source:
    """SQL sees `played` (one row a game, with its group `grp`) and the log's `seats`, `turns` and `tickets`."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self.runs = tuple(runs)
        self.players: int = runs[0].plan.players
        self.edition: Edition = runs[0].edition
        self.has_turns = all("turns" in run.plan.tables for run in runs)
        self.games = sum(run.games for run in runs)
        self._only = ""
        self._known: dict[tuple[str, ...], Sums] = {}
        self._connection = duckdb.connect(
            config={"memory_limit": MEMORY_LIMIT, "temp_directory": tempfile.gettempdir()}
        )
        self._connection.execute("SET preserve_insertion_order = false")

    @cached_property
    def blocks(self) -> int:
        return int(self.rows("SELECT count(DISTINCT block) AS n FROM games")["n"].sum())

    @cached_property
    def planning(self) -> bool:
        """Whether any bot published what it wants."""
        return bool(self.rows("SELECT bool_or(plans) AS plans FROM seats")["plans"].any())

    def keep_blocks(self, blocks: pd.DataFrame) -> None:
        """Leave all other blocks out of `played` from now on."""
        self.add_table("kept_blocks", blocks)
        self._only = "SEMI JOIN kept_blocks USING (block)"

    def per_game(self, counts: Floats) -> Estimate:
        """Sums by group and key, divided by the games."""
        games = self.sums(PLAYED, [])["games"]
        return ratio(counts, np.repeat(games, counts.shape[1], axis=1))

    def add_table(self, name: str, frame: pd.DataFrame) -> None:
        """A small table of facts for later queries."""
        self._connection.register("incoming", frame)
        self._connection.execute(f"CREATE OR REPLACE TABLE {name} AS SELECT * FROM incoming")
        self._connection.unregister("incoming")

    def sums(self, sql: str, keys: Sequence[str]) -> Sums:
        """Sums by `grp` and keys over all games; every other column of the query is a measure. Asked once, kept."""
        question = (sql, *keys)
        if question not in self._known:
            self._known[question] = self.several_sums({sql: keys})[0]
        return self._known[question]

    def several_sums(self, questions: Mapping[str, Sequence[str]], before: Sequence[str] = ()) -> list[Sums]:
        """The same for several queries that read the same temporary tables, added up batch by batch."""
        batches = self.answers(list(questions), before)
        sums = (
            [Sums.of(rows, keys) for rows, keys in zip(batch, questions.values(), strict=True)] for batch in batches
        )
        return reduce(lambda total, batch: [one + more for one, more in zip(total, batch, strict=True)], sums)

    def counts(self, sql: str) -> pd.DataFrame:
        """The query's rows of all batches, their `n` added up."""
        return add_up(self.rows(sql))

    def rows(self, sql: str) -> pd.DataFrame:
        """The query's rows of all batches."""
        return pd.concat([rows for (rows,) in self.answers([sql])], ignore_index=True)

    def answers(self, queries: Sequence[str], before: Sequence[str] = ()) -> Iterator[list[pd.DataFrame]]:
        """The rows of each query, batch by batch, once the statements of `before` have made their temporary tables."""
        for run in self._batches():
            try:
                for statement in before:
                    self._connection.execute(statement)
                yield [self._connection.execute(query).df() for query in queries]
            except (duckdb.IOException, duckdb.InvalidInputException, duckdb.SerializationException) as error:
                raise UserError(f"a part of {run.path} can no longer be read: {str(error).splitlines()[0]}") from error

    def _batches(self) -> Iterator[Run]:
        """Point the log's names at a batch of parts after another."""
        for number, run in enumerate(self.runs):
            played = f"SELECT {COLUMNS_OF_PLAYED}, {number} AS run FROM games {self._only}"
            for parts in _in_batches(run):
                for table in run.plan.tables:
                    files = ", ".join(_quoted(file) for file in run.files(table, parts))
                    self._connection.execute(f"CREATE OR REPLACE VIEW {table} AS FROM read_parquet([{files}])")
                self._connection.execute(f"CREATE OR REPLACE VIEW played AS {played}")
                yield run


def add_up(rows: pd.DataFrame) -> pd.DataFrame:
    """One row for all that differ in `n` only, with its sum."""
    others = [name for name in rows.columns if name != "n"]
    return rows.groupby(others, as_index=False).agg({"n": "sum"})


def open_runs(paths: Sequence[str | Path]) -> tuple[Run, ...]:
    """Runs that can be analyzed together: all of one and the same edition and rules, none named twice."""
    if not paths:
        raise UserError("no run was named")
    runs = tuple(open_run(path) for path in paths)
    first = runs[0]
    for run in runs[1:]:
        if run.plan.fingerprint != first.plan.fingerprint:
            raise UserError(
                f"{first.path} and {run.path} were played on different editions or rules; "
                "report each by itself, or put them side by side with `ttr-sim compare`"
            )
    _refuse_twins(runs)
    return runs


def sources_of(runs: Sequence[Run]) -> tuple[Source, ...]:
    """The runs that have games, by player count."""
    by_players: defaultdict[int, list[Run]] = defaultdict(list)
    for run in runs:
        if run.games:
            by_players[run.plan.players].append(run)
    return tuple(Source(by_players[players]) for players in sorted(by_players))


def _refuse_twins(runs: Sequence[Run]) -> None:
    seen: dict[str, Run] = {}
    for run in runs:
        twin = seen.setdefault(run.plan.hash, run)
        if twin is not run:
            raise UserError(f"{twin.path} and {run.path} hold the same games; name one of them")


def _in_batches(run: Run) -> Iterator[tuple[str, ...]]:
    batch: list[str] = []
    games = 0
    for part, size in zip(run.parts, run.games_by_part, strict=True):
        if batch and games + size > BATCH_GAMES:
            yield tuple(batch)
            batch, games = [], 0
        batch.append(part)
        games += size
    if batch:
        yield tuple(batch)


def _quoted(file: Path) -> str:
    """A path as SQL text that DuckDB takes literally, whatever wildcards are in it."""
    literal = re.sub(r"([*?\[])", r"[\1]", str(file))
    return "'" + literal.replace("'", "''") + "'"

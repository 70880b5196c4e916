"""The log of all runs of one player count, read with SQL a batch of games at a time.

A game lies in one part, so whatever is derived per game (joins, claims in order) is done within a batch, and only
sums by group of blocks leave it: memory does not grow with the number of games.
"""

from __future__ import annotations

import re
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, reduce
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd

from ttr_sim.analysis.facts import ticket_facts
from ttr_sim.analysis.jackknife import GROUPS, Estimate, Floats, ratio
from ttr_sim.analysis.sums import Sums
from ttr_sim.edition.model import Edition
from ttr_sim.errors import UserError
from ttr_sim.run.opened import Run

BATCH_GAMES = 100_000  # more cost memory, fewer cost time: every query starts once a batch
MEMORY_LIMIT = "1GB"
INTERRUPTED_QUERY = "Query interrupted"  # what DuckDB says after Ctrl-C
MADE = re.compile(r"CREATE OR REPLACE TEMP (?:TABLE|VIEW) (\w+)")
COLUMNS_OF_PLAYED = (
    f"game, (block % {GROUPS})::SMALLINT AS grp, players, turns, winners, 1.0 / bit_count(winners) AS share, margin, "
    'lead_changes, lead_turn, resets, stuck, reshuffles, "end"'
)
PLAYED = "SELECT grp, count(*) AS games FROM played GROUP BY ALL"
# A stratum is one bot in one seat at one number of players; where mixes of tickets are announced, with one mix.
STRATUM = ["bot", "seat", "mix"]
# The mix is the number of tickets of each deck dealt at setup, four bits a deck.
MIXES = """
    CREATE OR REPLACE TEMP VIEW seats_and_mixes AS
    SELECT * FROM seats JOIN (
        SELECT game, seat, sum(1 << (4 * deck_number)) AS mix FROM tickets JOIN ticket_facts USING (ticket)
        WHERE turn = -1 GROUP BY ALL
    ) USING (game, seat)
"""
ONE_MIX = "CREATE OR REPLACE TEMP VIEW seats_and_mixes AS SELECT *, 0 AS mix FROM seats"
BY_STRATUM = """
    SELECT grp, bot, seat, mix, count(*) AS n, sum(win_share) AS win, sum(score) AS points
    FROM seats_and_mixes JOIN played USING (game) GROUP BY ALL
"""
VALUED = """
    CREATE OR REPLACE TEMP TABLE valued AS
    SELECT game, grp, seat, bot, stratum, win_share, win_share - mean_win AS win, score - mean_points AS points
    FROM seats_and_mixes JOIN {strata} USING (bot, seat, mix) JOIN (SELECT game, grp FROM played) USING (game)
"""


@dataclass(frozen=True)
class Expectation:
    """The sums of each stratum, and the statements that make the temporary table `valued` in a batch."""

    strata: Sums
    statements: tuple[str, ...]


class Source:
    """SQL sees `played` (one row a game, with its group `grp`) and the log's `seats`, `turns` and `tickets`."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self.runs = tuple(runs)
        self.players: int = runs[0].plan.players
        self.edition: Edition = runs[0].edition
        self.has_turns = all("turns" in run.plan.tables for run in runs)
        self.games = sum(run.finished_games for run in runs)
        self._only = ""
        self._known: dict[tuple[str, ...], Sums] = {}
        self._expected: dict[bool, Expectation] = {}
        self._made: dict[str, str] = {}  # of the batch that SQL sees: tables and what made them
        self._connection = _database().cursor()
        self._views: tuple[Path, tuple[int, ...], str] | None = None  # the run, parts and blocks that SQL sees

    @cached_property
    def blocks(self) -> int:
        return int(self.rows("SELECT count(DISTINCT block) AS n FROM games")["n"].sum())

    @cached_property
    def planning(self) -> bool:
        """Return whether any bot published what it wants."""
        return bool(self.rows("SELECT bool_or(plans) AS plans FROM seats")["plans"].any())

    def keep_blocks(self, blocks: pd.DataFrame) -> None:
        """Leave all other blocks out of `played` from now on."""
        self.add_table("kept_blocks", blocks)
        self._only = "SEMI JOIN kept_blocks USING (block)"

    def per_game(self, counts: Floats) -> Estimate:
        """Divide sums by group and key by the games."""
        games = self.sums(PLAYED, [])["games"]
        return ratio(counts, np.repeat(games, counts.shape[1], axis=1))

    def add_table(self, name: str, frame: pd.DataFrame) -> None:
        """Add a small table of facts for later queries."""
        self._connection.register("incoming", frame)
        self._execute(f"CREATE OR REPLACE TEMP TABLE {name} AS SELECT * FROM incoming")
        self._connection.unregister("incoming")
        self._made = {made: statement for made, statement in self._made.items() if name not in statement}

    def sums(self, sql: str, keys: Sequence[str]) -> Sums:
        """Return sums by `grp` and keys over all games; every other column of the query is a measure. Each query
        runs once."""
        question = (sql, *keys)
        if question not in self._known:
            self._known[question] = self.several_sums({sql: keys})[0]
        return self._known[question]

    def several_sums(self, questions: Mapping[str, Sequence[str]], before: Sequence[str] = ()) -> list[Sums]:
        """Return the same for several queries that read the same temporary tables, added up batch by batch."""
        batches = self.answers(list(questions), before)
        sums = (
            [Sums.of(rows, keys) for rows, keys in zip(batch, questions.values(), strict=True)] for batch in batches
        )
        return reduce(lambda total, batch: [one + more for one, more in zip(total, batch, strict=True)], sums)

    def counts(self, sql: str) -> pd.DataFrame:
        """Return the query's rows of all batches, their `n` added up."""
        return add_up(self.rows(sql))

    def rows(self, sql: str) -> pd.DataFrame:
        """Return the query's rows of all batches."""
        return pd.concat([rows for (rows,) in self.answers([sql])], ignore_index=True)

    def answers(self, queries: Sequence[str], before: Sequence[str] = ()) -> Iterator[list[pd.DataFrame]]:
        """Yield the rows of each query, batch by batch, once the statements of `before` have made their temporary
        tables."""
        for run in self._batches():
            try:
                self._make(before)
                found = [self._execute(query).df() for query in queries]
            except (duckdb.IOException, duckdb.InvalidInputException, duckdb.SerializationException) as error:
                raise UserError(f"a part of {run.path} can no longer be read: {str(error).splitlines()[0]}") from error
            yield found

    def _execute(self, sql: str) -> duckdb.DuckDBPyConnection:
        """Run a statement. Ctrl-C is to be Ctrl-C: DuckDB hears it in the middle of one, and makes an error of its own
        of it."""
        try:
            return self._connection.execute(sql)
        except RuntimeError as error:
            if str(error) == INTERRUPTED_QUERY:
                raise KeyboardInterrupt from None
            raise

    def _make(self, statements: Sequence[str]) -> None:
        """Make temporary tables; what is there already, made on this batch by the same statements, stays."""
        are_there = True
        for statement in statements:
            (name,) = MADE.findall(statement)
            are_there = are_there and self._made.get(name) == statement
            if not are_there:
                self._execute(statement)
                self._made[name] = statement

    def expect(self, by_mix: bool) -> Expectation:
        """Find the means of the strata in a first pass, so that a second one can look at what is left after them."""
        if by_mix not in self._expected:
            self._expected[by_mix] = self._expect(by_mix)
        return self._expected[by_mix]

    def _expect(self, by_mix: bool) -> Expectation:
        if by_mix:
            self.add_table("ticket_facts", ticket_facts(self.edition)[["ticket", "deck_number"]])
        mixes, name = (MIXES, "strata_of_mixes") if by_mix else (ONE_MIX, "strata_of_one_mix")
        (strata,) = self.several_sums({BY_STRATUM: STRATUM}, [mixes])
        means = {f"mean_{outcome}": strata.mean(outcome).value for outcome in ("win", "points")}
        self.add_table(name, strata.keys.assign(stratum=strata.keys.index, **means))
        return Expectation(strata, (mixes, VALUED.format(strata=name)))

    def _batches(self) -> Iterator[Run]:
        """Point the log's names at a batch of parts after another."""
        for number, run in enumerate(self.runs):
            for parts in _in_batches(run):
                self._show(run, number, parts)
                yield run

    def _show(self, run: Run, number: int, parts: tuple[int, ...]) -> None:
        """Let SQL see some parts of a run, unless it sees them already."""
        if self._views == (views := (run.path, parts, self._only)):
            return
        for table in run.plan.tables:
            files = ", ".join(_quoted(file) for file in run.files(table, parts))
            self._execute(f"CREATE OR REPLACE TEMP VIEW {table} AS FROM read_parquet([{files}])")
        played = f"SELECT {COLUMNS_OF_PLAYED}, {number} AS run FROM games {self._only}"
        self._execute(f"CREATE OR REPLACE TEMP VIEW played AS {played}")
        self._views, self._made = views, {}


@cache
def _database() -> duckdb.DuckDBPyConnection:
    """Return the one database of this process, of which each source has its own cursor and temporary tables."""
    database = duckdb.connect(config={"memory_limit": MEMORY_LIMIT, "temp_directory": tempfile.gettempdir()})
    # Rows are only ever added up, so their order is free; keeping it would cost memory.
    database.execute("SET preserve_insertion_order = false")
    return database


def add_up(rows: pd.DataFrame) -> pd.DataFrame:
    """Return one row for all that differ in `n` only, with its sum."""
    others = [name for name in rows.columns if name != "n"]
    return rows.groupby(others, as_index=False).agg({"n": "sum"})


def sources_of(runs: Sequence[Run]) -> tuple[Source, ...]:
    """Group the runs that have games by player count."""
    by_players: defaultdict[int, list[Run]] = defaultdict(list)
    for run in runs:
        if run.finished_games:
            by_players[run.plan.players].append(run)
    return tuple(Source(by_players[players]) for players in sorted(by_players))


def _in_batches(run: Run) -> Iterator[tuple[int, ...]]:
    batch: list[int] = []
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
    """Write a path as SQL text that DuckDB takes literally, whatever wildcards are in it."""
    literal = re.sub(r"([*?\[])", r"[\1]", str(file))
    return "'" + literal.replace("'", "''") + "'"

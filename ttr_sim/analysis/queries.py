"""SQL over the log's tables, for what is asked of few rows or once."""

from __future__ import annotations

import re
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ttr_sim.errors import UserError
from ttr_sim.log import TABLES
from ttr_sim.run.opened import Run

if TYPE_CHECKING:
    import duckdb
    import pandas as pd

MEMORY_LIMIT = "1GB"
INTERRUPTED_QUERY = "Query interrupted"  # what DuckDB says after Ctrl-C


def query(run: Run, sql: str) -> pd.DataFrame:
    """Return the rows of a query, in which `{games}`, `{seats}`, `{turns}` and `{tickets}` are a run's tables."""
    import duckdb

    tables = {name: _table(run, name) for name in TABLES if f"{{{name}}}" in sql}
    try:
        return _execute(sql.format(**tables)).df()
    except (duckdb.IOException, duckdb.InvalidInputException, duckdb.SerializationException) as error:
        raise unreadable(run, error) from error


def unreadable(run: Run, error: Exception) -> UserError:
    return UserError(f"a part of {run.path} can no longer be read: {str(error).splitlines()[0]}")


def _execute(sql: str) -> duckdb.DuckDBPyConnection:
    """Run a statement. Ctrl-C is to be Ctrl-C: DuckDB hears it in the middle of one, and makes an error of its own of
    it."""
    try:
        return _database().execute(sql)
    except RuntimeError as error:
        if str(error) == INTERRUPTED_QUERY:
            raise KeyboardInterrupt from None
        raise


@cache
def _database() -> duckdb.DuckDBPyConnection:
    import duckdb

    database = duckdb.connect(config={"memory_limit": MEMORY_LIMIT, "temp_directory": tempfile.gettempdir()})
    # Where rows are in an order, the query says so; keeping theirs would cost memory.
    database.execute("SET preserve_insertion_order = false")
    return database


def _table(run: Run, name: str) -> str:
    return f"read_parquet([{', '.join(map(_quoted, run.files(name)))}])"


def _quoted(file: Path) -> str:
    """Write a path as SQL text that DuckDB takes literally, whatever wildcards are in it."""
    literal = re.sub(r"([*?\[])", r"[\1]", str(file))
    return "'" + literal.replace("'", "''") + "'"

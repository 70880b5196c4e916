"""The referee's rows have the log's columns, all of them and in order."""

from __future__ import annotations

import pytest

from ttr_sim.log import TABLES
from ttr_sim.referee.log import GameRow, LogRow, SeatRow, TicketRow, TurnRow

ROWS = [("games", GameRow), ("seats", SeatRow), ("turns", TurnRow), ("tickets", TicketRow)]


@pytest.mark.parametrize(("table", "make"), ROWS)
def test_columns(table: str, make: type[LogRow]) -> None:
    assert make.columns == tuple(column.name for column in TABLES[table])


@pytest.mark.parametrize(("table", "make"), ROWS)
def test_cells_have_the_names_of_their_columns(table: str, make: type[LogRow]) -> None:
    row = make(range(len(TABLES[table])))
    assert [getattr(row, column.name) for column in TABLES[table]] == list(row)


def test_a_name_that_is_no_column_is_an_error() -> None:
    with pytest.raises(AttributeError, match="TurnRow has no column colour"):
        _ = TurnRow(()).colour

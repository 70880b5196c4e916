"""The referee's rows have the log's columns, all of them and in order."""

from __future__ import annotations

import pytest

from ttr_sim.log import TABLES
from ttr_sim.referee.rows import GameRow, SeatRow, TicketRow, TurnRow


@pytest.mark.parametrize(
    ("table", "fields"),
    [
        ("games", GameRow._fields),
        ("seats", SeatRow._fields),
        ("turns", TurnRow._fields),
        ("tickets", TicketRow._fields),
    ],
)
def test_columns(table: str, fields: tuple[str, ...]) -> None:
    assert fields == tuple(column.name for column in TABLES[table])

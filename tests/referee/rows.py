"""Rows of the log made and changed by hand."""

from __future__ import annotations

from typing import Any

from ttr_sim.referee.log import LogRow


def make_row(make: type[LogRow], /, **cells: Any) -> Any:
    """Make a row with null in every other column, and 0 for the game."""
    return changed(make((0, *(None for _ in make.columns[1:]))), **cells)


def changed(row: Any, /, **cells: Any) -> Any:
    """Return the row with other values in these cells."""
    make: type[LogRow] = type(row)
    assert cells.keys() <= set(make.columns)
    return make(cells.get(name, value) for name, value in zip(make.columns, row, strict=True))

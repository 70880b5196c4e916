"""Tables as CSV files that a spreadsheet opens as numbers and text, never as formulas."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

ENCODING = "utf-8-sig"  # without the mark at the start Excel takes the file for Latin-1
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")


def write_tables(tables: Mapping[str, pd.DataFrame], folder: Path) -> None:
    """Write one file per table, all columns and rows."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, table in tables.items():
        path = folder / f"{name}.csv"
        defused(table).to_csv(path, index=False, float_format="%.6g", quoting=csv.QUOTE_NONNUMERIC, encoding=ENCODING)


def defused(table: pd.DataFrame) -> pd.DataFrame:
    """Put an apostrophe before text that a spreadsheet would take for a formula; numbers stay."""
    safe = table.copy()
    for column in safe.columns:
        if safe[column].dtype.kind not in "biuf":
            safe[column] = safe[column].map(_defused_cell)
    return safe


def _defused_cell(cell: object) -> object:
    if isinstance(cell, str) and cell.lstrip(" ").startswith(FORMULA_STARTS):
        return f"'{cell}"
    return cell

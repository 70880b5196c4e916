"""Rows of tables as JSON objects."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


def records(table: pd.DataFrame, columns: Mapping[str, str] | None = None) -> list[dict[str, Any]]:
    """Return the rows with null for NaN, which JSON lacks; of all columns, or of these under other names."""
    chosen = table if columns is None else table[list(columns)].rename(columns=dict(columns))
    return [{str(name): _known(value) for name, value in row.items()} for row in chosen.to_dict("records")]


def _known(value: Any) -> Any:
    return None if isinstance(value, float) and math.isnan(value) else value

"""The order of lists that name the largest first."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

IDENTITY = ("from", "to", "color", "deck", "copy", "city", "name", "bot", "variant", "seat")


def ranked(rows: pd.DataFrame, *columns: str, ascending: bool | Sequence[bool] = False) -> pd.DataFrame:
    """Sort rows by these columns, and equals by what they are: never by where they stand in the files."""
    orders = [ascending] * len(columns) if isinstance(ascending, bool) else list(ascending)
    identity = [name for name in IDENTITY if name in rows and name not in columns]
    return rows.sort_values([*columns, *identity], ascending=[*orders, *[True] * len(identity)], kind="stable")

"""What `compare` prints: its verdict and headline numbers as text, or one JSON object."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ttr_sim.cli.text import aligned, bullet

if TYPE_CHECKING:
    import pandas as pd

    from ttr_sim.analysis.compare import Comparison


def as_object(comparison: Comparison) -> dict[str, Any]:
    from ttr_sim.analysis.compare import verdict
    from ttr_sim.analysis.compare.holding import how_far

    headlines = comparison.headlines.assign(holds=how_far(comparison.headlines, comparison.rivals))
    return {
        "a": str(comparison.a.path),
        "b": str(comparison.b.path),
        "paired": not comparison.unpaired,
        "blocks": comparison.blocks,
        "changes": list(comparison.changes),
        "verdict": verdict(comparison),
        "headlines": _records(headlines),
        "tickets": _records(comparison.tickets),
        "routes": _records(comparison.routes),
    }


def as_text(comparison: Comparison) -> str:
    from ttr_sim.analysis.compare import verdict

    changes = comparison.changes or ("nothing",)
    return "\n".join(
        [
            *map(bullet, verdict(comparison)),
            "",
            "Changed:",
            *map(bullet, changes),
            "",
            _table(comparison.headlines),
        ]
    )


def _table(headlines: pd.DataFrame) -> str:
    """Show shares in percent, and notable numbers with a star."""
    rows = [_line(row) for row in headlines.to_dict("records")]
    return aligned(("", "A", "B", "B - A", "95 % interval"), rows, left=1)


def _line(row: dict[Any, Any]) -> tuple[str, str, str, str, str]:
    from ttr_sim.analysis.compare import written

    def shown(column: str, plus: str = "") -> str:
        return written(row[column], row["unit"], plus)

    name = f"{row['name']}{', %' if row['unit'] == 'share' else ''}{' *' if row['notable'] else ''}"
    return name, shown("a"), shown("b"), shown("difference", "+"), f"{shown('low', '+')} to {shown('high', '+')}"


def _records(table: pd.DataFrame) -> list[dict[Any, Any]]:
    """Return the rows with null for NaN, which JSON lacks."""
    return [{name: _known(value) for name, value in row.items()} for row in table.to_dict("records")]


def _known(value: Any) -> Any:
    return None if isinstance(value, float) and math.isnan(value) else value

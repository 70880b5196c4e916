"""What `compare` prints: its verdict and headline numbers as text, or one JSON object."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Any

from ttr_sim.cli.records import records
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
        "headlines": records(headlines),
        "tickets": records(comparison.tickets),
        "routes": records(comparison.routes),
    }


def as_text(comparison: Comparison) -> str:
    from ttr_sim.analysis.compare import side_names, verdict

    changes = comparison.changes or ("nothing",)
    return "\n".join(
        [
            *map(bullet, verdict(comparison)),
            "",
            "Changed:",
            *map(bullet, changes),
            "",
            _table(comparison.headlines, side_names(comparison)),
        ]
    )


def _table(headlines: pd.DataFrame, names: tuple[str, str]) -> str:
    """Show shares in percent, and notable numbers with a star."""
    rows = [_line(row) for row in headlines.to_dict("records")]
    return aligned(("", *names, "difference", "95 % interval"), rows, left=1)


def _line(row: dict[Any, Any]) -> tuple[str, str, str, str, str]:
    from ttr_sim.analysis.compare import written

    def shown(column: str, plus: str = "") -> str:
        return written(row[column], row["unit"], plus)

    name = f"{row['name']}{', %' if row['unit'] == 'share' else ''}{' *' if row['notable'] else ''}"
    interval = "–" if isnan(row["low"]) else f"{shown('low', '+')} to {shown('high', '+')}"
    return name, shown("a"), shown("b"), shown("difference", "+"), interval

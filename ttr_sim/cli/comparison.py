"""What `compare` prints: its verdict and headline numbers for people, or one JSON object."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import click

from ttr_sim.cli.tables import aligned

if TYPE_CHECKING:
    import pandas as pd

    from ttr_sim.analysis.compare import Comparison

WIDTH = 100


def as_object(comparison: Comparison) -> dict[str, Any]:
    from ttr_sim.analysis.compare import verdict

    return {
        "a": str(comparison.a.path),
        "b": str(comparison.b.path),
        "paired": not comparison.unpaired,
        "blocks": comparison.blocks,
        "changes": list(comparison.changes),
        "verdict": verdict(comparison),
        "headlines": _records(comparison.headlines),
        "tickets": _records(comparison.tickets),
        "routes": _records(comparison.routes),
    }


def as_text(comparison: Comparison) -> str:
    from ttr_sim.analysis.compare import verdict

    changes = comparison.changes or ("nothing",)
    return "\n".join(
        [
            *(click.wrap_text(sentence, WIDTH, "- ", "  ") for sentence in verdict(comparison)),
            "",
            "Changed:",
            *(click.wrap_text(change, WIDTH, "- ", "  ") for change in changes),
            "",
            aligned(("headline", "A", "B", "difference", "from", "to", "p"), _lines(comparison.headlines)),
        ]
    )


def _lines(headlines: pd.DataFrame) -> list[list[object]]:
    """The more certain numbers carry a star."""
    columns = ["a", "b", "difference", "low", "high", "p_adjusted"]
    return [
        [f"{row['name']}{' *' if row['notable'] else ''}", *(_known(row[column]) for column in columns)]
        for row in headlines.to_dict("records")
    ]


def _records(table: pd.DataFrame) -> list[dict[Any, Any]]:
    """JSON has no NaN: what cannot be said is null."""
    return [{name: _known(value) for name, value in row.items()} for row in table.to_dict("records")]


def _known(value: Any) -> Any:
    return None if isinstance(value, float) and math.isnan(value) else value

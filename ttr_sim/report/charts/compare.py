"""What moved between two runs: differences with their intervals, beside what is too small to report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ttr_sim.analysis.compare import enough, side_names
from ttr_sim.analysis.compare.layout import TICKETS, Number
from ttr_sim.analysis.ranking import ranked
from ttr_sim.analysis.tables import Unit
from ttr_sim.analysis.words import ends
from ttr_sim.report.board.colors import INK, SOFT_INK
from ttr_sim.report.charts.panels import GRID
from ttr_sim.report.charts.style import SERIES, Chart, dots, facets, one, percent_axis, rows_of, short, tell
from ttr_sim.report.numbers import counted, signed, signed_interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ttr_sim.analysis.compare import Comparison

SMALLEST = 1e-9  # when everything is worth reporting
MOST_TICKETS = 16
SHOWN = ("wins", "kept", "completed")  # numbers of tickets, all of them shares


def headline_changes(comparison: Comparison) -> Chart:
    """Draw one row per headline, all on one scale: the smallest difference worth reporting."""
    table = comparison.headlines
    least = enough(table, max(comparison.least, SMALLEST))
    scaled = _spread(table, "").div(least.where(least > 0), axis=0)
    figure, panel = one(1.1 + 0.34 * len(table))
    panel.axvspan(-1, 1, color=GRID, linewidth=0, alpha=0.6)
    _dots(panel, scaled, table["notable"])
    told = [_told(row, "", row["unit"], str(row["name"])) for row in table.to_dict("records")]
    tell(panel, zip(scaled["x"], range(len(table)), told, strict=True))
    rows_of([panel], table["name"].tolist())
    panel.set_xlabel(f"{_minus(comparison)}, in units of the smallest difference worth reporting")
    return Chart(
        "headline-changes",
        _what_moved(table),
        "Within the gray band a difference is too small to report. Filled squares are notable, rings are not; bars are "
        "95 % intervals.",
        figure,
    )


def _what_moved(table: pd.DataFrame) -> str:
    names = table["name"][table["notable"].fillna(False).astype(bool)].tolist()
    if not names:
        return "No headline number moved by enough to report"
    return f"{counted(len(names), 'headline number')} of {len(table)} moved by enough to report"


def ticket_changes(comparison: Comparison) -> Chart | None:
    """Draw the tickets that moved most, one panel per number."""
    numbers = [number for number in TICKETS.numbers if number.name in SHOWN]
    tickets = comparison.tickets
    if tickets.empty:
        return None
    size = tickets[[f"{number.prefix}difference" for number in numbers]].abs().max(axis=1)
    moved = ranked(tickets.assign(size=size), "size")[:MOST_TICKETS]
    figure, panels = facets([number.words for number in numbers], 1.0 + 0.32 * len(moved))
    for panel, number in zip(panels, numbers, strict=True):
        panel.axvspan(-comparison.least, comparison.least, color=GRID, linewidth=0, alpha=0.6)
        _dots(panel, _spread(moved, number.prefix), moved[number.notable])
        told = [_told(row, number.prefix, number.unit, ends(row)) for row in moved.to_dict("records")]
        tell(panel, zip(moved[f"{number.prefix}difference"], range(len(moved)), told, strict=True))
        panel.set_xlabel("% points")
        percent_axis(panel.xaxis, signed=True)
    rows_of(panels, [ends(row) for row in moved.to_dict("records")])
    return Chart(
        "ticket-changes",
        _which_moved(comparison.tickets, numbers),
        f"Percentage points, {_minus(comparison)}. Within the gray band a difference is too small to report; filled "
        "squares are notable, rings are not; bars are 95 % intervals.",
        figure,
    )


def _which_moved(tickets: pd.DataFrame, numbers: Sequence[Number]) -> str:
    notable = tickets[[number.notable for number in numbers]].fillna(False).astype(bool).any(axis=1)
    if not notable.any():
        return "No ticket moved by enough to report"
    return f"{counted(int(notable.sum()), 'ticket')} of {len(tickets)} moved by enough to report"


def _told(row: Mapping[Any, Any], prefix: str, unit: Unit, name: str) -> str:
    """Write a difference with its interval; that of shares in percentage points."""
    change: Unit = "change" if unit == "share" else unit
    gap, low, high = (row[f"{prefix}{end}"] for end in ("difference", "low", "high"))
    return f"{name}: {signed(gap, change)} ({signed_interval(low, high, change)})"


def _minus(comparison: Comparison) -> str:
    a, b = side_names(comparison)
    return f"{short(b)} minus {short(a)}"


def _spread(table: pd.DataFrame, prefix: str) -> pd.DataFrame:
    columns = {f"{prefix}difference": "x", f"{prefix}low": "x_low", f"{prefix}high": "x_high"}
    return table[list(columns)].rename(columns=columns)


def _dots(panel: Axes, values: pd.DataFrame, notable: pd.Series) -> None:
    panel.axvline(0, color=SOFT_INK, linewidth=1.0)
    lines = np.arange(len(values))
    flags = notable.fillna(False).to_numpy(bool)
    dots(panel, values[flags], "x", lines[flags], fmt="s", color=SERIES[1])
    dots(panel, values[~flags], "x", lines[~flags], fmt="o", color=INK, markerfacecolor="none")

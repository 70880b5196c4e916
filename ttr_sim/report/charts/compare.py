"""Charts of a comparison: differences with their intervals, and the band too small to report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from ttr_sim.analysis.compare import TICKETS, Comparison, enough
from ttr_sim.analysis.compare_text import side_names
from ttr_sim.analysis.tables import Unit
from ttr_sim.analysis.text import ends, ranked
from ttr_sim.report.charts import style
from ttr_sim.report.colors import GRID, INK, SERIES, SOFT_INK
from ttr_sim.report.figures import Chart, add_tips
from ttr_sim.report.numbers import counted, signed, signed_interval

SMALLEST = 1e-9  # when everything is worth reporting
MOST_TICKETS = 16
SHOWN = ("wins", "kept", "completed")  # numbers of tickets, all of them shares


def headline_changes(comparison: Comparison) -> Chart:
    """Draw headlines in units of the smallest difference worth reporting."""
    table = comparison.headlines
    least = enough(table, max(comparison.least, SMALLEST))
    scaled = _differences(table, "").div(least.where(least > 0), axis=0)
    figure, panel = style.one_panel(1.1 + 0.34 * len(table))
    tips = [_tip(row, "", row["unit"], str(row["name"])) for row in table.to_dict("records")]
    _draw_differences(panel, scaled, table["notable"], 1.0, tips)
    style.name_rows([panel], table["name"].tolist())
    panel.set_xlabel(f"{_minus(comparison)}, in units of the smallest difference worth reporting")
    moved = int(table["notable"].fillna(False).astype(bool).sum())
    title = f"{counted(moved, 'headline number')} of {len(table)} moved by enough to report"
    return Chart(
        "headline-changes",
        title if moved else "No headline number moved by enough to report",
        "Within the gray band a difference is too small to report. Filled squares are notable, rings are not; bars are "
        "95 % intervals.",
        figure,
    )


def ticket_changes(comparison: Comparison) -> Chart | None:
    """Draw the tickets that moved most, one panel per number."""
    numbers = [number for number in TICKETS.numbers if number.name in SHOWN]
    tickets = comparison.tickets
    if tickets.empty:
        return None
    size = tickets[[f"{number.prefix}difference" for number in numbers]].abs().max(axis=1)
    moved = ranked(tickets.assign(size=size), "size")[:MOST_TICKETS]
    names = [ends(row) for row in moved.to_dict("records")]
    figure, panels = style.facets([number.words for number in numbers], 1.0 + 0.32 * len(moved))
    for panel, number in zip(panels, numbers, strict=True):
        tips = [_tip(row, number.prefix, number.unit, ends(row)) for row in moved.to_dict("records")]
        _draw_differences(panel, _differences(moved, number.prefix), moved[number.notable], comparison.least, tips)
        panel.set_xlabel("% points")
        style.percent_axis(panel.xaxis, signed=True)
    style.name_rows(panels, names)
    notable = int(tickets[[number.notable for number in numbers]].fillna(False).astype(bool).any(axis=1).sum())
    title = f"{counted(notable, 'ticket')} of {len(tickets)} moved by enough to report"
    return Chart(
        "ticket-changes",
        title if notable else "No ticket moved by enough to report",
        f"Percentage points, {_minus(comparison)}. Within the gray band a difference is too small to report; filled "
        "squares are notable, rings are not; bars are 95 % intervals.",
        figure,
    )


def _tip(row: Mapping[Any, Any], prefix: str, unit: Unit, name: str) -> str:
    """Write a difference with its interval, for shares in percentage points."""
    change: Unit = "change" if unit == "share" else unit
    gap, low, high = (row[f"{prefix}{end}"] for end in ("difference", "low", "high"))
    return f"{name}: {signed(gap, change)} ({signed_interval(low, high, change)})"


def _minus(comparison: Comparison) -> str:
    a, b = side_names(comparison)
    return f"{style.short(b)} minus {style.short(a)}"


def _differences(table: pd.DataFrame, prefix: str) -> pd.DataFrame:
    columns = {f"{prefix}difference": "x", f"{prefix}low": "x_low", f"{prefix}high": "x_high"}
    return table[list(columns)].rename(columns=columns)


def _draw_differences(panel: Axes, values: pd.DataFrame, notable: pd.Series, least: float, tips: list[str]) -> None:
    panel.axvspan(-least, least, color=GRID, linewidth=0, alpha=0.6)
    panel.axvline(0, color=SOFT_INK, linewidth=1.0)
    lines, flags = np.arange(len(values)), notable.fillna(False).to_numpy(bool)
    style.dots(panel, values[flags], "x", lines[flags], fmt="s", color=SERIES[1])
    style.dots(panel, values[~flags], "x", lines[~flags], fmt="o", color=INK, markerfacecolor="none")
    add_tips(panel, zip(values["x"], lines, tips, strict=True))

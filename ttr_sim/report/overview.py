"""Several editions side by side: one page with their headline numbers, linked to the page of each."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib as mpl
from matplotlib.figure import Figure

from ttr_sim.report.board.canvas import settings
from ttr_sim.report.charts.style import LOOK, MARKS, SERIES, WIDTH, Chart, dots, legend, percent_axis, rows_of, short
from ttr_sim.report.document import write_document
from ttr_sim.report.folder import PAGE, new_report
from ttr_sim.report.glance import MEASURES, Measure, find_row, side_by_side
from ttr_sim.report.inline import inline_chart
from ttr_sim.report.numbers import players_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ttr_sim.analysis.analysis import Analysis
    from ttr_sim.report.reports import Report

ACROSS = 3  # panels in a row
MOST_FINDINGS = 5


def write_overview(reports: Sequence[Report], folder: Path, pictures: bool = True) -> Path:
    """Write index.html, and its chart beside it."""
    with new_report(folder) as beside:
        drawings = beside / "charts" if pictures else None
        if drawings:
            drawings.mkdir()
        write_document(beside / PAGE, "overview.html.j2", _context(reports, folder, drawings))
    return folder / PAGE


def _context(reports: Sequence[Report], folder: Path, drawings: Path | None) -> dict[str, object]:
    analyses = [report.analysis for report in reports]
    counts = sorted({run.players for analysis in analyses for run in analysis.runs})
    with settings():
        chart = headline_chart(analyses, counts)
        drawn = inline_chart(chart, drawings)
    return {
        "editions": [_edition(report, folder) for report in reports],
        "tables": [(count, side_by_side(analyses, count)) for count in counts],
        "chart": chart,
        "drawn": drawn,
    }


def _edition(report: Report, folder: Path) -> dict[str, object]:
    analysis = report.analysis
    return {
        "title": analysis.edition.title,
        "href": Path(os.path.relpath(report.page, folder)).as_posix(),
        "games": sum(run.games for run in analysis.runs),
        "findings": [finding.sentence for finding in analysis.findings if finding.notable][:MOST_FINDINGS],
    }


def headline_chart(analyses: Sequence[Analysis], counts: Sequence[int]) -> Chart:
    """Draw one panel per measure, one row per edition, one mark per player count."""
    measures = [measure for measure in MEASURES if any(_rows(analysis, measure, counts) for analysis in analyses)]
    down = -(-len(measures) // ACROSS)
    with mpl.rc_context(LOOK):
        figure = Figure(figsize=(WIDTH, 0.7 + down * (0.8 + 0.34 * len(analyses))), layout="constrained")
        panels = figure.subplots(down, ACROSS, sharey=True, squeeze=False).ravel().tolist()
        for panel, measure in zip(panels, measures, strict=False):
            _draw_measure(panel, measure, analyses, counts)
        for panel in panels[len(measures) :]:
            panel.set_visible(False)
        rows_of(panels, [short(analysis.edition.title) for analysis in analyses])
        legend(figure)
    return Chart(
        "headlines",
        "Headline numbers",
        "One row per edition, one mark per player count, with 95 % intervals where they are wider than the mark.",
        figure,
    )


def _draw_measure(panel: Axes, measure: Measure, analyses: Sequence[Analysis], counts: Sequence[int]) -> None:
    import pandas as pd

    panel.set_title(measure.words)
    panel.grid(axis="y", visible=False)
    for number, count in enumerate(counts):
        known = [row for row, analysis in enumerate(analyses) if _rows(analysis, measure, [count])]
        rows = [_rows(analyses[row], measure, [count])[0] for row in known]
        shift = (number - (len(counts) - 1) / 2) * 0.16
        look = {"fmt": MARKS[number % len(MARKS)], "color": SERIES[number % len(SERIES)], "label": players_words(count)}
        if rows:
            names = [f"{analyses[row].edition.title}, {players_words(count)}" for row in known]
            at = [row + shift for row in known]
            dots(panel, pd.DataFrame(rows), measure.column, at, names, measure.unit, **look)
    if measure.unit == "share":
        percent_axis(panel.xaxis)


def _rows(analysis: Analysis, measure: Measure, counts: Sequence[int]) -> list[dict[str, object]]:
    found = [find_row(analysis.tables[measure.table], measure, count) for count in counts]
    return [row for row in found if row is not None]

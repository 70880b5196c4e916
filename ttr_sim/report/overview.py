"""Several editions side by side: one page with their headline numbers, linked to the page of each."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib as mpl

from ttr_sim.report.board.canvas import settings
from ttr_sim.report.board.drawing import printed_board
from ttr_sim.report.board.layout import lay_out
from ttr_sim.report.board.svg import svg_of
from ttr_sim.report.charts.style import LOOK, MARKS, SERIES, Chart, dots, facets, legend, percent_axis, rows_of, short
from ttr_sim.report.document import write_document
from ttr_sim.report.folder import PAGE, new_report
from ttr_sim.report.glance import MEASURES, ROUNDS, GlanceLine, find_row, side_by_side
from ttr_sim.report.inline import inline, inline_chart
from ttr_sim.report.numbers import main_count, played_counts, players_words, with_unit
from ttr_sim.report.opening import banner, played, sentences
from ttr_sim.report.ranges import Ranges

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ttr_sim.analysis.analysis import Analysis
    from ttr_sim.report.reports import Report

ACROSS = 3  # panels in a row
MOST_SENTENCES = 3


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
        chart = inline_chart(headline_chart(analyses, counts), drawings)
        editions = [_edition(report, folder, place) for place, report in enumerate(reports)]
    return {
        "editions": editions,
        "tables": [(count, side_by_side(analyses, count)) for count in counts],
        "chart": chart,
    }


def _edition(report: Report, folder: Path, place: int) -> dict[str, object]:
    """Return a thumbnail of the board, three sentences about it, and where its page is."""
    analysis = report.analysis
    board = printed_board(analysis.edition, lay_out(analysis.edition))
    label = f"The board of {analysis.edition.title}"
    return {
        "title": analysis.edition.title,
        "href": Path(os.path.relpath(report.page, folder)).as_posix(),
        "board": inline(svg_of(board, f"board{place}-"), label),
        "said": sentences(analysis, main_count(played_counts(analysis)), Ranges({}))[:MOST_SENTENCES],
        "banner": banner(analysis),
        "played": played(analysis),
    }


def headline_chart(analyses: Sequence[Analysis], counts: Sequence[int]) -> Chart:
    """Draw one panel per measure, one row per edition, one mark per player count."""
    measures = [measure for measure in MEASURES if any(_rows(analysis, measure, counts) for analysis in analyses)]
    down = -(-len(measures) // ACROSS)
    with mpl.rc_context(LOOK):
        height = 0.7 + down * (0.8 + 0.34 * len(analyses))
        figure, panels = facets([measure.words for measure in measures], height, share_x=False, across=ACROSS)
        for panel, measure in zip(panels, measures, strict=True):
            _draw_measure(panel, measure, analyses, counts)
        rows_of(panels, [short(analysis.edition.title) for analysis in analyses])
        legend(figure)
    return Chart(
        "headlines",
        _shortest_and_longest(analyses, counts),
        "One row per edition, one mark per player count, with 95 % intervals where they are wider than the mark.",
        figure,
    )


def _shortest_and_longest(analyses: Sequence[Analysis], counts: Sequence[int]) -> str:
    """Say what the chart shows first: on which boards games end early and late, as a mean over the player counts."""
    means = {}
    for analysis in analyses:
        if rows := _rows(analysis, ROUNDS, counts):
            means[analysis.edition.title] = sum(float(str(row[ROUNDS.column])) for row in rows) / len(rows)
    if len(means) < 2:
        return "Headline numbers"
    (short_one, least), *_, (long_one, most) = sorted(means.items(), key=lambda pair: pair[1])
    return (
        f"Games are shortest on {short_one}, {with_unit(least, ROUNDS.unit)}, "
        f"and longest on {long_one}, {with_unit(most, ROUNDS.unit)}"
    )


def _draw_measure(panel: Axes, measure: GlanceLine, analyses: Sequence[Analysis], counts: Sequence[int]) -> None:
    import pandas as pd

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


def _rows(analysis: Analysis, measure: GlanceLine, counts: Sequence[int]) -> list[dict[str, object]]:
    found = [find_row(analysis.tables[measure.table], measure, count) for count in counts]
    return [row for row in found if row is not None]

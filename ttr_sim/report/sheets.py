"""The charts of a page. They keep a core busy, so where there is a second one they are drawn in a process of their own,
while this one draws the maps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib as mpl

from ttr_sim.report.board.canvas import settings
from ttr_sim.report.charts.style import LOOK
from ttr_sim.report.inline import InlineChart, inline_chart
from ttr_sim.report.sections import SECTIONS

if TYPE_CHECKING:
    from ttr_sim.analysis.analysis import Analysis

Sheets = dict[str, list[InlineChart]]  # by the anchor of their section


@contextmanager
def charts_of(analysis: Analysis, folder: Path | None) -> Iterator[Callable[[], Sheets]]:
    """Begin to draw, and yield what waits for the charts; without pictures there is too little to do to share it."""
    from joblib import cpu_count
    from joblib.externals.loky import ProcessPoolExecutor

    if folder is None or cpu_count() == 1:
        yield partial(draw_charts, analysis, folder)
        return
    with ProcessPoolExecutor(1) as beside:
        yield beside.submit(draw_charts, analysis, folder).result


def draw_charts(analysis: Analysis, folder: Path | None) -> Sheets:
    """Draw the charts of each section, as PNG too if there is a folder."""
    with settings():
        with mpl.rc_context(LOOK):
            drawn = {section.anchor: [draw(analysis) for draw in section.charts] for section in SECTIONS}
        return {anchor: [inline_chart(chart, folder) for chart in charts if chart] for anchor, charts in drawn.items()}

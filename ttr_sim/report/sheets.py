"""The charts of a section of a page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib as mpl

from ttr_sim.report.board.canvas import settings
from ttr_sim.report.charts.style import LOOK
from ttr_sim.report.inline import InlineChart, inline_chart
from ttr_sim.report.sections import Section

if TYPE_CHECKING:
    from ttr_sim.analysis.analysis import Analysis


def draw_charts(analysis: Analysis, section: Section, folder: Path | None) -> list[InlineChart]:
    """Draw the charts of a section, as PNG too if there is a folder."""
    with settings():
        with mpl.rc_context(LOOK):
            drawn = [draw(analysis) for draw in section.charts]
        return [inline_chart(chart, folder) for chart in drawn if chart]

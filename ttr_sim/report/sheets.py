"""The charts of a page, by section."""

from __future__ import annotations

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


def draw_charts(analysis: Analysis, folder: Path | None) -> Sheets:
    """Draw the charts of each section, as PNG too if there is a folder."""
    with settings():
        with mpl.rc_context(LOOK):
            drawn = {section.anchor: [draw(analysis) for draw in section.charts] for section in SECTIONS}
        return {anchor: [inline_chart(chart, folder) for chart in charts if chart] for anchor, charts in drawn.items()}

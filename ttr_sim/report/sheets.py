"""The charts of a page, drawn in either process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib as mpl

from ttr_sim.edition.statics import statics
from ttr_sim.report.board.canvas import settings
from ttr_sim.report.charts.paper import loads_on_paper
from ttr_sim.report.charts.style import LOOK, Chart
from ttr_sim.report.inline import InlineChart, inline_chart
from ttr_sim.report.sections import Section
from ttr_sim.report.shared import Shared

if TYPE_CHECKING:
    from ttr_sim.analysis.analysis import Analysis
    from ttr_sim.edition.model import Edition


def draw_charts(analysis: Shared[Analysis], section: Section, folder: Path | None) -> list[InlineChart]:
    """Draw the charts of a section, as PNG too if there is a folder."""
    return _inline(lambda: [draw(analysis.content) for draw in section.charts], folder)


def draw_paper(edition: Edition, folder: Path | None) -> InlineChart:
    """Draw what tickets ask for before anyone plays, as PNG too if there is a folder."""
    [chart] = _inline(lambda: [loads_on_paper(statics(edition))], folder)
    return chart


def _inline(draw: Callable[[], Sequence[Chart | None]], folder: Path | None) -> list[InlineChart]:
    with settings():
        with mpl.rc_context(LOOK):
            drawn = draw()
        return [inline_chart(chart, folder) for chart in drawn if chart]

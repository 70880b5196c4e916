"""What is drawn of an analysis: begun in the process beside as soon as there are numbers, and finished by both."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ttr_sim.analysis.beside import Beside
from ttr_sim.edition.statics import Statics, statics
from ttr_sim.report.board.layout import Layout, know_layout, lay_out
from ttr_sim.report.inline import InlineChart
from ttr_sim.report.maps import ValueMap, blank_sheet, value_maps, write_pictures
from ttr_sim.report.sections import SECTIONS
from ttr_sim.report.shared import Shared
from ttr_sim.report.sheets import draw_charts, draw_paper

if TYPE_CHECKING:
    from ttr_sim.analysis.analysis import Analysis

Sheets = dict[str, list[InlineChart]]  # by the anchor of their section


@dataclass(frozen=True)
class Drawings:
    """Charts and pictures of maps in the making, and what else is drawn from; `folder` is that of the PNG files."""

    folder: Path | None
    board: Statics
    layout: Layout
    shown: list[ValueMap]
    _paper: Callable[[], InlineChart]
    _charts: dict[str, Callable[[], list[InlineChart]]]
    _painting: list[Callable[[], None]]

    def finish(self) -> tuple[InlineChart, Sheets]:
        """Draw what is not yet begun, from the end, as the other process comes from the beginning. Return the chart of
        what tickets ask for before anyone plays, and all others."""
        for paint in reversed(self._painting):
            paint()
        sheets = {anchor: draw() for anchor, draw in reversed(self._charts.items())}
        return self._paper(), sheets


def begin_drawings(analysis: Analysis, folder: Path | None, beside: Beside) -> Drawings:
    """Begin with all that the other process can draw, as PNG too if there is a folder."""
    edition, shared = analysis.edition, Shared(analysis)
    paper = beside.begin(draw_paper, edition, folder)
    charts = {part.anchor: beside.begin(draw_charts, shared, part, folder) for part in SECTIONS}
    layout, board = beside.begin(lay_out, edition)(), statics(edition)
    know_layout(edition, layout)
    shown, painting = value_maps(analysis, board), []
    if folder:
        sheet = Shared(blank_sheet(edition, layout))
        painting = [beside.begin(write_pictures, sheet, each, folder) for each in shown]
    return Drawings(folder, board, layout, shown, paper, charts, painting)

"""Labels around panels stand where matplotlib would put its own, and SVG keeps them as text anchored to their tick."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ttr_sim.report.board.canvas import settings
from ttr_sim.report.board.svg import SVG, svg_of
from ttr_sim.report.charts.panels import Panel
from ttr_sim.report.charts.style import LOOK, facets, one, percent_axis, rows_of
from ttr_sim.report.pictures import canvas_of, pixels

NEAR = 2.5  # pixels
PLACE = (0.2, 0.3, 0.6, 0.5)


def panel_like(figure: Figure, kind: type[Axes]) -> Axes:
    panel = figure.add_axes(kind(figure, PLACE))
    panel.set_xlim(-0.13, 1.07)
    panel.set_ylim(0, 12)
    percent_axis(panel.xaxis)
    panel.set_xlabel("share of games")
    panel.set_ylabel("claims")
    return panel


def corners(figure: Figure, panel: Axes) -> np.ndarray:
    box = panel.get_tightbbox(canvas_of(figure).get_renderer())
    assert box is not None
    return box.get_points()


def test_labels_take_the_room_that_matplotlib_gives_its_own() -> None:
    with settings(), mpl.rc_context(LOOK):
        figures = Figure(), Figure()
        ours, theirs = (panel_like(*pair) for pair in zip(figures, (Panel, Axes), strict=True))
        found, expected = (corners(*pair) for pair in zip(figures, (ours, theirs), strict=True))
    assert np.abs(found - expected).max() < NEAR


def test_a_panel_looks_as_matplotlib_draws_it() -> None:
    with settings(), mpl.rc_context(LOOK | {"axes.grid": True, "grid.color": "#d9dce0", "axes.axisbelow": True}):
        drawn = []
        for kind in (Panel, Axes):
            figure = Figure(facecolor="white")
            panel_like(figure, kind)
            drawn.append(pixels(figure)[:, :, :3].astype(int))
    dark = [np.argwhere(picture.sum(axis=2) < 600) for picture in drawn]
    assert abs(len(dark[0]) - len(dark[1])) < 0.1 * len(dark[1])
    assert np.abs(dark[0].mean(axis=0) - dark[1].mean(axis=0)).max() < NEAR


def test_everything_around_panels_stays_inside_the_figure() -> None:
    with settings(), mpl.rc_context(LOOK):
        figure, panels = facets(["one", "two", "three", "four"], 3.0, across=2)
        rows_of(panels, ["a name of some length", "b"])
        for panel in panels:
            panel.set_xlabel("share")
        canvas = canvas_of(figure)
        engine = figure.get_layout_engine()
        assert engine is not None
        engine.execute(figure)
        boxes = [panel.get_tightbbox(canvas.get_renderer()) for panel in panels]
    assert all(figure.bbox.contains(*corner) for box in boxes if box for corner in box.get_points())
    assert [panel.rules.y.has_labels for panel in panels] == [True, False, True, False]


@pytest.mark.parametrize("turned", [False, True])
def test_labels_are_text_in_svg(turned: bool) -> None:
    with settings(), mpl.rc_context(LOOK):
        figure, panel = one(3.0)
        panel.rules.x.name_places(["north", "south"])
        panel.rules.x.is_turned = turned
        panel.set_xlim(-0.5, 1.5)
        panel.set_yticks([0.25, 0.5])
        texts = {text.text: text for text in svg_of(figure).iter(f"{{{SVG}}}text")}
    assert {"north", "south", "0.25", "0.50"} <= set(texts)
    assert "text-anchor:end" in texts["0.50"].attrib["style"]
    assert ("rotate(-90)" in texts["north"].get("transform", "")) == turned
    assert ("text-anchor:middle" in texts["north"].attrib["style"]) != turned

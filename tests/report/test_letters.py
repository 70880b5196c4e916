"""Pasted labels stand where matplotlib would draw them."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from numpy.typing import NDArray

from ttr_sim.report.board.canvas import settings
from ttr_sim.report.letters import LetterCanvas
from ttr_sim.report.pictures import DPI

WORDS = "Königsberg, gyp 100 %"
BLURRED = 60  # of 255: what half a pixel may change, once neighbors are taken together


def drawn(canvas: type[FigureCanvasAgg], x: float, y: float, **look: object) -> NDArray[np.float64]:
    with settings():
        figure = Figure(figsize=(3.017, 1.013), dpi=DPI)
        figure.text(x, y, WORDS, **look)
        surface = canvas(figure)
        surface.draw()
        return np.asarray(surface.buffer_rgba())[..., :3].astype(float)


def blurred(picture: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean of each three by three pixels."""
    rows = (picture[:-2] + picture[1:-1] + picture[2:]) / 3
    return (rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:]) / 3


@pytest.mark.parametrize(
    "look", [{}, {"color": "#0072b2", "fontsize": 13, "fontweight": "bold"}, {"ha": "center", "va": "center"}]
)
def test_a_label_stands_where_it_would_be_drawn(look: dict[str, object]) -> None:
    for x, y in ((0.1, 0.4), (0.113, 0.477), (0.32, 0.5)):
        pasted, painted = (drawn(canvas, x, y, **look) for canvas in (LetterCanvas, FigureCanvasAgg))
        assert pasted.shape == painted.shape
        assert pasted.min() < 128
        assert abs(blurred(pasted) - blurred(painted)).max() <= BLURRED


@pytest.mark.parametrize("look", [{"rotation": 90, "fontsize": 5}, {"color": (0, 0, 0, 0.3)}, {"alpha": 0.3}])
def test_turned_and_see_through_labels_are_drawn(look: dict[str, object]) -> None:
    assert (drawn(LetterCanvas, 0.2, 0.1, **look) == drawn(FigureCanvasAgg, 0.2, 0.1, **look)).all()

"""A matplotlib figure in points with y downward, and groups that reach the SVG with an id."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import matplotlib as mpl
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

FONTS = ["DejaVu Sans", "Verdana", "sans-serif"]
SETTINGS: Any = {
    "svg.fonttype": "none",  # text stays text: small, selectable, styled by the page
    "svg.hashsalt": "ttr-sim",  # the same drawing gives the same bytes
    "text.parse_math": False,  # a $ in a city's name is a $
    "font.family": "sans-serif",
    "font.sans-serif": FONTS,
    "path.simplify": False,
}


@contextmanager
def settings() -> Iterator[None]:
    """Apply the drawing's settings of matplotlib, for as long as it draws."""
    with mpl.rc_context(SETTINGS), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")  # a browser has more fonts than matplotlib
        yield


class Group(Artist):
    """Artists drawn together; in SVG a <g> with this id."""

    def __init__(self, gid: str, members: Sequence[Artist]) -> None:
        super().__init__()
        self.set_gid(gid)
        self.members = members

    def draw(self, renderer: Any) -> None:
        if not self.get_visible():
            return
        renderer.open_group("group", self.get_gid())
        for member in self.members:
            member.draw(renderer)
        renderer.close_group("group")


def blank(width: float, height: float, ground: str) -> tuple[Figure, Axes]:
    """Return a figure whose data coordinates are points from the upper left corner."""
    figure = Figure(figsize=(width / 72, height / 72), facecolor=ground)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_xlim(0, width)
    axes.set_ylim(height, 0)
    axes.axis("off")
    return figure, axes

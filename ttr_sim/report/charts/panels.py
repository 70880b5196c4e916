"""Panels of a chart, with what stands around them: grid, ticks, their labels and the names of both axes.

Matplotlib makes five artists of each tick and measures each several times, which took longer than all that charts show.
Here an edge of a panel draws all of its own at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.ticker import FixedFormatter, FixedLocator
from matplotlib.transforms import Bbox, IdentityTransform

from ttr_sim.report.board.colors import INK, SOFT_INK
from ttr_sim.report.board.curves import Points

GRID = "#d9dce0"
GRID_WIDTH, TICK_WIDTH = 0.7, 0.8  # points, as everything here
TICK, TICK_PAD, NAME_PAD = 3.5, 3.5, 4.0
LETTERS = FontProperties(size=10.0)
WIDER = 0.03  # by which share browsers may set letters wider than they are measured here
IN_SIGHT = 1e-6  # of an axis' length that a tick may lie outside
BELOW_ALL = 0.5  # the order of drawing
AS_IT_IS = IdentityTransform()


class Panel(Axes):
    """Axes whose grid, ticks and labels are drawn by `rules`."""

    def __init__(self, figure: Figure, *at: Any, **look: Any) -> None:
        super().__init__(figure, *at, **look)
        self.xaxis.set_visible(False)
        self.yaxis.set_visible(False)
        self.rules = Rules(self)
        self.add_artist(self.rules)


class Rules(Artist):
    """What is drawn around a panel, and its grid."""

    zorder = BELOW_ALL

    def __init__(self, panel: Panel) -> None:
        super().__init__()
        self.x, self.y = Edge(panel, panel.xaxis, across=False), Edge(panel, panel.yaxis, across=True)
        self.set_clip_on(False)

    def draw(self, renderer: Any) -> None:
        for edge in (self.x, self.y):
            edge.draw(renderer)

    def get_window_extent(self, renderer: Any = None) -> Bbox:
        """Return what is taken by labels and names; a name takes no room along its edge."""
        boxes = [box for edge in (self.x, self.y) for box in edge.boxes(renderer)]
        return Bbox.union(boxes) if boxes else Bbox.null()


class Edge:
    """The lower edge of a panel, or the left one, with the grid that begins there."""

    def __init__(self, panel: Panel, axis: Axis, across: bool) -> None:
        self._panel, self._axis, self._across = panel, axis, across
        self._words = Text(fontproperties=LETTERS, transform=AS_IT_IS, ha="right" if across else "center")
        self.has_grid = self.has_labels = True
        self.tick = TICK
        self.is_turned = False  # labels read from below

    def name_places(self, names: Sequence[str]) -> None:
        """Put a name at each whole number from 0, without a tick."""
        self._axis.set_major_locator(FixedLocator(range(len(names))))
        self._axis.set_major_formatter(FixedFormatter(names))
        self.tick = 0.0

    def draw(self, renderer: Any) -> None:
        at, labels = self._ticks()
        box = self._panel.bbox
        start, end = (box.x0, box.x1) if self._across else (box.y0, box.y1)
        point = renderer.points_to_pixels(1.0)
        if self.has_grid:
            self._draw_lines(renderer, at, (start, end), GRID, GRID_WIDTH)
        if self.tick:
            self._draw_lines(renderer, at, (start - self.tick * point, start), SOFT_INK, TICK_WIDTH)
        if self.has_labels:
            self._draw_labels(renderer, at, labels)
        if self._axis.get_label_text():
            self._place_name(renderer, labels)
            self._axis.label.draw(renderer)

    def boxes(self, renderer: Any) -> Iterator[Bbox]:
        """Yield where labels and the name stand."""
        at, labels = self._ticks()
        if self.has_labels and labels:
            yield Bbox.union([self._box(renderer, place, words) for place, words in zip(at, labels, strict=True)])
        if self._axis.get_label_text():
            self._place_name(renderer, labels)
            box = self._axis.label.get_window_extent(renderer)
            x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
            yield Bbox([[box.x0, y], [box.x1, y]]) if self._across else Bbox([[x, box.y0], [x, box.y1]])

    def _ticks(self) -> tuple[Points, list[str]]:
        """Return where ticks in sight stand along the edge, in pixels, with their labels."""
        values = np.asarray(self._axis.get_majorticklocs(), float)
        words = self._axis.get_major_formatter().format_ticks(values.tolist())
        low, high = sorted(self._axis.get_view_interval())
        room = IN_SIGHT * (high - low)
        seen = [row for row, value in enumerate(values) if low - room <= value <= high + room]
        at = self._panel.transData.transform(np.column_stack([values[seen], values[seen]]))
        return at[:, int(self._across)], [words[row] for row in seen]

    def _draw_lines(self, renderer: Any, at: Points, ends: tuple[float, float], ink: str, width: float) -> None:
        if not len(at):
            return
        corners = np.empty((len(at), 2, 2))
        corners[:, :, int(self._across)] = at[:, None]
        corners[:, :, 1 - int(self._across)] = ends
        codes = np.tile(np.array([Path.MOVETO, Path.LINETO], np.uint8), len(at))
        pen = renderer.new_gc()
        pen.set_foreground(ink)
        pen.set_linewidth(width)
        renderer.draw_path(pen, Path(corners.reshape(-1, 2), codes), AS_IT_IS)
        pen.restore()

    def _draw_labels(self, renderer: Any, at: Points, labels: Sequence[str]) -> None:
        """Write all labels with one pen; SVG asks `_words` at which of its ends a label is anchored."""
        pen = renderer.new_gc()
        pen.set_foreground(INK)
        height = renderer.get_canvas_width_height()[1] if renderer.flipy() else None
        for place, words in zip(at, labels, strict=True):
            x, y = self._baseline(renderer, place, words)
            self._words.set_position((self._far(renderer), y) if self._across else (place, y))
            down = y if height is None else height - y
            turned = (90, None) if self.is_turned else (0, self._words)
            renderer.draw_text(pen, x, down, words, LETTERS, turned[0], ismath=False, mtext=turned[1])
        pen.restore()

    def _baseline(self, renderer: Any, place: float, words: str) -> tuple[float, float]:
        """Return where the first letter of a label stands."""
        width, line, far = self._width(renderer, words), self._line(renderer), self._far(renderer)
        if self._across:
            return far - width, place - line.above / 2
        if self.is_turned:
            return place + (line.above - line.below) / 2, far - width
        return place - width / 2, far - line.above

    def _box(self, renderer: Any, place: float, words: str) -> Bbox:
        x, y = self._baseline(renderer, place, words)
        width, line = self._width(renderer, words), self._line(renderer)
        room = WIDER * width
        if self.is_turned:
            return Bbox([[x - line.above, y - room], [x + line.below, y + width]])
        return Bbox([[x - room, y - line.below], [x + width, y + line.above]])

    def _far(self, renderer: Any) -> float:
        """Return where labels end toward the panel."""
        start = self._panel.bbox.x0 if self._across else self._panel.bbox.y0
        return float(start) - (self.tick + TICK_PAD) * float(renderer.points_to_pixels(1.0))

    def _place_name(self, renderer: Any, labels: Sequence[str]) -> None:
        """Put the name of the axis in the middle of its edge, beyond the labels."""
        name, box = self._axis.label, self._panel.bbox
        beyond = self._far(renderer) - self._depth(renderer, labels) - NAME_PAD * renderer.points_to_pixels(1.0)
        name.set_transform(AS_IT_IS)
        name.set_position((beyond, (box.y0 + box.y1) / 2) if self._across else ((box.x0 + box.x1) / 2, beyond))

    def _depth(self, renderer: Any, labels: Sequence[str]) -> float:
        """Return how far labels reach away from the panel."""
        if not (self.has_labels and labels):
            return 0.0
        if self._across or self.is_turned:
            return max(self._width(renderer, words) for words in labels)
        line = self._line(renderer)
        return line.above + line.below

    def _width(self, renderer: Any, words: str) -> float:
        point = float(renderer.points_to_pixels(1.0))
        if words not in _widths:
            _widths[words] = renderer.get_text_width_height_descent(words, LETTERS, ismath=False)[0] / point
        return _widths[words] * point

    def _line(self, renderer: Any) -> Line:
        """Return how far a line of letters reaches."""
        point = float(renderer.points_to_pixels(1.0))
        if not _lines:
            sample = Text(0, 0, "0", fontproperties=LETTERS, transform=AS_IT_IS, va="baseline")
            sample.set_figure(self._panel.figure)
            box = sample.get_window_extent(renderer)
            _lines.append(Line(box.y1 / point, -box.y0 / point))
        return Line(_lines[0].above * point, _lines[0].below * point)


@dataclass(frozen=True, slots=True)
class Line:
    """How far letters reach above and below their baseline."""

    above: float
    below: float


_widths: dict[str, float] = {}  # of labels, in points
_lines: list[Line] = []  # that of labels, in points, once it is known

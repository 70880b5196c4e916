"""A canvas on which each label is drawn once: where it stands again, it is pasted.

FreeType shapes and sets every letter each time, which takes as long as all lines and marks of a chart. Labels repeat:
panels side by side have the same ticks. So they stand at whole pixels, where a label is the same pixels again.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.colors import to_hex
from matplotlib.font_manager import FontProperties
from numpy.typing import NDArray

KEPT = 2_000  # labels; a report has a third of that
ROOM = 4  # pixels around a label that its letters may reach beyond what is measured


class Stamp(NamedTuple):
    """The pixels of a label from the bottom up, and where they begin, seen from the start of its baseline."""

    pixels: NDArray[np.uint8]
    right: int
    up: int


class LetterCanvas(FigureCanvasAgg):
    """What figures that are written as pictures are drawn on."""

    @cached_property
    def _drawing(self) -> LetterRenderer:
        width, height = self.get_width_height(physical=True)
        return LetterRenderer(width, height, self.figure.dpi)  # type: ignore[no-untyped-call]

    def get_renderer(self) -> LetterRenderer:
        return self._drawing


class LetterRenderer(RendererAgg):
    """Draws labels that are neither turned nor see-through from stamps."""

    def draw_text(
        self, gc: Any, x: float, y: float, s: str, prop: Any, angle: float, ismath: Any = False, mtext: Any = None
    ) -> None:
        color = gc.get_rgb()
        if angle or ismath or gc.get_alpha() != 1.0 or (*color, 1.0)[3] != 1.0:
            super().draw_text(gc, x, y, s, prop, angle, ismath, mtext)  # type: ignore[no-untyped-call]
            return
        stamp = _stamp(s, prop, to_hex(color), self.dpi)
        self.draw_image(gc, round(x) + stamp.right, round(self.height - y) + stamp.up, stamp.pixels)

    def get_text_width_height_descent(self, s: str, prop: Any, ismath: Any) -> tuple[float, float, float]:
        return _measured(s, prop, ismath, self.dpi)


@lru_cache(KEPT)
def _measured(words: str, font: FontProperties, is_math: Any, dpi: float) -> tuple[float, float, float]:
    size: tuple[float, float, float] = RendererAgg(1, 1, dpi).get_text_width_height_descent(words, font, is_math)  # type: ignore[no-untyped-call]
    return size


@lru_cache(KEPT)
def _stamp(words: str, font: FontProperties, ink: str, dpi: float) -> Stamp:
    width, height, below = (int(np.ceil(size)) for size in _measured(words, font, False, dpi))
    paper = RendererAgg(width + 2 * ROOM, height + 2 * ROOM, dpi)  # type: ignore[no-untyped-call]
    pen = paper.new_gc()
    pen.set_foreground(ink)
    paper.draw_text(pen, ROOM, height - below + ROOM, words, font, 0.0)  # type: ignore[no-untyped-call]
    return Stamp(np.array(paper.buffer_rgba())[::-1], -ROOM, -below - ROOM)  # type: ignore[no-untyped-call]

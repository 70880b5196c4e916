"""Names beside marks of a chart, each where it covers as few marks as can be."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from ttr_sim.report.board.colors import SOFT_INK
from ttr_sim.report.board.curves import Points
from ttr_sim.report.board.layout import FONT_SIZE, text_width
from ttr_sim.report.charts.style import ON_GROUND

NEAR = 8.0  # points from a mark to a name that needs no line
OFFSETS = [*product((NEAR, -NEAR), (-3.0, 9.0, -15.0, 24.0, 36.0, 48.0, 60.0, 72.0, -27.0))]
CLEAR = 4.0  # points around a name without a mark
LINE = {"arrowstyle": "-", "color": SOFT_INK, "linewidth": 0.7, "shrinkB": 3}


def name_mark(panel: Axes, name: str, mark: tuple[float, float], marks: Points) -> None:
    """Write the name of a mark, with a line to it where it had to go farther."""
    panel.autoscale_view()  # or the limits would still be those of an empty panel
    room = np.array([panel.bbox.width, panel.bbox.height]) * 72 / panel.figure.dpi
    places = panel.transLimits.transform(np.vstack([mark, marks])) * room
    size = np.array([text_width(name) * ON_GROUND["fontsize"] / FONT_SIZE, ON_GROUND["fontsize"]])
    across, up = min(OFFSETS, key=lambda offset: _cost(np.array(offset), places, size, room))
    look: dict[str, Any] = {"ha": "left" if across > 0 else "right", "arrowprops": LINE if abs(up) > NEAR else None}
    panel.annotate(name, mark, (across, up), **ON_GROUND, **look)


def _cost(offset: Points, places: Points, size: Points, room: Points) -> tuple[int, float]:
    """Return how many marks a name covers there, and how far away it is; one that leaves the panel covers all."""
    low = places[0] + offset - np.array([size[0] if offset[0] < 0 else 0.0, 0.0])
    if (low < CLEAR).any() or (low + size > room - CLEAR).any():
        return len(places), 0.0
    is_covered = ((places > low - CLEAR) & (places < low + size + CLEAR)).all(axis=1)
    return int(is_covered.sum()), float(np.hypot(*offset))

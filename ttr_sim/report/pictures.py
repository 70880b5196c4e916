"""Charts and maps as PNG files, each with its title inside."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib import image
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from numpy.typing import NDArray

from ttr_sim.report.board.colors import INK, SOFT_INK

DPI = 110
TITLE_HEIGHT, NOTE_HEIGHT = 0.42, 0.26  # inches


def write_picture(figure: Figure, path: Path, title: str = "", note: str = "") -> None:
    """Write a figure with its title, and a line about how it is read, in a band above it."""
    parts = [_pixels(figure)]
    if title:
        parts.insert(0, _pixels(_band(figure, title, note)))
    image.imsave(path, np.concatenate(parts)[:, :, :3], pil_kwargs={"compress_level": 4})


def _band(figure: Figure, title: str, note: str) -> Figure:
    width = float(figure.get_figwidth())
    height = TITLE_HEIGHT + (NOTE_HEIGHT if note else 0.0)
    band = Figure(figsize=(width, height), facecolor=figure.get_facecolor())
    band.text(0.12 / width, 1 - 0.24 / height, title, fontsize=13, fontweight="bold", color=INK, va="center")
    if note:
        band.text(0.12 / width, 0.14 / height, note, fontsize=9.5, color=SOFT_INK, va="center")
    return band


def _pixels(figure: Figure) -> NDArray[np.uint8]:
    figure.set_dpi(DPI)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()  # type: ignore[no-untyped-call]
    pixels: NDArray[np.uint8] = np.asarray(canvas.buffer_rgba())  # type: ignore[no-untyped-call]
    return pixels

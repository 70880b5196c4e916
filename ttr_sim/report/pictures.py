"""Charts and maps as PNG files, each with its title inside."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray
from PIL import Image

from ttr_sim.report.board.colors import INK, SOFT_INK
from ttr_sim.report.letters import LetterCanvas

DPI = 110
COLORS = 256  # of a picture: no eye sees the difference, and a byte a pixel is written in half the time
# More than the first of nine levels takes a third of the time of a picture and makes it hardly smaller, and looking for
# more than runs of a color makes it larger.
COMPRESSION: Any = {"compress_level": 1, "compress_type": zlib.Z_RLE}
OPAQUE = np.uint16(255)
TITLE_HEIGHT, NOTE_HEIGHT = 0.42, 0.26  # inches


@dataclass(frozen=True)
class Overlay:
    """The pixels of a drawing with a transparent ground, which lies upon others: where they are, what they add there,
    and how much of the other they let through, both in parts of 255."""

    at: NDArray[np.int32]
    added: NDArray[np.uint16]
    through: NDArray[np.uint16]

    @classmethod
    def of(cls, figure: Figure) -> Overlay:
        drawn = pixels(figure).reshape(-1, 4)
        at = np.flatnonzero(drawn[:, 3])
        opacity = drawn[at, 3:].astype(np.uint16)
        return cls(at.astype(np.int32), drawn[at] * opacity + OPAQUE // 2, OPAQUE - opacity)

    def lay_upon(self, drawn: NDArray[np.uint8]) -> None:
        below = drawn.reshape(-1, 4)
        below[self.at] = (self.added + below[self.at] * self.through) // OPAQUE


def write_picture(figure: Figure, path: Path, title: str = "", note: str = "", over: Overlay | None = None) -> None:
    """Write a figure with its title, and a line about how it is read, in a band above it; `over` lies upon it."""
    drawn = pixels(figure)
    band = pixels(_band(figure, title, note)) if title else drawn[:0]
    whole = np.concatenate([band, drawn])
    if over:
        over.lay_upon(whole[len(band) :])
    in_few_colors(whole).save(path, **COMPRESSION)


def in_few_colors(drawn: NDArray[np.uint8]) -> Image.Image:
    """Return opaque pixels as a picture; its ground, most of it, needs no choice of a color."""
    height, width, _ = drawn.shape
    colors = drawn.view(np.uint32).ravel()
    at = np.flatnonzero(colors != colors[0])
    few, chosen = _chosen_colors(colors[at])
    numbers = np.full(len(colors), len(chosen), np.uint8)
    numbers[at] = few
    picture = Image.frombytes("P", (width, height), numbers.data)
    picture.putpalette([*chosen.ravel().tolist(), *drawn[0, 0, :3].tolist()])
    return picture


def _chosen_colors(pixels: NDArray[np.uint32]) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the number of the color of each pixel, and all colors that the ground leaves room for."""
    if not len(pixels):
        return np.empty(0, np.uint8), np.empty((0, 3), np.uint8)
    strip = Image.frombytes("RGB", (len(pixels), 1), pixels.data, "raw", "RGBX")
    few = strip.quantize(COLORS - 1, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    return np.asarray(few).ravel(), np.array(few.getpalette(), np.uint8).reshape(-1, 3)[: COLORS - 1]


def _band(figure: Figure, title: str, note: str) -> Figure:
    width = float(figure.get_figwidth())
    height = TITLE_HEIGHT + (NOTE_HEIGHT if note else 0.0)
    band = Figure(figsize=(width, height), facecolor=figure.get_facecolor())
    band.text(0.12 / width, 1 - 0.24 / height, title, fontsize=13, fontweight="bold", color=INK, va="center")
    if note:
        band.text(0.12 / width, 0.14 / height, note, fontsize=9.5, color=SOFT_INK, va="center")
    return band


def canvas_of(figure: Figure) -> LetterCanvas:
    """Return what a figure is drawn on; what is measured for its layout is known when it is drawn."""
    if not isinstance(figure.canvas, LetterCanvas):
        figure.set_dpi(DPI)
        LetterCanvas(figure)
    assert isinstance(figure.canvas, LetterCanvas)
    return figure.canvas


def pixels(figure: Figure) -> NDArray[np.uint8]:
    """Draw a figure; return red, green, blue and opacity of each pixel."""
    canvas = canvas_of(figure)
    canvas.draw()  # type: ignore[no-untyped-call]
    drawn: NDArray[np.uint8] = np.asarray(canvas.buffer_rgba())  # type: ignore[no-untyped-call]
    return drawn

"""Pictures of few colors look like what was drawn."""

from __future__ import annotations

import numpy as np
from matplotlib import colormaps
from numpy.typing import NDArray

from ttr_sim.report.pictures import in_few_colors

GROUND, INK = (254, 254, 254, 255), (0, 114, 178, 255)
NEAR = 24  # of 255, in a picture of more colors than there is room for


def drawn(height: int = 40, width: int = 60) -> NDArray[np.uint8]:
    return np.full((height, width, 4), GROUND, np.uint8)


def shown(pixels: NDArray[np.uint8]) -> NDArray[np.int64]:
    return np.asarray(in_few_colors(pixels).convert("RGB")).astype(int)


def test_few_colors_are_kept_as_they_are() -> None:
    pixels = drawn()
    pixels[5:20, 10:30] = INK
    pixels[30:, 50:] = 0, 0, 0, 255
    assert (shown(pixels) == pixels[..., :3]).all()


def test_nothing_but_ground_is_a_picture_too() -> None:
    assert (shown(drawn()) == drawn()[..., :3]).all()


def test_many_colors_stay_near_and_the_ground_exact() -> None:
    pixels = drawn(100, 300)
    pixels[20:90, 20:276] = (colormaps["viridis"](np.arange(256)) * 255).astype(np.uint8)
    pixels[25:60, 30:200] = (colormaps["magma"](np.arange(170)) * 255).astype(np.uint8)
    difference = abs(shown(pixels) - pixels[..., :3])
    assert difference.max() <= NEAR
    assert not difference[:20].any()

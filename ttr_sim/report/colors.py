"""Colors, marks and line styles of boards and charts."""

from __future__ import annotations

from typing import Any

from matplotlib.colors import is_color_like, to_hex

from ttr_sim.edition.model import Edition

INK = "#22262b"
SOFT_INK = "#6d747c"
PAPER = "#f7f4ec"  # background of a board
GROUND = "#fefefe"  # background of a chart
GRID = "#d9dce0"
GRAY = "#b4b5b6"  # routes of any one color
ON_LIGHT, ON_DARK = "#1f2429", "#ffffff"  # text on a filled shape

# Okabe and Ito's colors without their yellow, darkened where they are pale. A series has a mark and a dash as well:
# color must never be the only sign.
SERIES = ("#0072b2", "#d55e00", "#009e73", "#b3579a", "#9a6a00", "#3fa0d8", "#5c6670", "#7a4fbf")
MARKS = ("o", "s", "^", "D", "v", "P", "X", "*")
DASHES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (1.2, 1.2)), (0, (6, 1.5, 1.2, 1.5)), (0, (3, 1)), (0, (8, 2)))

CARD_COLORS = {
    "red": "#d1392b",
    "blue": "#2f78c4",
    "green": "#4c9a3f",
    "yellow": "#f2cf3b",
    "orange": "#ea8a2e",
    "pink": "#dd83b9",
    "white": "#fdfdfb",
    "black": "#35383c",
    "purple": "#7d54a8",
    "violet": "#7d54a8",
    "brown": "#8d5f3c",
    "teal": "#2a9d9a",
    "turquoise": "#2a9d9a",
    "silver": "#ccd3da",
    "gold": "#cda434",
}
SPARE = ("#7d54a8", "#2a9d9a", "#8d5f3c", "#9dbf3b", "#5b6ee1", "#c56a8a")


def card_colors(edition: Edition) -> list[str]:
    """Drawn color of each of the edition's cards, by its name."""
    # An edition has at most twelve colors, as many as the spare ones twice over.
    spare = iter(SPARE * 2)
    found = []
    for color in edition.colors:
        name = color.name.lower()
        if name in CARD_COLORS:
            found.append(CARD_COLORS[name])
        else:
            found.append(to_hex(name) if is_color_like(name) else next(spare))
    return found


def text_color(fill: str) -> str:
    """Dark or light, for text that is readable on the fill."""
    red, green, blue = _channels(fill)
    return ON_LIGHT if 0.3 * red + 0.59 * green + 0.11 * blue > 0.5 else ON_DARK


def relative_luminance(fill: str) -> float:
    """Luminance from 0 to 1 as defined by WCAG."""
    channels = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in _channels(fill))
    red, green, blue = channels
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _channels(fill: str) -> list[float]:
    return [int(fill[start : start + 2], 16) / 255 for start in (1, 3, 5)]

"""Inks of the board: route colors by the names designers give them, and the drawing's own."""

from __future__ import annotations

from matplotlib.colors import is_color_like, to_hex

from ttr_sim.edition.model import Edition

INK = "#22262b"
SOFT_INK = "#6d747c"
PAPER = "#f7f4ec"
GRAY = "#b4b5b6"
ON_LIGHT, ON_DARK = "#1f2429", "#ffffff"  # writing on a car

KNOWN = {
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


def route_inks(edition: Edition) -> list[str]:
    """Return one ink for each color of the edition, by name or by a name matplotlib knows, else a spare one."""
    spare = iter(SPARE * 2)
    return [_ink(color.name.lower()) or next(spare) for color in edition.colors]


def _ink(name: str) -> str | None:
    if name in KNOWN:
        return KNOWN[name]
    return to_hex(name) if is_color_like(name) else None


def on(ink: str) -> str:
    """Return dark or light writing, whichever shows on the ink."""
    red, green, blue = (int(ink[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return ON_LIGHT if 0.3 * red + 0.59 * green + 0.11 * blue > 0.5 else ON_DARK


def relative_luminance(ink: str) -> float:
    """Return the luminance that WCAG's contrast is defined by, from 0 to 1."""
    shares = (int(ink[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue

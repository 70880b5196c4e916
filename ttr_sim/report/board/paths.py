"""SVG paths written small: tenths of a point, each point written as a step from the one before."""

from __future__ import annotations

import re
from collections.abc import Iterator

PIECE = re.compile(r"([MLQCZz])([^A-Za-z]*)")
NUMBER = re.compile(r"-?[\d.]+(?:e-?\d+)?")
POINTS = {"M": 1, "L": 1, "Q": 2, "C": 3}

Point = tuple[int, int]


def packed(path: str) -> str:
    """Write the same path in fewer letters. Points are rounded before their steps are taken, so that no error adds
    up."""
    written: list[str] = []
    here, start, last = (0, 0), (0, 0), ""
    for letter, points in _pieces(path):
        if letter in "Zz":
            written.append("z")
            here, last = start, ""
            continue
        for first in range(0, len(points), POINTS[letter]):
            group = points[first : first + POINTS[letter]]
            repeated = letter == last or (last == "m" and letter == "L")
            written.append(("" if repeated else letter.lower()) + _steps(here, group, joined=repeated))
            here, last = group[-1], "m" if letter == "M" else letter
            if letter == "M":
                start = here
    return "".join(written)


def _pieces(path: str) -> Iterator[tuple[str, list[Point]]]:
    for letter, numbers in PIECE.findall(path):
        tenths = [round(float(number) * 10) for number in NUMBER.findall(numbers)]
        yield letter, list(zip(tenths[::2], tenths[1::2], strict=True))


def _steps(here: Point, points: list[Point], joined: bool) -> str:
    numbers = [tenths for x, y in points for tenths in (x - here[0], y - here[1])]
    text = ""
    for tenths in numbers:
        word = _word(tenths)
        text += word if word.startswith("-") or not (text or joined) else f" {word}"
    return text


def _word(tenths: int) -> str:
    sign, whole, tenth = "-" if tenths < 0 else "", abs(tenths) // 10, abs(tenths) % 10
    return f"{sign}{whole or ''}.{tenth}" if tenth else f"{sign}{whole}"

"""A number beside the official boards' range, as a strip: a bar is the range, a dot the number, a line its interval."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ttr_sim.report.ranges import Span

PADDING = 0.06  # of the scale, free at both ends


@dataclass(frozen=True, slots=True)
class Strip:
    """Places in percent of the strip's length; `words` are for those who do not see it, `usual` is the range."""

    low: float
    high: float
    dot: float
    dot_low: float
    dot_high: float
    words: str
    usual: str


@dataclass(frozen=True, slots=True)
class StripScale:
    least: float
    most: float

    @classmethod
    def over(cls, values: Iterable[float]) -> StripScale:
        known = [float(value) for value in values if not math.isnan(value)]
        least, most = min(known, default=0.0), max(known, default=1.0)
        room = PADDING * ((most - least) or 1.0)
        return cls(least - room, most + room)

    def place(self, value: float) -> float:
        return round(100 * (value - self.least) / (self.most - self.least), 1)


def strip(number: Sequence[float], span: Span, scale: StripScale, words: str, usual: str) -> Strip:
    """Place a number, given with the ends of its interval, beside a range."""
    low, high, dot, dot_low, dot_high = (scale.place(value) for value in (*span, *number))
    return Strip(low, high, dot, dot_low, dot_high, words, usual)

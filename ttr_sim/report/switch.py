"""A map that shows one number at a time: what can be chosen, each with its legend of labeled steps."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Step:
    """A line of the legend: its words, and the ink (a name of the page's style sheet) and width of what it explains."""

    words: str
    ink: str
    width: float
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Mode:
    """What the map can show; `name` is the anchor of its choice."""

    name: str
    choice: str
    title: str
    caption: str
    legend: list[Step]

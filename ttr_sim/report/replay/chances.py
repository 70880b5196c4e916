"""Each seat's chance to win from setup to the end, as a small chart on which the script moves a line."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from xml.etree import ElementTree as ET

from markupsafe import Markup

from ttr_sim.report.board.svg import SVG, written_svg

WIDTH, HEIGHT = 600.0, 120.0
LABEL_STEP = 12.0  # from one label to the next, at least


def chance_chart(chances: Sequence[Sequence[float]], names: Sequence[str]) -> Markup:
    """Draw a line per seat; chances are by scene and seat, from 0 to 1."""
    svg = ET.Element(f"{{{SVG}}}svg", {"viewBox": f"0 -8 {WIDTH + 20:.0f} {HEIGHT + 16:.0f}", "role": "img"})
    first, last = chances[0], chances[-1]
    spoken = [f"{name} {first[seat]:.0%} to {last[seat]:.0%}" for seat, name in enumerate(names)]
    svg.set("aria-label", f"Chance to win from setup to the last turn: {'; '.join(spoken)}")
    ET.SubElement(svg, f"{{{SVG}}}path", {"class": "frame", "d": f"M0 0V{HEIGHT}H{WIDTH}M0 {HEIGHT / 2}H{WIDTH}"})
    heights = _apart([HEIGHT * (1 - chance) + 4 for chance in last])
    for seat in range(len(names)):
        spots = [
            (WIDTH * step / max(len(chances) - 1, 1), HEIGHT * (1 - row[seat])) for step, row in enumerate(chances)
        ]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
        ET.SubElement(svg, f"{{{SVG}}}polyline", {"class": f"of{seat}", "points": line})
        label = {"class": f"of{seat}", "x": str(WIDTH + 5), "y": f"{heights[seat]:.1f}"}
        ET.SubElement(svg, f"{{{SVG}}}text", label).text = str(seat + 1)
    ET.SubElement(svg, f"{{{SVG}}}path", {"id": "moment", "d": f"M0 0V{HEIGHT}"})
    return Markup(written_svg(svg))


def _apart(heights: Sequence[float]) -> list[float]:
    """Move labels up until none covers another, from the lowest on."""
    moved = list(heights)
    lowest_first = sorted(range(len(moved)), key=lambda seat: -moved[seat])
    for below, seat in pairwise(lowest_first):
        moved[seat] = min(moved[seat], moved[below] - LABEL_STEP)
    return moved

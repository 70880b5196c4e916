"""Each seat's chance to win from setup to the end, as a small chart on which the script moves a line."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from markupsafe import Markup

from ttr_sim.report.board.svg import SVG, written_svg

WIDTH, HEIGHT = 600.0, 120.0


def chance_chart(chances: Sequence[Sequence[float]], names: Sequence[str]) -> Markup:
    """Draw a line per seat; chances are by scene and seat, from 0 to 1."""
    svg = ET.Element(f"{{{SVG}}}svg", {"viewBox": f"0 -8 {WIDTH + 20:.0f} {HEIGHT + 16:.0f}", "role": "img"})
    first, last = chances[0], chances[-1]
    spoken = [f"{name} {first[seat]:.0%} to {last[seat]:.0%}" for seat, name in enumerate(names)]
    svg.set("aria-label", f"Chance to win from setup to the last turn: {'; '.join(spoken)}")
    ET.SubElement(svg, f"{{{SVG}}}path", {"class": "frame", "d": f"M0 0V{HEIGHT}H{WIDTH}M0 {HEIGHT / 2}H{WIDTH}"})
    for seat in range(len(names)):
        spots = [
            (WIDTH * step / max(len(chances) - 1, 1), HEIGHT * (1 - row[seat])) for step, row in enumerate(chances)
        ]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
        ET.SubElement(svg, f"{{{SVG}}}polyline", {"class": f"of{seat}", "points": line})
        label = {"class": f"of{seat}", "x": str(WIDTH + 5), "y": f"{spots[-1][1] + 4:.1f}"}
        ET.SubElement(svg, f"{{{SVG}}}text", label).text = str(seat + 1)
    ET.SubElement(svg, f"{{{SVG}}}path", {"id": "moment", "d": f"M0 0V{HEIGHT}"})
    return Markup(written_svg(svg))

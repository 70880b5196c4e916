"""SVG made part of a page: it takes the page's width and its inks, light or dark."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from markupsafe import Markup

from ttr_sim.report.board.colors import INK, PAPER, SOFT_INK
from ttr_sim.report.board.svg import written_svg
from ttr_sim.report.charts.style import GRID, GROUND, SERIES

LARGEST = 1.35  # pixels a point
INKS = {INK: "ink", SOFT_INK: "soft", PAPER: "paper", GRID: "grid", GROUND: "ground"}
INKS |= {ink: f"s{number}" for number, ink in enumerate(SERIES)}
INK_PATTERN = re.compile("|".join(INKS))


def inline(svg: ET.Element, label: str, role: str = "img") -> Markup:
    """The element with a label for those who do not see it, its fixed inks replaced by the page's."""
    for name in ("width", "height", "version"):
        svg.attrib.pop(name, None)
    svg.set("style", f"max-width:{float(svg.attrib['viewBox'].split()[2]) * LARGEST:.0f}px")
    svg.set("role", role)
    svg.set("aria-label", label)
    for element in svg.iter():
        if "style" in element.attrib:
            element.set("style", INK_PATTERN.sub(lambda found: f"var(--{INKS[found[0]]})", element.attrib["style"]))
    return Markup(written_svg(svg))

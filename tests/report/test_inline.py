"""Drawings as parts of a page."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest
from markupsafe import Markup

from ttr_sim.report.board.svg import PATH, SVG
from ttr_sim.report.inline import extended, inline


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_written_drawing_takes_more_elements(count: int) -> None:
    drawing = ET.Element(f"{{{SVG}}}svg", {"viewBox": "0 0 10 10"})
    ET.SubElement(drawing, PATH, {"d": "M0 0"})
    added = [ET.Element(PATH, {"d": f"M{number} 0h1"}) for number in range(count)]
    written = extended(inline(drawing, "Ticks & crosses"), added)
    assert isinstance(written, Markup)
    paths = [path.get("d") for path in ET.fromstring(written).iter(PATH)]
    assert paths == ["M0 0", *(f"M{number} 0h1" for number in range(count))]

"""SVG made part of a page: it takes the page's width and its inks, light or dark."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET
from zlib import crc32

from markupsafe import Markup
from matplotlib.figure import Figure

from ttr_sim.report.board.colors import INK, PAPER, SOFT_INK
from ttr_sim.report.board.svg import GROUP, STYLE, SVG, svg_of, written_svg
from ttr_sim.report.charts.panels import GRID
from ttr_sim.report.charts.style import GROUND, SERIES, Chart, Tips
from ttr_sim.report.pictures import canvas_of, write_picture

LARGEST = 1.56  # pixels per point
TIP_RADIUS = 6  # points around a mark within which its words are shown
END = "</svg>"
REPEATED = 3  # elements from which a style becomes a class
INKS = {INK: "ink", SOFT_INK: "soft", PAPER: "paper", GRID: "grid", GROUND: "ground"}
INKS |= {ink: f"s{number}" for number, ink in enumerate(SERIES)}
INK_PATTERN = re.compile("|".join(INKS))


def inline(svg: ET.Element, label: str, role: str = "img") -> Markup:
    """Return the element with a label for those who do not see it, its fixed inks replaced by the page's.

    The label also keeps the classes of one drawing apart from those of others in the page.
    """
    for name in ("width", "height", "version"):
        svg.attrib.pop(name, None)
    svg.set("style", f"max-width:{float(svg.attrib['viewBox'].split()[2]) * LARGEST:.0f}px")
    svg.set("role", role)
    svg.set("aria-label", label)
    for element in svg.iter():
        if "style" in element.attrib:
            element.set("style", INK_PATTERN.sub(lambda found: f"var(--{INKS[found[0]]})", element.attrib["style"]))
    _share_styles(svg, f"k{crc32(label.encode()):x}-")
    return Markup(written_svg(svg))


def extended(drawing: Markup, added: Iterable[ET.Element]) -> Markup:
    """Put elements at the end of a drawing that is already written."""
    root = ET.Element(f"{{{SVG}}}svg")
    root.extend(added)
    if not len(root):
        return drawing
    start, end = str(drawing).removesuffix(END), written_svg(root)
    return Markup(start + end[end.index(">") + 1 :])


@dataclass(frozen=True, slots=True)
class InlineChart:
    """A chart as a page shows it; `name` is its anchor."""

    name: str
    title: str
    caption: str
    svg: Markup


def inline_chart(chart: Chart, folder: Path | None) -> InlineChart:
    """Return the chart for the page, and write it as PNG if there is a folder; it is laid out once for both."""
    canvas_of(chart.figure)
    if engine := chart.figure.get_layout_engine():
        engine.execute(chart.figure)
    chart.figure.set_layout_engine("none")
    if folder:
        write_picture(chart.figure, folder / f"{chart.name}.png", chart.title)
    svg = svg_of(chart.figure, f"{chart.name}-")
    _add_tips(svg, chart.figure)
    return InlineChart(chart.name, chart.title, chart.caption, inline(svg, chart.title))


def _add_tips(svg: ET.Element, figure: Figure) -> None:
    """Put unseen discs with titles where the chart has something to tell."""
    scale, height = 72 / figure.get_dpi(), figure.get_figheight() * 72
    group = ET.SubElement(svg, GROUP, {"class": "tips"})
    for panel in figure.axes:
        for tips in (artist for artist in panel.artists if isinstance(artist, Tips)):
            for x, y, words in tips.places:
                across, up = panel.transData.transform((x, y)) * scale
                place = {"cx": f"{across:.1f}", "cy": f"{height - up:.1f}", "r": str(TIP_RADIUS)}
                disc = ET.SubElement(group, f"{{{SVG}}}circle", place)
                ET.SubElement(disc, f"{{{SVG}}}title").text = words


def _share_styles(svg: ET.Element, prefix: str) -> None:
    """Make classes of styles that many elements repeat."""
    elements = [element for element in svg.iter() if element is not svg and "style" in element.attrib]
    counted = Counter(element.attrib["style"] for element in elements if "class" not in element.attrib)
    names = {style: f"{prefix}{number}" for number, (style, count) in enumerate(counted.items()) if count >= REPEATED}
    for element in elements:
        if element.attrib["style"] in names and "class" not in element.attrib:
            element.set("class", names[element.attrib.pop("style")])
    sheet = ET.Element(STYLE)
    sheet.text = "".join(f".{name}{{{style}}}" for style, name in names.items())
    svg.insert(0, sheet)

"""Turn matplotlib's SVG into one that can stand inside a page: small, with ids, classes and titles."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from xml.etree import ElementTree as ET

from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from ttr_sim.report.board.paths import packed

SVG, XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
GROUP, PATH, USE, STYLE, LINK = (f"{{{SVG}}}{name}" for name in ("g", "path", "use", "style", "a"))
HREF = f"{{{XLINK}}}href"
FONTS = "'DejaVu Sans', Verdana, sans-serif"
NO_DATE = {"Date": None, "Creator": None, "Format": None, "Type": None}
HALO = ".name text{paint-order:stroke;stroke:#f7f4ec;stroke-width:2.6px;stroke-linejoin:round}"

PART = re.compile(r"(route|city|name)-\d+")
WORTH_SHARING = 3  # members from which a style is said once for all
KEPT = ("cities", "legend")  # further groups that keep their id
FRACTION = re.compile(r"(\d)\.(\d)\d*")
UNTURNED = re.compile(r"rotate\(-?0(?:\.0)? .*")
FONT = re.compile(r"font: (?:(\d+) )?([\d.]+px) [^;]*")
FAMILY = re.compile(r"font-family: [^;]*;?\s*")

ET.register_namespace("", SVG)


def svg_of(figure: Figure, prefix: str = "", titles: Mapping[str, str] | None = None) -> ET.Element:
    """Return the figure as an <svg> element. Routes, cities and names are groups with an id, a class and data-of."""
    root = ET.fromstring(_drawn(figure))
    _tidy(root)
    root.set("font-family", FONTS)
    root.set("stroke-linejoin", "round")
    return named_svg(root, prefix, titles)


def named_svg(root: ET.Element, prefix: str, titles: Mapping[str, str] | None = None) -> ET.Element:
    """Name the parts of a drawing: its ids begin with the prefix, and titles are by the id of their part."""
    for element in root.iter():
        _name(element, titles or {})
        _prefix(element, prefix)
    return root


def _drawn(figure: Figure) -> str:
    """Draw a figure that is laid out; `savefig` would draw it twice, once to see whether everything fits."""
    buffer, dpi = io.StringIO(), figure.get_dpi()
    FigureCanvasSVG(figure).print_svg(buffer, metadata=NO_DATE)  # type: ignore[no-untyped-call]
    figure.set_dpi(dpi)
    return buffer.getvalue()


def written_svg(root: ET.Element) -> str:
    return ET.tostring(root, encoding="unicode")


def standalone(root: ET.Element) -> str:
    """Write the element as a separate file, its names with a halo as in the PNG."""
    halo = ET.Element(STYLE)
    halo.text = HALO
    root.insert(0, halo)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{written_svg(root)}\n'


def _tidy(parent: ET.Element) -> None:
    """Drop what only matplotlib needs: metadata, its style, numbered groups, digits no eye sees."""
    parent.tail = None
    if parent.text and not parent.text.strip():
        parent.text = None
    index = 0
    while index < len(parent):
        child = parent[index]
        _tidy(child)
        _shorten(child)
        if child.tag in (f"{{{SVG}}}metadata", STYLE):
            parent.remove(child)
        elif child.tag == GROUP and not child.attrib and not _share_style(child):
            parent[index : index + 1] = list(child)
            index += len(child)
        else:
            index += 1


def _share_style(group: ET.Element) -> bool:
    """Say once for a group what all of its members say; False when they do not."""
    styles = {member.get("style") for member in group}
    if len(group) < WORTH_SHARING or len(styles) > 1 or None in styles:
        return False
    group.set("style", str(styles.pop()))
    for member in group:
        del member.attrib["style"]
    return True


def _shorten(element: ET.Element) -> None:
    attributes = element.attrib
    if element.tag == GROUP and not (PART.fullmatch(attributes.get("id", "")) or attributes.get("id") in KEPT):
        attributes.pop("id", None)
    if HREF in attributes:
        attributes["href"] = attributes.pop(HREF)
    attributes.pop("target", None)
    for name in ("x", "y", "transform"):
        if name in attributes:
            attributes[name] = _rounded(attributes[name])
    if UNTURNED.fullmatch(attributes.get("transform", "")):
        del attributes["transform"]
    if "d" in attributes:
        attributes["d"] = packed(attributes["d"])
    if "style" in attributes:
        attributes["style"] = _plain_style(attributes["style"])


def _rounded(numbers: str) -> str:
    """Round to a tenth of a point, which is enough."""
    return FRACTION.sub(lambda found: found[1] if found[2] == "0" else f"{found[1]}.{found[2]}", numbers)


def _plain_style(style: str) -> str:
    style = FONT.sub(lambda found: (f"font-weight: {found[1]}; " if found[1] else "") + f"font-size: {found[2]}", style)
    return FAMILY.sub("", style).replace(": ", ":").replace("; ", ";")


def _name(element: ET.Element, titles: Mapping[str, str]) -> None:
    name = element.get("id", "")
    found = PART.fullmatch(name) if element.tag == GROUP else None
    if not found:
        return
    element.set("class", found[1])
    element.set("data-of", name)
    if name in titles:
        title = ET.Element(f"{{{SVG}}}title")
        title.text = titles[name]
        link = element.find(LINK)  # what is focused bears the name
        (element if link is None else link).insert(0, title)


def _prefix(element: ET.Element, prefix: str) -> None:
    """Make ids the drawing's own, so that several drawings can share a page."""
    if "id" in element.attrib:
        element.set("id", prefix + element.attrib["id"])
    if element.tag == USE:
        element.set("href", element.attrib["href"].replace("#", f"#{prefix}", 1))
    for name in ("clip-path", "style"):
        if "url(#" in element.get(name, ""):
            element.set(name, element.attrib[name].replace("url(#", f"url(#{prefix}"))

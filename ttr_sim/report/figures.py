"""Colors, and matplotlib figures as parts of a page and as PNG files.

In a page, routes, cities and names are groups with an id and `data-of`, which link them to rows of the tables. Fixed
colors become the page's own, light or dark.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import matplotlib as mpl
import numpy as np
from markupsafe import Markup
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import is_color_like, to_hex, to_rgb
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox
from PIL import Image

from ttr_sim.edition.model import Edition
from ttr_sim.report.numbers import WORDS

INK = "#22262b"
SOFT_INK = "#6d747c"
PAPER = "#f7f4ec"  # background of a board
GROUND = "#fefefe"  # background of a chart
GRID = "#d9dce0"
GRAY = "#b4b5b6"  # routes of any one color
ON_LIGHT, ON_DARK = "#1f2429", "#ffffff"  # text on a filled shape

# Okabe and Ito's colors without their yellow, darkened where they are pale. A series has a mark and a dash as well:
# color must never be the only sign.
SERIES = ("#0072b2", "#d55e00", "#009e73", "#b3579a", "#9a6a00", "#3fa0d8", "#5c6670", "#7a4fbf")
MARKS = ("o", "s", "^", "D", "v", "P", "X", "*")
DASHES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (1.2, 1.2)), (0, (6, 1.5, 1.2, 1.5)), (0, (3, 1)), (0, (8, 2)))

CARD_COLORS: dict[str, str] = WORDS["card_colors"]
SPARE = ("#7d54a8", "#2a9d9a", "#8d5f3c", "#9dbf3b", "#5b6ee1", "#c56a8a")

SVG, XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
GROUP, PATH, STYLE, TITLE = (f"{{{SVG}}}{name}" for name in ("g", "path", "style", "title"))
HREF = f"{{{XLINK}}}href"
NO_DATE: dict[str, Any] = {"Date": None, "Creator": None, "Format": None, "Type": None}
PART = re.compile(r"(route|city|name)-\d+")
SECTIONS = ("cities", "legend")  # further groups that keep their id
ATTRIBUTES = {"d", "x", "y", "transform"}  # with more digits than anybody sees
TENTHS = re.compile(r"(\.\d)\d+")
PAGE_COLORS = {INK: "ink", SOFT_INK: "soft", PAPER: "paper", GRID: "grid", GROUND: "ground"}
PAGE_COLORS |= {color: f"s{number}" for number, color in enumerate(SERIES)}
FIXED_COLOR = re.compile("|".join(PAGE_COLORS))
LARGEST = 1.56  # pixels per point
TIP_RADIUS = 6  # points around a mark within which its tip is shown
DPI, COLORS = 110, 128  # of a PNG
TITLE_HEIGHT, NOTE_HEIGHT = 0.42, 0.26  # inches

SETTINGS: Any = {
    "svg.fonttype": "none",  # text stays text: small, selectable, styled by the page
    "svg.hashsalt": "ttr-sim",  # the same drawing gives the same bytes
    "text.parse_math": False,  # a $ in a city's name is a $
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Verdana", "sans-serif"],
    "path.simplify": False,
    **dict.fromkeys(("axes.edgecolor", "xtick.color", "ytick.color"), SOFT_INK),
    **dict.fromkeys(("axes.labelcolor", "axes.titlecolor", "xtick.labelcolor", "ytick.labelcolor", "text.color"), INK),
    "axes.titlesize": 10.5,
    "axes.titlelocation": "left",
    **dict.fromkeys(("axes.spines.top", "axes.spines.right"), False),
    "axes.facecolor": "none",
    **dict.fromkeys(("axes.grid", "axes.axisbelow"), True),
    "grid.color": GRID,
    "grid.linewidth": 0.7,
    "legend.frameon": False,
    "figure.facecolor": GROUND,
}

ET.register_namespace("", SVG)


@contextmanager
def settings() -> Iterator[None]:
    with mpl.rc_context(SETTINGS), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")  # a browser has more fonts than matplotlib
        yield


@dataclass(frozen=True)
class Chart:
    name: str  # of its file, its anchor in the page, and its caption in words.toml
    title: str
    figure: Figure
    svg: str = ""  # Markup, once it is drawn for a page


class Tips(Artist):
    """Texts shown when a place of a panel is pointed at."""

    def __init__(self, places: list[tuple[float, float, str]]) -> None:
        super().__init__()
        self.places = places

    def draw(self, renderer: Any) -> None:
        """Draw nothing: inline_chart() adds the tips to the SVG."""


def add_tips(panel: Axes, x: Iterable[float], y: Iterable[float], texts: Iterable[str]) -> None:
    places = zip(map(float, x), map(float, y), texts, strict=True)
    panel.add_artist(Tips([place for place in places if np.isfinite(place[:2]).all()]))


def inline_chart(chart: Chart, folder: Path | None) -> Chart:
    """Draw a chart for the page, and as PNG into a folder."""
    svg = svg_of(chart.figure, f"{chart.name}-")
    # Unseen discs with titles, which the page's script shows at once. Only now are panels where this drawing has them.
    scale, height = 72 / chart.figure.get_dpi(), chart.figure.get_figheight() * 72
    group = ET.SubElement(svg, GROUP, {"class": "tips"})
    for panel in chart.figure.axes:
        for tips in (artist for artist in panel.artists if isinstance(artist, Tips)):
            for x, y, words in tips.places:
                across, up = panel.transData.transform((x, y)) * scale
                place = {"cx": f"{across:.1f}", "cy": f"{height - up:.1f}", "r": str(TIP_RADIUS)}
                disc = ET.SubElement(group, f"{{{SVG}}}circle", place)
                ET.SubElement(disc, TITLE).text = words
    if folder:
        write_picture(chart.figure, folder / f"{chart.name}.png", chart.title)
    return replace(chart, svg=inline(svg, chart.title))


def write_picture(figure: Figure, path: Path, title: str = "", note: str = "") -> None:
    width, height = figure.get_size_inches()
    if figure.get_layout_engine():
        figure.draw_without_rendering()  # lays the figure out
        figure.set_layout_engine("none")
        for legend in figure.legends:  # which would move up into the band
            legend.set_bbox_to_anchor((0, 0, 1, 1), figure.transFigure)
    band = TITLE_HEIGHT + (NOTE_HEIGHT if note else 0.0) if title else 0.0
    look: dict[str, Any] = {"va": "center", "in_layout": False}
    top = figure.text(0.12 / width, 1 + (band - 0.24) / height, title, size=13, weight="bold", color=INK, **look)
    below = figure.text(0.12 / width, 1 + 0.14 / height, note, size=9.5, color=SOFT_INK, **look)
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png", dpi=DPI, bbox_inches=Bbox([[0, 0], [width, height + band]]))
    # Flat colors and their soft edges fit a palette, in a third of the bytes.
    Image.open(drawn).convert("RGB").quantize(COLORS).save(path)
    for text in (top, below):  # the page has the title in its own words
        text.remove()


def svg_of(figure: Figure, prefix: str = "", titles: Mapping[str, str] | None = None) -> ET.Element:
    """Draw a figure as an <svg> element with named parts.

    Ids begin with the prefix, so that several drawings can share a page. Titles are by the id of their part.
    """
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata=NO_DATE)
    root = ET.fromstring(buffer.getvalue())
    root.set("stroke-linejoin", "round")
    for parent in list(root.iter()):
        # Matplotlib's style sheet would apply to the whole page.
        parent[:] = [child for child in parent if child.tag not in (f"{{{SVG}}}metadata", STYLE)]
    for element in root.iter():
        attributes = element.attrib
        # Without whitespace, and digits below a tenth of a point, a page is half as large.
        element.tail = None
        element.text = element.text if element.text and element.text.strip() else None
        for attribute in ATTRIBUTES & attributes.keys():
            attributes[attribute] = TENTHS.sub(r"\1", " ".join(attributes[attribute].split()))
        if HREF in attributes:
            attributes["href"] = attributes.pop(HREF)
        attributes.pop("target", None)

        name = attributes.get("id", "")
        part = PART.fullmatch(name) if element.tag == GROUP else None
        if part:
            attributes |= {"class": part[1], "data-of": name}
            if titles and name in titles:
                title = ET.Element(TITLE)
                title.text = titles[name]
                link = element.find(f".//{{{SVG}}}a")  # screen readers read the title of the focused element
                (element if link is None else link).insert(0, title)
        # Matplotlib numbers the groups of each figure from 1, which would give ids twice.
        if element.tag == GROUP and not part and name not in SECTIONS:
            attributes.pop("id", None)
        elif name:
            attributes["id"] = prefix + name
        if element.tag == f"{{{SVG}}}use":
            attributes["href"] = attributes["href"].replace("#", f"#{prefix}", 1)
        for attribute in {"clip-path", "style"} & attributes.keys():
            attributes[attribute] = attributes[attribute].replace("url(#", f"url(#{prefix}")
    return root


def inline(svg: ET.Element, label: str, role: str = "img") -> Markup:
    """Write a drawing in the page's width and colors."""
    # Without a size of its own the drawing is as wide as its column.
    for name in ("width", "height", "version"):
        svg.attrib.pop(name, None)
    for element in svg.iter():
        if "style" in element.attrib:
            look = FIXED_COLOR.sub(lambda found: f"var(--{PAGE_COLORS[found[0]]})", element.attrib["style"])
            element.set("style", look.replace(": ", ":").replace("; ", ";"))
    width = float(svg.attrib["viewBox"].split()[2]) * LARGEST
    svg.attrib |= {"style": f"max-width:{width:.0f}px", "role": role, "aria-label": label}
    return Markup(ET.tostring(svg, encoding="unicode"))


def card_colors(edition: Edition) -> list[str]:
    """Drawn color of each of the edition's cards, by its name."""
    # An edition has at most twelve colors, as many as the spare ones twice over.
    spare, found = iter(SPARE * 2), []
    for name in (color.name.lower() for color in edition.colors):
        found.append(CARD_COLORS.get(name) or (to_hex(name) if is_color_like(name) else next(spare)))
    return found


def text_color(fill: str) -> str:
    return ON_LIGHT if np.dot(to_rgb(fill), (0.3, 0.59, 0.11)) > 0.5 else ON_DARK


def contrast_color(fill: str) -> str:
    """Black or white, for the most contrast as defined by WCAG."""
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in to_rgb(fill)]
    # From this luminance on black has more contrast than white, and either has over 4.5.
    return "#000" if np.dot(linear, (0.2126, 0.7152, 0.0722)) > 0.179 else "#fff"

"""Turn matplotlib's SVG into one that can stand inside a page: ids with a prefix, classes, titles, no clutter."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from html import escape

from matplotlib.figure import Figure

CLUTTER = re.compile(r'<g id="[a-z0-9]+_\d+">')  # matplotlib's own numbering of groups
PART = re.compile(r'<g id="((route|city|name)-\d+)">')
PLACE = re.compile(r' (?:d|x|y|transform)="[^"]*"')
HALO = "<style>.name text{paint-order:stroke;stroke:#f7f4ec;stroke-width:2.6px;stroke-linejoin:round}</style>"


def svg_of(figure: Figure, prefix: str = "", titles: Mapping[str, str] | None = None) -> str:
    """The figure as an <svg> element. Routes, cities and names are groups with an id, a class and data-of."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    text = buffer.getvalue()
    text = re.sub(r"<metadata>.*?</metadata>", "", text[text.index("<svg") :].strip(), flags=re.DOTALL)
    text = re.sub(r"\s*\n\s*", "\n", CLUTTER.sub("<g>", text))
    text = PLACE.sub(lambda found: re.sub(r"(\.\d)\d+", r"\1", found[0]), text)  # a tenth of a point is enough
    text = PART.sub(lambda found: _part(found, titles or {}), text)
    return re.sub(r'( id="| xlink:href="#|url\(#)', rf"\g<1>{prefix}", text) if prefix else text


def _part(found: re.Match[str], titles: Mapping[str, str]) -> str:
    name, kind = found[1], found[2]
    title = f"<title>{escape(titles[name])}</title>" if name in titles else ""
    return f'<g id="{name}" class="{kind}" data-of="{name}">{title}'


def standalone(svg: str) -> str:
    """The element as a file of its own, its names with a halo as in the PNG."""
    head, rest = svg.split(">", 1)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{head}>{HALO}{rest}\n'

"""The printed board with everything a game puts on it, each thing marked with the step at which it comes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import degrees
from xml.etree import ElementTree as ET

import numpy as np
from markupsafe import Markup

from ttr_sim.edition.model import Edition
from ttr_sim.report.board.colors import on, route_inks
from ttr_sim.report.board.drawing import written_board
from ttr_sim.report.board.layout import LINE_HEIGHT, PAWN_ROW, Layout, lay_out
from ttr_sim.report.board.svg import SVG
from ttr_sim.report.inline import extended, inline
from ttr_sim.report.replay.film import Film, Mark, Waiting, Wanted

PAWN = 4.2  # radius, in points as everything here
HOUSE = "M-7 6V-3L0-9 7-3V6z"
WANT_STEP = 2.7  # between the lines of two seats that want the same route
DIGIT = 0.8  # height of a seat's number, of a car's width


@dataclass(frozen=True)
class Stage:
    """What all games of an edition share: where things stand, and the board before the first turn."""

    layout: Layout
    empty: Markup


def set_stage(edition: Edition) -> Stage:
    """Draw what is printed, without passengers: a game has its own."""
    own_passengers = any(city.passengers for city in edition.cities)
    empty = ET.fromstring(written_board(edition, passengers=not own_passengers))
    return Stage(lay_out(edition), inline(empty, f"The board of {edition.title} with the trains of this game"))


def played_board(film: Film, stage: Stage) -> Markup:
    """Draw the board; without script it shows how the game ended."""
    return extended(stage.empty, _played(film, stage.layout))


def _played(film: Film, layout: Layout) -> Iterator[ET.Element]:
    yield from (_wanted(layout, wanted, len(film.names)) for wanted in film.plans.wanted)
    yield from (_trains(layout, mark) for mark in film.trains)
    yield from (_given_up(layout, mark) for mark in film.given_up)
    yield from (_lent(layout, mark) for mark in film.lent)
    yield from (_station(layout, mark) for mark in film.stations)
    yield from _pawns(film, layout)


def _wanted(layout: Layout, wanted: Wanted, seats: int) -> ET.Element:
    """Draw a line for each seat that wants a route, side by side."""
    spans = " ".join(f"{start}-{end}" for start, end in wanted.spans)
    group = ET.Element(
        _tag("g"), {"class": f"want of{wanted.seat}", "data-seat": str(wanted.seat), "data-spans": spans}
    )
    line = layout.lanes[wanted.route].line
    along = np.gradient(line, axis=0)
    across = np.stack([-along[:, 1], along[:, 0]], axis=1) / np.hypot(*along.T)[:, None]
    _line(group, line + across * WANT_STEP * (wanted.seat - (seats - 1) / 2))
    return group


def _trains(layout: Layout, mark: Mark) -> ET.Element:
    group = _group("train", mark)
    width = layout.sizes.car + 1.6
    for x, y, angle, length in layout.lanes[mark.place].cars:
        at = f"translate({x:.1f} {y:.1f})"
        box = {"x": -length / 2, "y": -width / 2, "width": length, "height": width, "rx": 2.0}
        shape = {name: f"{value:.1f}" for name, value in box.items()}
        ET.SubElement(group, _tag("rect"), {"transform": f"{at} rotate({degrees(angle):.1f})", **shape})
        _write(group, at, str(mark.seat + 1), DIGIT * width)
    return group


def _given_up(layout: Layout, mark: Mark) -> ET.Element:
    group = _group("tried", mark)
    _line(group, layout.lanes[mark.place].line)
    x, y = layout.lanes[mark.place].cars[:, :2].mean(axis=0)
    _write(group, f"translate({x:.1f} {y:.1f})", "×", 2.4 * layout.sizes.car)
    return group


def _lent(layout: Layout, mark: Mark) -> ET.Element:
    group = _group("lent", mark)
    _line(group, layout.lanes[mark.place].line)
    return group


def _station(layout: Layout, mark: Mark) -> ET.Element:
    group = _group("station", mark)
    x, y = layout.places[mark.place]
    at = f"translate({x:.1f} {y:.1f})"
    ET.SubElement(group, _tag("path"), {"d": HOUSE, "transform": at})
    _write(group, at, str(mark.seat + 1), 9.0)
    return group


def _pawns(film: Film, layout: Layout) -> Iterator[ET.Element]:
    for city in sorted({pawn.city for pawn in film.passengers}):
        yield from _pawns_of(film.edition, layout, [pawn for pawn in film.passengers if pawn.city == city])


def _pawns_of(edition: Edition, layout: Layout, pawns: Sequence[Waiting]) -> Iterator[ET.Element]:
    """Draw a city's passengers in a row under its name, each with the letter of its color."""
    label = layout.labels[pawns[0].city]
    y = label.y - label.half_height + LINE_HEIGHT * len(label.lines) + PAWN_ROW / 2
    inks = {color.letter: ink for color, ink in zip(edition.colors, route_inks(edition), strict=True)}
    for place, pawn in enumerate(pawns):
        at = f"translate({label.x + (place - (len(pawns) - 1) / 2) * 2 * PAWN:.1f} {y:.1f})"
        until = {} if pawn.until is None else {"data-until": str(pawn.until)}
        group = ET.Element(_tag("g"), {"class": "pawn", **until})
        ET.SubElement(group, _tag("circle"), {"r": str(PAWN), "transform": at, "fill": inks[pawn.letter]})
        _write(group, at, pawn.letter, 6.5).set("fill", on(inks[pawn.letter]))
        yield group


def _group(kind: str, mark: Mark) -> ET.Element:
    return ET.Element(_tag("g"), {"class": f"{kind} of{mark.seat}", "data-from": str(mark.step)})


def _line(group: ET.Element, line: np.ndarray) -> None:
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in line)
    ET.SubElement(group, _tag("polyline"), {"points": points})


def _write(group: ET.Element, at: str, words: str, size: float) -> ET.Element:
    text = ET.SubElement(group, _tag("text"), {"transform": at, "font-size": f"{size:.1f}", "dy": ".36em"})
    text.text = words
    return text


def _tag(name: str) -> str:
    return f"{{{SVG}}}{name}"

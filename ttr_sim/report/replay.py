"""The page of one game: setup, each turn and the final scoring.

Card letters, and row numbers of cities, routes and tickets, are as in the log.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import degrees
from pathlib import Path
from typing import Any

import numpy as np
from markupsafe import Markup

from ttr_sim import __version__
from ttr_sim.edition.model import Edition
from ttr_sim.log import WILD_LETTER
from ttr_sim.report.board.drawing import printed_board
from ttr_sim.report.board.layout import LINE_HEIGHT, PAWN_ROW, Layout, lay_out
from ttr_sim.report.board.routing import Points, shifted
from ttr_sim.report.document import asset, write_document
from ttr_sim.report.figures import card_colors, contrast_color, inline, settings, svg_of, text_color

WILD_COLOR = "#6d747c"
PAWN = 4.2  # radius, in points as everything here
PLAN_STEP = 2.7  # between the lines of two seats that plan the same route
DIGIT = 0.8  # height of a seat's number, of a car's width
CHART = (600.0, 120.0)  # width and height of the chances to win
LABEL_STEP = 12.0  # from one label to the next, at least

# A seat's possessions as the page's script reads them: hand, trains, score, tickets, stations, passengers, merchandise
# and bonus, None for features the edition lacks. A ticket has `ticket`, `done`, `left` (trains still to place, None
# when own routes cannot meet it anymore) and `way` (the routes of the shortest way).
SeatView = dict[str, Any]
# A step of the game: `mover` (None at setup and end), `lines`, `closed` (the lines for a viewer who does not see the
# mover's hand), `secret` (lines no player could see), `row`, `deck`, `discards`, `merchandise`, and `seats`.
Scene = dict[str, Any]


@dataclass(frozen=True, slots=True)
class FilmMark:
    """Something a seat has on the board from a step on.

    Kinds: `train` (all of a route), `tried` (a tunnel given up), `lent` (a route used by a station), `station`.
    """

    kind: str
    place: int
    seat: int
    step: int


@dataclass(frozen=True, slots=True)
class Film:
    """A whole game.

    `pawns` are the passengers of each city with their letter and the step at which a player takes them, `plans` the
    spans of steps (the second step excluded) in which a seat plans a free route. `no_plans` says why plans are not
    shown. `chances` are each seat's chances to win after each scene but the last.
    """

    edition: Edition
    title: str
    names: tuple[str, ...]
    result: str
    scenes: tuple[Scene, ...]
    marks: tuple[FilmMark, ...]
    pawns: Mapping[int, Sequence[tuple[str, int | None]]]
    plans: Mapping[tuple[int, int], Sequence[tuple[int, int]]]  # by route and seat
    no_plans: str | None
    chances: Sequence[Sequence[float]] | None = None


def empty_board(edition: Edition) -> Markup:
    """Draw the board without passengers, left open: a game has its own."""
    with settings():
        svg = svg_of(printed_board(edition, lay_out(edition), passengers=False))
    drawing = inline(svg, f"The board of {edition.title} with the trains of this game")
    return Markup(drawing.removesuffix("</svg>"))


def write_game(film: Film, path: Path, command: str = "", empty: Markup | None = None, reason: str = "") -> Path:
    """Write the page, with the reason to watch the game. Games of an edition can share their empty board."""
    last = len(film.scenes) - 1
    names = ["Setup", *(f"Turn {number}" for number in range(last - 1)), "Final scores"]  # as the log numbers them
    context = marks_on_board(film, lay_out(film.edition)) | {
        "film": film,
        "board": empty or empty_board(film.edition),
        "steps": list(zip(names, film.scenes, strict=True)),
        "data": script_data(film),
        "chances": chance_chart(film.chances, film.names) if film.chances else None,
        "command": command,
        "reason": reason,
        "version": __version__,
        "style": Markup(asset("style.css") + asset("replay.css")),
        "script": Markup(asset("replay.js")),
    }
    return write_document(path, "replay.html.j2", context)


def script_data(film: Film) -> Markup:
    edition = film.edition
    cards = {WILD_LETTER: {"name": "wild", "ink": WILD_COLOR, "on": "#fff"}}
    for color, fill in zip(edition.colors, card_colors(edition), strict=True):
        cards[color.letter] = {"name": color.name, "ink": fill, "on": contrast_color(fill)}
    tickets, scenes = {}, []
    before: Sequence[SeatView | None] = [None] * len(film.names)
    for scene in film.scenes:
        for held in (held for seat in scene["seats"] for held in seat["tickets"]):
            ticket = edition.tickets[held["ticket"]]
            name = f"{ticket.a}–{ticket.b}" if edition.is_race else f"{ticket.a}–{ticket.b} ({ticket.points})"
            tickets[held["ticket"]] = {"name": name, "cities": [*ticket.a_cities, *ticket.b_cities]}
        entry = {name: value for name, value in scene.items() if name != "lines"}
        entry |= {"closed": None if scene["closed"] == scene["lines"] else scene["closed"]}
        # A seat that is null in a scene is as it was in the scene before: a page has a hundred scenes.
        seats = [None if now == then else now for now, then in zip(scene["seats"], before, strict=True)]
        scenes.append(entry | {"secret": len(scene["secret"]), "seats": seats})
        before = scene["seats"]
    data = {
        "names": film.names,
        "cards": cards,
        "tickets": tickets,
        "openTickets": edition.instant_tickets is not None,
        "unit": "tickets" if edition.is_race else "points",
        "scenes": scenes,
    }
    # A name with </script> must not end the script.
    return Markup(json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"))


def marks_on_board(film: Film, layout: Layout) -> dict[str, Any]:
    """Everything a game puts on the board, each with its step and its places in the drawing."""
    plans, pawns = [], []
    marks: list[tuple[Any, ...]] = []
    for (route, seat), spans in film.plans.items():
        line = shifted(layout.lanes[route].line, PLAN_STEP * (seat - (len(film.names) - 1) / 2))
        plans.append((seat, " ".join(f"{start}-{end}" for start, end in spans), points_text(line)))
    for mark in film.marks:
        if mark.kind == "station":
            marks.append((mark, "", place_text(*layout.places[mark.place]), []))
            continue
        lane, cars = layout.lanes[mark.place], []
        for x, y, angle, length in lane.cars:
            cars.append((place_text(x, y), f"{degrees(angle):.1f}", f"{-length / 2:.1f}", f"{length:.1f}"))
        marks.append((mark, points_text(lane.line), place_text(*lane.cars[:, :2].mean(axis=0)), cars))
    fills = {color.letter: fill for color, fill in zip(film.edition.colors, card_colors(film.edition), strict=True)}
    for city, taken in film.pawns.items():
        # In a row under the city's name.
        label = layout.labels[city]
        y = label.y - label.half_height + LINE_HEIGHT * len(label.lines) + PAWN_ROW / 2
        for column, (letter, until) in enumerate(taken):
            place = place_text(label.x + (column - (len(taken) - 1) / 2) * 2 * PAWN, y)
            pawns.append((until, place, letter, fills[letter], text_color(fills[letter])))
    width = layout.sizes.car + 1.6
    box = {"y": f"{-width / 2:.1f}", "height": f"{width:.1f}", "digit": f"{DIGIT * width:.1f}"}
    return {"plans": plans, "marks": marks, "pawns": pawns, "box": box, "cross": f"{2.4 * layout.sizes.car:.1f}"}


def chance_chart(chances: Sequence[Sequence[float]], names: Sequence[str]) -> dict[str, Any]:
    """Label, and for each seat its line and the height of its number."""
    width, height = CHART
    first, last = chances[0], chances[-1]
    spoken = [f"{name} {first[seat]:.0%} to {last[seat]:.0%}" for seat, name in enumerate(names)]
    label_heights = [height * (1 - chance) + 4 for chance in last]
    # From the lowest label on, move each up until it does not cover the one below.
    for below, seat in pairwise(sorted(range(len(names)), key=lambda seat: -label_heights[seat])):
        label_heights[seat] = min(label_heights[seat], label_heights[below] - LABEL_STEP)
    x = width * np.arange(len(chances)) / max(len(chances) - 1, 1)
    lines = []
    for seat, label_height in enumerate(label_heights):
        y = height * (1 - np.array([row[seat] for row in chances]))
        lines.append((points_text(np.column_stack([x, y])), f"{label_height:.1f}"))
    return {"label": f"Chance to win from setup to the last turn: {'; '.join(spoken)}", "lines": lines}


def points_text(line: Points) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in line)


def place_text(x: float, y: float) -> str:
    return f"translate({x:.1f} {y:.1f})"

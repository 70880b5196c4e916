"""The page of one game: the board, the words, the numbers of each step, and a small script that steps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from markupsafe import Markup

from ttr_sim import __version__
from ttr_sim.log import WILD_LETTER
from ttr_sim.report.board.colors import relative_luminance, route_inks
from ttr_sim.report.document import asset, write_document
from ttr_sim.report.replay.board import Stage, played_board, set_stage
from ttr_sim.report.replay.chances import chance_chart
from ttr_sim.report.replay.film import Film, HeldTicket, Scene, SeatView

WILD_INK = "#6d747c"
BLACK_READS_BETTER = 0.179  # luminance above which black has more contrast than white; either way it is over 4.5


def write_game(film: Film, path: Path, command: str = "", stage: Stage | None = None) -> Path:
    """Write the page; return its path. Several games of an edition can share their `stage`."""
    context = {
        "film": film,
        "board": played_board(film, stage or set_stage(film.edition)),
        "steps": [(_step_name(number, film), scene) for number, scene in enumerate(film.scenes)],
        "data": _as_data(film),
        "chances": chance_chart(film.chances, film.names) if film.chances else None,
        "command": command,
        "version": __version__,
        "style": Markup(asset("style.css") + asset("replay.css")),
        "script": Markup(asset("replay.js")),
    }
    return write_document(path, "replay.html.j2", context)


def _step_name(number: int, film: Film) -> str:
    """Name turns as the log numbers them."""
    if number == 0:
        return "Setup"
    return "Final scores" if number == len(film.scenes) - 1 else f"Turn {number - 1}"


def _as_data(film: Film) -> Markup:
    """Return the script's numbers as JSON that no name can break out of."""
    tickets = sorted({held.ticket for scene in film.scenes for seat in scene.seats for held in seat.tickets})
    data = {
        "names": film.names,
        "cards": _cards(film),
        "tickets": {number: _ticket(film, number) for number in tickets},
        "openTickets": film.edition.instant_tickets is not None,
        "unit": "tickets" if film.edition.is_race else "points",
        "scenes": _scenes(film),
    }
    written = json.dumps(data, ensure_ascii=False, separators=(",", ":"), default=_by_name)
    return Markup(written.replace("<", "\\u003c"))


def _by_name(view: SeatView | HeldTicket) -> dict[str, Any]:
    return {name: getattr(view, name) for name in view.__slots__}


def _cards(film: Film) -> dict[str, dict[str, str]]:
    colors = film.edition.colors
    inks = route_inks(film.edition)
    cards = {color.letter: _card(color.name, ink) for color, ink in zip(colors, inks, strict=True)}
    return cards | {WILD_LETTER: _card("wild", WILD_INK)}


def _card(name: str, ink: str) -> dict[str, str]:
    return {"name": name, "ink": ink, "on": "#000" if relative_luminance(ink) > BLACK_READS_BETTER else "#fff"}


def _ticket(film: Film, number: int) -> dict[str, Any]:
    ticket = film.edition.tickets[number]
    points = "" if film.edition.is_race else f" ({ticket.points})"
    return {"name": f"{ticket.a}–{ticket.b}{points}", "cities": [*ticket.a_cities, *ticket.b_cities]}


def _scenes(film: Film) -> list[dict[str, Any]]:
    """Leave out what stays as it was: seats of a scene are null where nothing changed."""
    before: tuple[SeatView | None, ...] = (None,) * len(film.names)
    written = []
    for scene in film.scenes:
        seats = [None if now == then else now for now, then in zip(scene.seats, before, strict=True)]
        written.append({**_table(scene), "seats": seats})
        before = scene.seats
    return written


def _table(scene: Scene) -> dict[str, Any]:
    closed = None if scene.closed == scene.told else scene.closed
    names = ("mover", "row", "deck", "discards", "merchandise")
    return {"closed": closed, "secret": len(scene.secret), **{name: getattr(scene, name) for name in names}}

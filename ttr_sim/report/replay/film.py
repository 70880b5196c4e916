"""The content of the page of a game, step by step: setup, each turn, the final scoring.

Card letters, and row numbers of cities, routes and tickets, are those of the log.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ttr_sim.edition.model import Edition

# A seat's possessions as the page's script reads them: hand, trains, score, tickets, stations, passengers, merchandise
# and bonus, None for features the edition lacks. A ticket has `ticket`, `done`, `left` (trains still to place, None
# when own routes cannot meet it anymore) and `way` (the routes of the shortest way).
SeatView = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Scene:
    """One step. Setup and end have no mover.

    `closed` are the lines for a viewer who does not see the mover's hand, `secret` ones no player could see.
    """

    mover: int | None
    lines: tuple[str, ...]
    closed: tuple[str, ...]
    secret: tuple[str, ...]
    row: str | None
    deck: int
    discards: int
    merchandise: int | None
    seats: tuple[SeatView, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """Something a seat has on the board from a step on.

    Kinds: `train` (all of a route), `tried` (a tunnel given up), `lent` (a route used by a station), `station`.
    """

    kind: str
    place: int
    seat: int
    step: int


@dataclass(frozen=True, slots=True)
class Pawn:
    """A passenger in a city until the step at which a player takes it."""

    city: int
    letter: str
    until: int | None  # None when it stays to the end


@dataclass(frozen=True, slots=True)
class PlannedRoute:
    """A free route in a seat's plan during some spans of steps."""

    route: int
    seat: int
    spans: tuple[tuple[int, int], ...]  # from the first step until before the second


@dataclass(frozen=True, slots=True)
class Film:
    """A whole game.

    `no_plans` says why plans are not shown; `chances` are each seat's chances to win after each scene but the last.
    """

    edition: Edition
    title: str
    names: tuple[str, ...]
    result: str
    scenes: tuple[Scene, ...]
    marks: tuple[Mark, ...]
    pawns: tuple[Pawn, ...]
    plans: tuple[PlannedRoute, ...]
    no_plans: str | None
    chances: Sequence[Sequence[float]] | None = None

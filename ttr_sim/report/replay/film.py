"""What the page of a game shows, step by step: setup, each turn, the final scoring.

Card letters, and row numbers of cities, routes and tickets, are those of the log.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ttr_sim.edition.model import Edition


@dataclass(frozen=True, slots=True)
class HeldTicket:
    """`left` counts the trains still to place, None when own routes cannot meet it anymore; `way` is where."""

    ticket: int
    done: bool
    left: int | None
    way: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SeatView:
    """What a seat has; None for what the edition lacks."""

    hand: str
    trains: int
    score: int
    tickets: tuple[HeldTicket, ...]
    stations: int | None
    passengers: str | None
    merchandise: int | None
    bonus: bool | None


@dataclass(frozen=True, slots=True)
class Scene:
    """One step; setup and end have no mover.

    `closed` are the lines for those who do not see the mover's hand; `secret` ones no player could know.
    """

    mover: int | None
    told: tuple[str, ...]
    closed: tuple[str, ...]
    secret: tuple[str, ...]
    row: str | None
    deck: int
    discards: int
    merchandise: int | None
    seats: tuple[SeatView, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """Something on the board from a step on: a seat's trains on a route, or its station in a city."""

    place: int
    seat: int
    step: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """A passenger in a city until the step at which somebody takes it, None when nobody does."""

    city: int
    letter: str
    until: int | None


@dataclass(frozen=True, slots=True)
class Wanted:
    """A free route that a seat's plan holds, in these spans of steps: from the first until before the second."""

    route: int
    seat: int
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Plans:
    """The routes that planning seats want in the course of a game, or why they are not known."""

    wanted: tuple[Wanted, ...] = ()
    unknown: str | None = None


@dataclass(frozen=True, slots=True)
class Film:
    """A whole game; `chances` are each seat's chances to win after each scene but the last, where they are known."""

    edition: Edition
    title: str
    names: tuple[str, ...]
    result: str
    scenes: tuple[Scene, ...]
    trains: tuple[Mark, ...]
    given_up: tuple[Mark, ...]
    stations: tuple[Mark, ...]
    lent: tuple[Mark, ...]
    passengers: tuple[Waiting, ...]
    plans: Plans
    chances: Sequence[Sequence[float]] | None = None

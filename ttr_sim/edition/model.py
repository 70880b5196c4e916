"""The Edition: the rules and map of one game as one immutable value.

A rule feature that an edition lacks is None. Ids are row numbers of the CSV files. Colors,
decks and groups are numbered in the order of first appearance.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Color:
    name: str
    letter: str
    cards: int


@dataclass(frozen=True, slots=True)
class RowRules:
    """The face-up cards. `reset_at` wilds among them force a reset.

    With `needs_pile` none of them can be taken while deck and discards are both empty.
    """

    size: int
    reset_at: int
    max_resets: int
    needs_pile: bool = False


@dataclass(frozen=True, slots=True)
class Deck:
    """A ticket deck: dealt per player at setup, drawn per action (both 0 where mixes are announced)."""

    name: str
    deal: int
    draw: int


@dataclass(frozen=True, slots=True)
class TicketRules:
    mix: bool
    deal_total: int
    draw_total: int
    keep_at_start: int
    returned_at_start: str  # "bottom", "removed" or "shuffled"
    keep: int
    failed_subtract: bool


@dataclass(frozen=True, slots=True)
class End:
    """Triggers of the end. None for one the edition lacks."""

    trains_left: int | None
    race_tickets: int | None
    last_train: bool


@dataclass(frozen=True, slots=True)
class LongestPath:
    points: int


@dataclass(frozen=True, slots=True)
class Globetrotter:
    points: int


@dataclass(frozen=True, slots=True)
class Stations:
    count: int
    unused_points: int


@dataclass(frozen=True, slots=True)
class Tunnels:
    reveal: int


@dataclass(frozen=True, slots=True)
class Passengers:
    """`colors` are indices into Edition.colors. `each` is the number of meeples of each color."""

    colors: tuple[int, ...]
    each: int
    most: int
    second: int


@dataclass(frozen=True, slots=True)
class Merchandise:
    """`points[n]` are the points of the first, second, ... place among n players."""

    cards: int
    points: dict[int, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class InstantTickets:
    """Completed tickets are shown and replaced at once. `discard` lets a player swap all held tickets."""

    hold: int
    discard: bool


@dataclass(frozen=True, slots=True)
class BonusTicket:
    """For a player's first network that joins a city of one region to a city of the other."""

    source: str
    target: str
    count: int


@dataclass(frozen=True, slots=True)
class City:
    name: str
    x: float
    y: float
    country: str | None
    region: str | None
    passengers: int


@dataclass(frozen=True, slots=True)
class Route:
    """One printed line of spaces. `color` is None for gray. `copy` counts within its group."""

    a: int
    b: int
    length: int
    color: int | None
    kind: str  # "plain", "tunnel" or "ferry"
    locomotives: int
    merchandise: bool
    group: int
    copy: int


@dataclass(frozen=True, slots=True)
class Ticket:
    """Two ends by name. Any one of an end's cities will do (a country has several)."""

    a: str
    b: str
    a_cities: tuple[int, ...]
    b_cities: tuple[int, ...]
    points: int
    deck: int
    copy: int  # among tickets of the same ends and deck


@dataclass(frozen=True, slots=True)
class Targets:
    """Targets of the designer, in 100 games. None means the range of the official boards."""

    margin: float  # wins that a ticket may give or cost beyond its class
    claimed: float  # fewest claims of a connection
    fought_over: float | None  # most claims of a connection while another player wants it
    locked_out: float | None  # most games in which a route leaves another player no way
    seats: float | None  # wins that a seat may be off its share; None: turn order is shown, and never missed
    locked: tuple[str, ...]  # decks, and `A-B` for the tickets and routes there: intended as they are


@dataclass(frozen=True, slots=True, repr=False)
class Edition:
    name: str
    title: str
    provenance: str
    players: tuple[int, int]
    trains: int
    hand: int
    route_scores: tuple[int, ...] | None
    tie_breaks: tuple[str, ...]
    max_turns: int
    colors: tuple[Color, ...]
    wilds: int
    row: RowRules | None
    closed_up_to_players: int
    decks: tuple[Deck, ...]
    ticket_rules: TicketRules
    end: End
    longest_path: LongestPath | None
    globetrotter: Globetrotter | None
    stations: Stations | None
    tunnels: Tunnels | None
    ferries: bool
    passengers: Passengers | None
    merchandise: Merchandise | None
    instant_tickets: InstantTickets | None
    bonus_ticket: BonusTicket | None
    cities: tuple[City, ...]
    routes: tuple[Route, ...]
    tickets: tuple[Ticket, ...]
    targets: Targets
    fingerprint: str
    folder: Path
    files: Mapping[str, bytes] = field(repr=False, compare=False)  # as they were read: the folder may change later

    def __repr__(self) -> str:
        fewest, most = self.players
        return (
            f"Edition {self.title}: {fewest} to {most} players, {len(self.cities)} cities, {len(self.routes)} routes, "
            f"{len(self.tickets)} tickets ({self.folder})"
        )

    @property
    def is_race(self) -> bool:
        """In a race the score is the number of completed tickets, and nothing else counts."""
        return self.end.race_tickets is not None

"""The Edition: the rules and map of one game as one immutable value.

A rule feature that an edition lacks is None. Ids are row numbers of the CSV files. Colors, decks and groups are
numbered in the order of first appearance. The records of rules are also the schema of edition.toml: each field that
a block may set carries its check, and a default for a key that is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from ttr_sim.edition import limits
from ttr_sim.edition.schema import (
    CARDS,
    OFFER,
    POINTS,
    Key,
    flag,
    identifier,
    list_of,
    number,
    one_letter,
    one_of,
    optional,
    player_range,
    points_by_players,
    text,
    whole,
)

TIE_BREAKS = ("tickets", "stations", "longest_path", "passengers")
LEAST_MARGIN, MOST_MARGIN = 1, 50  # a smaller one would take millions of games to show
PER_HUNDRED = number(LEAST_MARGIN, 100)


@dataclass(frozen=True, slots=True)
class Color:
    name: str
    letter: Annotated[str, Key(one_letter)]
    cards: Annotated[int, Key(CARDS)]


@dataclass(frozen=True, slots=True)
class RowRules:
    """The face-up cards. `reset_at` wilds among them force a reset.

    With `needs_pile` none of them can be taken while deck and discards are both empty.
    """

    size: Annotated[int, Key(whole(1, limits.MAX_ROW))]
    reset_at: Annotated[int, Key(whole(1, limits.MAX_ROW))]
    max_resets: Annotated[int, optional(whole(0, limits.MAX_RESETS), 10)]
    needs_pile: Annotated[bool, optional(flag, False)] = False


@dataclass(frozen=True, slots=True)
class Deck:
    """A ticket deck: dealt per player at setup, drawn per action (both 0 where mixes are announced)."""

    name: str
    deal: Annotated[int, optional(OFFER)]
    draw: Annotated[int, optional(OFFER)]


@dataclass(frozen=True, slots=True)
class TicketRules:
    """With `mix` the totals count, without it `deal` and `draw` of each deck."""

    mix: Annotated[bool, optional(flag, False)]
    deal_total: Annotated[int, optional(OFFER)]
    draw_total: Annotated[int, optional(OFFER)]
    keep_at_start: Annotated[int, Key(OFFER)]
    returned_at_start: Annotated[str, optional(one_of("bottom", "removed", "shuffled"), "bottom")]
    keep: Annotated[int, optional(whole(1, limits.MAX_OFFER), 1)]
    failed_subtract: Annotated[bool, optional(flag, True)]


@dataclass(frozen=True, slots=True)
class End:
    """Triggers of the end. None for one the edition lacks."""

    trains_left: Annotated[int | None, optional(whole(0, limits.MAX_TRAINS))]
    race_tickets: Annotated[int | None, optional(whole(1, limits.MAX_TICKETS))]
    last_train: Annotated[bool, optional(flag, False)]


@dataclass(frozen=True, slots=True)
class LongestPath:
    points: Annotated[int, Key(POINTS)]


@dataclass(frozen=True, slots=True)
class Globetrotter:
    points: Annotated[int, Key(POINTS)]


@dataclass(frozen=True, slots=True)
class Stations:
    count: Annotated[int, Key(whole(0, limits.MAX_STATIONS))]
    unused_points: Annotated[int, Key(POINTS)]


@dataclass(frozen=True, slots=True)
class Tunnels:
    reveal: Annotated[int, Key(whole(0, limits.MAX_TUNNEL_REVEAL))]


@dataclass(frozen=True, slots=True)
class Passengers:
    """`colors` are indices into Edition.colors (names in the file). `each` is the number of meeples of each color."""

    colors: Annotated[tuple[int, ...], Key(list_of(text, limits.MAX_COLORS))]
    each: Annotated[int, Key(CARDS)]
    most: Annotated[int, Key(POINTS)]
    second: Annotated[int, Key(POINTS)]


@dataclass(frozen=True, slots=True)
class Merchandise:
    """`points[n]` are the points of the first, second, ... place among n players."""

    cards: Annotated[int, Key(whole(0, 120))]
    points: Annotated[dict[int, tuple[int, ...]], Key(points_by_players)]


@dataclass(frozen=True, slots=True)
class InstantTickets:
    """Completed tickets are shown and replaced at once. `discard` lets a player swap all held tickets."""

    hold: Annotated[int, Key(whole(1, limits.MAX_OFFER))]
    discard: Annotated[bool, optional(flag, False)]


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

    # Wins that a ticket may give or cost beyond similar ones.
    margin: Annotated[float, optional(number(LEAST_MARGIN, MOST_MARGIN), 5)]
    # Fewest claims of a connection.
    claimed: Annotated[float, optional(number(0, 100), 2)]
    # Most claims of a connection while another player wants it.
    fought_over: Annotated[float | None, optional(number(LEAST_MARGIN, 300))]
    # Most games in which a route leaves another player no way.
    locked_out: Annotated[float | None, optional(PER_HUNDRED)]
    # Wins that a seat may be off its share. None: turn order is shown, and never missed.
    seats: Annotated[float | None, optional(PER_HUNDRED)]
    # Decks, and `A-B` for the tickets and routes there: intended as they are.
    locked: Annotated[tuple[str, ...], optional(list_of(text, limits.MAX_TICKETS + limits.MAX_ROUTES), [])]


@dataclass(frozen=True, slots=True, repr=False)
class Edition:
    name: Annotated[str, Key(identifier)]
    title: Annotated[str, Key(text)]
    provenance: Annotated[str, optional(text, "")]
    players: Annotated[tuple[int, int], Key(player_range)]
    trains: Annotated[int, Key(whole(1, limits.MAX_TRAINS))]
    hand: Annotated[int, Key(CARDS)]
    route_scores: Annotated[tuple[int, ...] | None, optional(list_of(POINTS, limits.MAX_LENGTH))]
    # Decides ties in this order, then the win is shared.
    tie_breaks: Annotated[tuple[str, ...], optional(list_of(one_of(*TIE_BREAKS), len(TIE_BREAKS)), [])]
    max_turns: Annotated[int, optional(whole(1, limits.MAX_TURNS_PER_PLAYER), 250)]
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

"""The Edition: the rules and map of one game as one immutable value.

The records of rules are also the schema of edition.toml: each field that a designer may set carries its check and
default, so a new rule is one entry here. A rule feature that an edition lacks is None. Ids are rows of the files.
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
    Block,
    Key,
    flag,
    identifier,
    keys_of,
    list_of,
    load_record,
    number,
    one_letter,
    one_of,
    optional,
    player_range,
    points_by_players,
    points_by_region,
    text,
    whole,
)

OFFERED = optional(OFFER, load=lambda given: given or 0)  # omitted where the other way to count is used
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
    deal: Annotated[int, OFFERED]
    draw: Annotated[int, OFFERED]


@dataclass(frozen=True, slots=True)
class TicketRules:
    """With `mix` the totals count, without it `deal` and `draw` of each deck."""

    mix: Annotated[bool, optional(flag, False)]
    deal_total: Annotated[int, OFFERED]
    draw_total: Annotated[int, OFFERED]
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
class Bonus:
    """For the longest path, for the most completed tickets, or for each attraction that an own route touches."""

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

    source: Annotated[str, Key(text, name="from")]
    target: Annotated[str, Key(text, name="to")]
    count: Annotated[int, Key(whole(0, 120))]


@dataclass(frozen=True, slots=True)
class Districts:
    """`points[region]` for a network that joins all cities of the region."""

    points: Annotated[dict[str, int], Key(points_by_region, load=dict)]


@dataclass(frozen=True, slots=True)
class Mandala:
    """`points[n - 1]` for n completed tickets that stay complete without any one of the own routes."""

    points: Annotated[tuple[int, ...], Key(list_of(POINTS, limits.MAX_MANDALA))]


@dataclass(frozen=True, slots=True)
class City:
    name: str
    x: float
    y: float
    country: str | None
    region: str | None
    passengers: int
    attraction: bool = False


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


DEFAULT_TARGETS = load_record(Targets, {name: key.default for name, key in keys_of(Targets).items()})
PARALLEL = {"closed_up_to_players": Key(whole(0, limits.MAX_PLAYERS))}


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Edition:
    """A later feature needs the default None here: fingerprints ignore defaults, so old ones stay."""

    name: Annotated[str, Key(identifier)]
    title: Annotated[str, Key(text, load=str.strip)]
    provenance: Annotated[str, optional(text, "", load=str.strip)]
    players: Annotated[tuple[int, int], Key(player_range)]
    trains: Annotated[int, Key(whole(1, limits.MAX_TRAINS))]
    hand: Annotated[int, Key(CARDS)]
    route_scores: Annotated[tuple[int, ...] | None, optional(list_of(POINTS, limits.MAX_LENGTH))]
    # Decides ties in this order, then the win is shared.
    tie_breaks: Annotated[tuple[str, ...], optional(list_of(one_of(*TIE_BREAKS), len(TIE_BREAKS)), [])]
    max_turns: Annotated[int, optional(whole(1, limits.MAX_TURNS_PER_PLAYER), 250)]
    colors: Annotated[tuple[Color, ...], Block(Color, required=True, named=True)]
    wilds: Annotated[int, Block({"cards": Key(CARDS)}, absent=0)]
    row: Annotated[RowRules | None, Block(RowRules)]
    closed_up_to_players: Annotated[int, Block(PARALLEL, name="parallel", absent=0)]
    decks: Annotated[tuple[Deck, ...], Block(Deck, required=True, named=True)]
    ticket_rules: Annotated[TicketRules, Block(TicketRules, name="tickets", required=True)]
    end: Annotated[End, Block(End, required=True)]
    longest_path: Annotated[Bonus | None, Block(Bonus)]
    globetrotter: Annotated[Bonus | None, Block(Bonus)]
    stations: Annotated[Stations | None, Block(Stations)]
    tunnels: Annotated[Tunnels | None, Block(Tunnels)]
    ferries: Annotated[bool, Block({}, absent=False)]
    passengers: Annotated[Passengers | None, Block(Passengers)]
    merchandise: Annotated[Merchandise | None, Block(Merchandise)]
    instant_tickets: Annotated[InstantTickets | None, Block(InstantTickets)]
    bonus_ticket: Annotated[BonusTicket | None, Block(BonusTicket)]
    attractions: Annotated[Bonus | None, Block(Bonus)] = None
    districts: Annotated[Districts | None, Block(Districts)] = None
    mandala: Annotated[Mandala | None, Block(Mandala)] = None
    cities: tuple[City, ...]
    routes: tuple[Route, ...]
    tickets: tuple[Ticket, ...]
    targets: Annotated[Targets, Block(Targets, absent=DEFAULT_TARGETS)]
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

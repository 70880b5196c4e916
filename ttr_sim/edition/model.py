"""The Edition: the rules and map of one game as one immutable value.

A rule feature that an edition lacks is None. Ids are row numbers of the CSV files. Colors, decks and groups are
numbered in the order of first appearance. The records of rules are also the schema of edition.toml: each field that
a block may set carries its check, and a default for a key that is left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, get_type_hints

from ttr_sim.edition import limits

Check = Callable[[Any], str | None]  # the problem with a value, or None

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
MOST_BITS = 1_000


@dataclass(frozen=True, slots=True)
class Key:
    """A required key, or one with a `default` for when it is omitted."""

    check: Check
    default: object = None
    required: bool = True


def optional(check: Check, default: object = None) -> Key:
    return Key(check, default, required=False)


def keys_of(record: type) -> dict[str, Key]:
    """Keys of a block, by the annotated fields of its record."""
    hints = get_type_hints(record, include_extras=True)
    return {name: hint.__metadata__[0] for name, hint in hints.items() if hasattr(hint, "__metadata__")}


def must_be(wanted: str, is_good: Callable[[Any], bool]) -> Check:
    return lambda value: None if is_good(value) else f"must be {wanted}, not {shown(value)}"


def is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)  # Python counts True as 1


def whole(low: int, high: int) -> Check:
    return must_be(f"a whole number from {low} to {high}", lambda value: is_whole(value) and low <= value <= high)


def number(low: float, high: float) -> Check:
    def is_good(value: Any) -> bool:
        return (is_whole(value) or isinstance(value, float)) and low <= value <= high

    return must_be(f"a number from {low:g} to {high:g}", is_good)


def one_of(*names: str) -> Check:
    return must_be(either(names), lambda value: value in names)


def text(value: object) -> str | None:
    if not isinstance(value, str):
        return f"must be text in quotes, not {shown(value)}"
    return None if value.strip() else "must not be empty"


def list_of(check_one: Check, most: int) -> Check:
    def check(value: object) -> str | None:
        if not isinstance(value, list):
            return f"must be a list in brackets, not {shown(value)}"
        if len(value) > most:
            return f"has {len(value)} entries; at most {most} are allowed"
        for place, entry in enumerate(value, start=1):
            if message := check_one(entry):
                return f"entry {place} {message}"
        return None

    return check


def player_range(value: object) -> str | None:
    if not isinstance(value, list) or len(value) != 2 or not all(is_whole(entry) for entry in value):
        return f"must be the lowest and the highest number of players, as in [2, 5], not {shown(value)}"
    if 2 <= value[0] <= value[1] <= limits.MAX_PLAYERS:
        return None
    return f"must go from a lower to a higher number, both from 2 to {limits.MAX_PLAYERS}, not {shown(value)}"


def points_by_players(value: object) -> str | None:
    """Check `{ 2 = [8, 4], 3 = [8, 5, 2] }`: for each number of players, the points of each rank."""
    if not isinstance(value, dict):
        return f"must be a table by number of players, as in {{ 2 = [8, 4] }}, not {shown(value)}"
    for players, ranks in value.items():
        if players not in {str(count) for count in range(2, limits.MAX_PLAYERS + 1)}:
            return f'has "{players}", which is not a number of players from 2 to {limits.MAX_PLAYERS}'
        if message := list_of(POINTS, int(players))(ranks):
            return f"for {players} players: {message}"
    return None


def shown(value: object) -> str:
    """Format a value on one line much as TOML would write it, shortened."""
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        return "a huge number"  # Python refuses to write one with thousands of digits
    written = json.dumps(value, ensure_ascii=False) if isinstance(value, bool | str) else str(value)
    return written if len(written) <= 40 else written[:37] + "..."


def either(names: Sequence[str]) -> str:
    """Format names as in `"a", "b" or "c"`."""
    quoted = [f'"{entry}"' for entry in names]
    return " or ".join([", ".join(quoted[:-1]), quoted[-1]]) if len(quoted) > 1 else quoted[0]


flag = must_be("true or false", lambda value: isinstance(value, bool))
one_letter = must_be(
    "one lower-case letter from a to z",
    lambda value: isinstance(value, str) and bool(re.fullmatch("[a-z]", value)),
)
identifier = must_be(
    f"a name of letters, digits, - and _ (at most {limits.MAX_NAME})",
    lambda value: isinstance(value, str) and bool(NAME.fullmatch(value)) and len(value) <= limits.MAX_NAME,
)
POINTS = whole(0, limits.MAX_POINTS)
CARDS = whole(0, limits.MAX_CARDS)
OFFER = whole(0, limits.MAX_OFFER)
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

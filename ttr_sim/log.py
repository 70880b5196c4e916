"""The log's tables: columns, types, letters and meaning, and the parts of a score.

The engine writes every number of a table into one integer array with a row per column listed
here, and every text into bytes. The run layer converts them to the types named below.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

NULL = -32768  # "does not apply", in the engine's columns
SCHEMA = 4  # of the log and run.json; runs of other schemas are refused
WILD_LETTER = "*"

END_NAMES = ("trains", "tickets", "stalled", "capped")
ACTION_NAMES = ("draw", "claim", "tickets", "station", "discard", "pass")
SOURCE_NAMES = ("row", "deck")


@dataclass(frozen=True, slots=True)
class Column:
    """`type` is a Parquet type, or `name` (dictionary string of a fixed list), `letter` (one card
    letter) or `text`; `names` are the values of a fixed list, in the order of the engine's codes."""

    name: str
    type: str
    meaning: str
    nullable: bool = False
    names: tuple[str, ...] = ()


def _columns_of(kind: str, always_nullable: bool = False) -> Callable[..., Column]:
    def column(name: str, meaning: str, nullable: bool = always_nullable) -> Column:
        return Column(name, kind, meaning, nullable)

    return column


_int8, _int16, _int32 = _columns_of("int8"), _columns_of("int16"), _columns_of("int32")
_mask, _bool = _columns_of("uint8"), _columns_of("bool")
_letter, _text = _columns_of("letter", True), _columns_of("text", True)

GAME = Column("game", "int64", "number of the game in the run, from 0")

GAMES = (
    GAME,
    Column("deal", "int64", "number of the deal: all the luck that no choice affects"),
    Column("block", "int64", "number of the block: one deal played with every distinct rotation of a lineup"),
    _int8("players", "number of seats"),
    _int16("turns", "turns played, passes included"),
    Column("end", "name", "why the game ended", names=END_NAMES),
    _mask("winners", "mask of the winning seats: bit 0 is seat 0"),
    _text("fill", "every card turned up at setup, in order; resets add letters; null without a row"),
    _int32("resets", "row resets, setup included; null without a row", nullable=True),
    _int16("stuck", "times a row that should have been reset was left as it was; null without a row", nullable=True),
    _int32("reshuffles", "times the discards became the deck"),
    _int16("lead_changes", "turns after which the sole leader in public score differs from the last sole leader"),
    _int16("lead_turn", "first turn after which the sole winner leads alone to the end; null when there is none", True),
    _int16("margin", "winner's score minus the best of all other seats; 0 when shared or decided by a tie-break"),
    _text("passengers", "letters of the passengers placed at each row of cities.csv, joined by commas"),
)


@dataclass(frozen=True, slots=True)
class ScorePart:
    """One part of a final score. Engine, log, analysis and charts loop over SCORE_PARTS.

    `feature` is the path of the edition's field that makes the part.
    """

    column: str
    label: str
    meaning: str
    feature: str

    @property
    def name(self) -> str:
        """The part's name in tables and charts: `route`, `ticket_penalty`, `longest`."""
        return self.column.removesuffix("_points")

    def is_scored_in(self, edition: Any) -> bool:
        """Check that the edition has the feature."""
        if edition.is_race:  # scores no points at all
            return False
        value = edition
        for field in self.feature.split("."):
            value = getattr(value, field) if value is not None else None
        return bool(value)


# A new bonus is one entry here, a field of the board, a function in engine/scoring.py that fills it,
# and one of the referee. The log's columns, tables, charts and sentences follow from the entry.
SCORE_PARTS = (
    ScorePart("route_points", "routes", "points of claimed routes; null when routes score nothing", "route_scores"),
    ScorePart("ticket_points", "completed tickets", "points of completed tickets; null in a race", "ticket_rules"),
    ScorePart(
        "ticket_penalty",
        "failed tickets",
        "minus the points of failed tickets; null when nothing is subtracted",
        "ticket_rules.failed_subtract",
    ),
    ScorePart("longest_points", "longest path", "points of the longest path bonus", "longest_path"),
    ScorePart("globetrotter_points", "globetrotter", "points of the bonus for most completed tickets", "globetrotter"),
    ScorePart("station_points", "unused stations", "points of stations not built", "stations.count"),
    ScorePart("passenger_points", "passengers", "points of passenger majorities", "passengers.colors"),
    ScorePart("merchandise_points", "merchandise", "points of merchandise ranks", "merchandise.cards"),
    ScorePart("attraction_points", "attractions", "points of attractions that own routes touch", "attractions"),
    ScorePart("district_points", "districts", "points of districts joined by own routes", "districts"),
    ScorePart("mandala_points", "Mandala", "points of completed tickets with two separate ways", "mandala"),
)

SEATS = (
    GAME,
    _int8("seat", "place in turn order; 0 is the first player"),
    Column("bot", "name", "spec of the bot in this seat, as in --bots"),
    _bool("plans", "this bot publishes the routes it wants"),
    _text("hand", "cards dealt at setup, in the colors' order, wilds last", nullable=False),
    _int16("score", "final score; in a race the tickets completed and the bonus ticket"),
    _int8("rank", "1 1 3: ties share the better rank"),
    Column("win_share", "float64", "1 / number of winners for a winner, else 0"),
    *(_int16(part.column, part.meaning, nullable=True) for part in SCORE_PARTS),
    _int16("tickets_completed", "completed tickets, the bonus ticket not included"),
    _int16("tickets_failed", "kept tickets not completed; null when nothing is subtracted", nullable=True),
    _int16("longest_path", "trains of the longest trail of own routes; null when no rule needs it", nullable=True),
    _int16("routes", "routes claimed"),
    _int16("trains_left", "trains not placed"),
    _int8("stations_left", "stations not built", nullable=True),
    _text("lent", "city:route row numbers of the routes lent by stations, joined by commas; unused ones are omitted"),
    _text("passengers", "letters of the passengers held, in the colors' order"),
    _int8("merchandise", "merchandise cards held", nullable=True),
    _bool("bonus_ticket", "holds a bonus ticket", nullable=True),
    _int16("turns", "turns this seat took"),
)

TURNS = (
    GAME,
    _int16("turn", "0-based, over all seats"),
    _int8("seat", "the mover"),
    Column("action", "name", "what the mover did", names=ACTION_NAMES),
    _text("row", "face-up cards before the turn, in the colors' order, wilds last"),
    _letter("card1", "first card drawn"),
    Column("card1_from", "name", "where it came from", True, SOURCE_NAMES),
    _text("fill1", "cards turned up after card1, in order"),
    _letter("card2", "second card drawn"),
    Column("card2_from", "name", "where it came from", True, SOURCE_NAMES),
    _text("fill2", "cards turned up from then to the end of the turn, in order"),
    _int16("route", "route claimed or tried: row of routes.csv", nullable=True),
    _int16("city", "city of the station: row of cities.csv", nullable=True),
    _letter("color", "color of the colored cards paid; null with wilds alone"),
    _int8("cards", "all cards paid, wilds and a tunnel's extra cards included", nullable=True),
    _int8("wilds", "how many of them were wilds", nullable=True),
    _text("tunnel_cards", "cards revealed for a tunnel, in order; null except on tunnels"),
    _int8("tunnel_cost", "extra cards the tunnel cost; null except on tunnels", nullable=True),
    _bool("claimed", "false when a tunnel was given up: cards then shows what was taken back", nullable=True),
    _letter("passenger1", "passenger taken at the route's `from` end"),
    _letter("passenger2", "passenger taken at the route's `to` end"),
    _bool("merchandise", "the claim earned a merchandise card; null except on claims", nullable=True),
    _bool("bonus_ticket", "the claim earned the bonus ticket; null except on claims", nullable=True),
    _mask("wanted_by", "seats whose published plan held the route when it was claimed or tried", nullable=True),
    _int16("score", "the mover's public score after the turn"),
    _int16("trains", "the mover's trains after the turn"),
)

TICKETS = (
    GAME,
    _int32("order", "0-based order of drawing in the whole game"),
    _int8("seat", "who was offered the ticket"),
    _int16("ticket", "row of tickets.csv"),
    _int16("turn", "turn of the offer; -1 at setup"),
    _bool("kept", "kept at the offer"),
    _bool("completed", "completed in the end; null when not kept", nullable=True),
    _int16(
        "completed_turn",
        "turn in which the seat's own network completed it; null when not, or only through a station",
        nullable=True,
    ),
)

TABLES: dict[str, tuple[Column, ...]] = {"games": GAMES, "seats": SEATS, "turns": TURNS, "tickets": TICKETS}


def index_of(table: str, column: str) -> int:
    """Row of the engine's array that holds this column."""
    return next(i for i, entry in enumerate(TABLES[table]) if entry.name == column)

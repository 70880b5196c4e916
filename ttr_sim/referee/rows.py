"""The rows of the log as Python tuples; the names are those of ttr_sim.log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class GameRow(NamedTuple):
    game: int
    deal: int
    block: int
    players: int
    turns: int
    end: str
    winners: int
    fill: str | None
    resets: int | None
    stuck: int | None
    reshuffles: int
    lead_changes: int
    lead_turn: int | None
    margin: int
    passengers: str | None


class SeatRow(NamedTuple):
    game: int
    seat: int
    bot: str
    plans: bool
    hand: str
    score: int
    rank: int
    win_share: float
    route_points: int | None
    ticket_points: int | None
    ticket_penalty: int | None
    longest_points: int | None
    globetrotter_points: int | None
    station_points: int | None
    passenger_points: int | None
    merchandise_points: int | None
    tickets_completed: int
    tickets_failed: int | None
    longest_path: int | None
    routes: int
    trains_left: int
    stations_left: int | None
    lent: str | None
    passengers: str | None
    merchandise: int | None
    bonus_ticket: bool | None
    turns: int


class TurnRow(NamedTuple):
    game: int
    turn: int
    seat: int
    action: str
    row: str | None
    card1: str | None
    card1_from: str | None
    fill1: str | None
    card2: str | None
    card2_from: str | None
    fill2: str | None
    route: int | None
    city: int | None
    color: str | None
    cards: int | None
    wilds: int | None
    tunnel_cards: str | None
    tunnel_cost: int | None
    claimed: bool | None
    passenger1: str | None
    passenger2: str | None
    merchandise: bool | None
    bonus_ticket: bool | None
    wanted_by: int | None
    score: int
    trains: int


class TicketRow(NamedTuple):
    game: int
    order: int
    seat: int
    ticket: int
    turn: int
    kept: bool
    completed: bool | None
    completed_turn: int | None


@dataclass(frozen=True, slots=True)
class GameLog:
    """All that the log tells of one game, every list in the order of the log."""

    game: GameRow
    seats: list[SeatRow]
    turns: list[TurnRow]
    tickets: list[TicketRow]

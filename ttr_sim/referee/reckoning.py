"""The final reckoning: every part of every seat's score, anew."""

from __future__ import annotations

from dataclasses import dataclass, fields

from ttr_sim.referee.lending import settle_lending
from ttr_sim.referee.longest_path import longest_trail
from ttr_sim.referee.merchandise import merchandise_points
from ttr_sim.referee.passengers import passenger_points
from ttr_sim.referee.table import SeatState, Table

RULE = "scoring"


@dataclass(slots=True)
class Reckoning:
    """The log's `seats` columns that the game decides, by name; None where the edition lacks the rule."""

    score: int = 0
    route_points: int | None = None
    ticket_points: int | None = None
    ticket_penalty: int | None = None
    longest_points: int | None = None
    globetrotter_points: int | None = None
    station_points: int | None = None
    passenger_points: int | None = None
    merchandise_points: int | None = None
    tickets_completed: int = 0
    tickets_failed: int | None = None
    longest_path: int | None = None
    routes: int = 0
    trains_left: int = 0
    stations_left: int | None = None
    passengers: str | None = None
    merchandise: int | None = None
    bonus_ticket: bool | None = None
    turns: int = 0
    has_longest_path: bool = False

    @property
    def tickets_and_bonus(self) -> int:
        return self.tickets_completed + bool(self.bonus_ticket)

    @property
    def passengers_held(self) -> int:
        return len(self.passengers or "")


LOGGED = tuple(field.name for field in fields(Reckoning) if field.name != "has_longest_path")


def reckon(table: Table) -> list[Reckoning]:
    """Every seat's score and what it is made of."""
    for seat, state in enumerate(table.seats):
        table.seat = seat
        _complete_by_stations(table, state, seat)
    table.seat = None
    reckonings = [_holdings(table, state) for state in table.seats]
    _longest(table, reckonings)
    if not table.edition.is_race:
        _tickets_and_routes(table, reckonings)
        _bonuses(table, reckonings)
    for reckoning in reckonings:
        reckoning.score = _total(table, reckoning)
    return reckonings


def check_reckoning(table: Table, reckonings: list[Reckoning]) -> None:
    """Each seat's row of the log, column by column."""
    for seat, (row, reckoning) in enumerate(zip(table.log.seats, reckonings, strict=True)):
        table.seat = seat
        for name in LOGGED:
            table.expect(RULE, name, getattr(row, name), getattr(reckoning, name))
    table.seat = None


def _complete_by_stations(table: Table, state: SeatState, seat: int) -> None:
    """Tickets met through lent routes are completed for every purpose."""
    for holding in settle_lending(table, seat):
        holding.completed = True
        state.held.remove(holding)
        state.completed.append(holding)


def _holdings(table: Table, state: SeatState) -> Reckoning:
    """What is counted, not scored."""
    edition = table.edition
    return Reckoning(
        tickets_completed=len(state.completed),
        tickets_failed=len(state.held) if edition.ticket_rules.failed_subtract else None,
        routes=len(state.routes),
        trains_left=state.trains,
        stations_left=edition.stations.count - len(state.stations) if edition.stations else None,
        passengers=_letters(state.passengers) if edition.passengers else None,
        merchandise=state.merchandise if edition.merchandise else None,
        bonus_ticket=state.bonus_ticket if edition.bonus_ticket else None,
        turns=state.turns,
    )


def _letters(counts: dict[str, int]) -> str:
    return "".join(letter * count for letter, count in counts.items())


def _longest(table: Table, reckonings: list[Reckoning]) -> None:
    """Lengths where a bonus or a tie-break asks; all tied seats hold the longest path, none without a route."""
    if table.edition.longest_path is None and "longest_path" not in table.edition.tie_breaks:
        return
    routes = table.edition.routes
    lengths = [
        longest_trail((routes[r].a, routes[r].b, routes[r].length) for r in state.routes) for state in table.seats
    ]
    for reckoning, length in zip(reckonings, lengths, strict=True):
        reckoning.longest_path = length
        reckoning.has_longest_path = length > 0 and length == max(lengths)


def _tickets_and_routes(table: Table, reckonings: list[Reckoning]) -> None:
    edition = table.edition
    for reckoning, state in zip(reckonings, table.seats, strict=True):
        if edition.route_scores is not None:
            reckoning.route_points = sum(edition.route_scores[edition.routes[r].length - 1] for r in state.routes)
        reckoning.ticket_points = sum(edition.tickets[holding.ticket].points for holding in state.completed)
        if edition.ticket_rules.failed_subtract:
            reckoning.ticket_penalty = -sum(edition.tickets[holding.ticket].points for holding in state.held)


def _bonuses(table: Table, reckonings: list[Reckoning]) -> None:
    edition = table.edition
    most_tickets = max(reckoning.tickets_and_bonus for reckoning in reckonings)
    passengers = passenger_points(table) if edition.passengers else [None] * table.players
    merchandise = merchandise_points(table) if edition.merchandise else [None] * table.players
    for reckoning, riders, goods in zip(reckonings, passengers, merchandise, strict=True):
        reckoning.passenger_points, reckoning.merchandise_points = riders, goods
        if edition.longest_path:
            reckoning.longest_points = edition.longest_path.points * reckoning.has_longest_path
        if edition.globetrotter:
            leads = 0 < reckoning.tickets_and_bonus == most_tickets
            reckoning.globetrotter_points = edition.globetrotter.points * leads
        if edition.stations:
            reckoning.station_points = edition.stations.unused_points * (reckoning.stations_left or 0)


def _total(table: Table, reckoning: Reckoning) -> int:
    if table.edition.is_race:
        return reckoning.tickets_and_bonus
    parts = [getattr(reckoning, name) for name in LOGGED if name.endswith(("_points", "_penalty"))]
    return sum(part for part in parts if part is not None)

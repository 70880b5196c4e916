"""Stations: built in a city that has none, each dearer than the one before, and lending a route at the end."""

from __future__ import annotations

from ttr_sim.referee import words
from ttr_sim.referee.findings import RuleError
from ttr_sim.referee.payments import can_pay, check_payment, pay
from ttr_sim.referee.rows import TurnRow
from ttr_sim.referee.table import Table

RULE = "stations"


def build_station(table: Table, turn: TurnRow) -> None:
    """The first costs one card, the second two of one color, and so on."""
    state = table.seats[turn.seat]
    city = turn.city
    if table.edition.stations is None or len(state.stations) >= table.edition.stations.count:
        raise RuleError(RULE, "a station was built by a seat that had none to build")
    if city is None or not 0 <= city < len(table.edition.cities):
        raise RuleError(RULE, f"there is no city number {city}")
    if city in table.station_cities:
        raise RuleError(RULE, f"a second station was built in {words.city(table.rules, city)}")
    check_payment(table, turn, RULE, len(state.stations) + 1)
    pay(table, turn)
    state.stations.append(city)
    table.station_cities.add(city)


def can_build_station(table: Table, seat: int) -> bool:
    rule = table.edition.stations
    state = table.seats[seat]
    if rule is None or len(state.stations) >= rule.count or len(table.station_cities) == len(table.edition.cities):
        return False
    return can_pay(table, state, len(state.stations) + 1, None)

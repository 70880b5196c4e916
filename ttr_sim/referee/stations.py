"""Stations: built in a city that has none, each dearer than the one before, and lending a route at the end."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from ttr_sim.referee import words
from ttr_sim.referee.cards import can_pay, check_payment, pay
from ttr_sim.referee.log import TurnRow
from ttr_sim.referee.networks import Network
from ttr_sim.referee.position import Holding, Position, SeatState
from ttr_sim.referee.rulebook import Ends, RuleError

RULE = "stations"
LENDING_RULE = "lending stations"

Bridge = tuple[int, int]  # two parts of the own network, or cities beyond it, that a lent route joins
OpenTicket = tuple[set[int], set[int], int]  # the parts of the network that meet either end, the points
LendingValue = tuple[int, int, int]  # ticket points, tickets completed, minus the routes lent


def can_build_station(position: Position, seat: int) -> bool:
    rule = position.edition.stations
    state = position.seats[seat]
    if rule is None or len(state.stations) >= rule.count:
        return False
    if len(position.station_cities) == len(position.edition.cities):
        return False
    return can_pay(position, state, len(state.stations) + 1, None)


def build_station(position: Position, turn: TurnRow) -> None:
    """The first costs one card, the second two of one color, and so on."""
    state = position.seats[turn.seat]
    city = turn.city
    if position.edition.stations is None or len(state.stations) >= position.edition.stations.count:
        raise RuleError(RULE, "a station was built by a seat that had none left")
    if city is None or not 0 <= city < len(position.edition.cities):
        raise RuleError(RULE, f"there is no city {words.cell(city)}")
    if city in position.station_cities:
        raise RuleError(RULE, f"a second station was built in {words.city(position.rules, city)}")
    check_payment(position, turn, RULE, len(state.stations) + 1)
    pay(position, turn)
    state.stations.append(city)
    position.station_cities.add(city)


def settle_lending(position: Position, seat: int) -> list[Holding]:
    """Check what the log has the seat's stations lend; return the held tickets it completes."""
    lent = position.log.seats[seat].lent
    if position.edition.stations is None:
        position.expect(LENDING_RULE, "lent", lent, None)
        return []
    routes = _lent_routes(position, seat, lent)
    if routes is None:
        return []
    if position.over == "tickets":
        position.expect(LENDING_RULE, "lent, with the race won by its last ticket,", lent, "")
        return []
    met = _met_with(position, position.seats[seat], routes)
    best = _best_value(position, seat)
    value = _value([_worth(position, holding) for holding in met], len(routes))
    if value != best:
        position.note(
            LENDING_RULE, f"the routes lent bring {_value_words(value)}, the best choice {_value_words(best)}"
        )
    return met


def _value_words(value: LendingValue) -> str:
    points, completed, spared = value
    tickets, routes = words.numbered(completed, "ticket"), words.numbered(-spared, "route")
    return f"{words.numbered(points, 'point')} from {tickets} with {routes}"


def _lent_routes(position: Position, seat: int, lent: str | None) -> list[int] | None:
    """Return the routes of the log's `city:route` pairs, None when a pair is not what a station can lend."""
    if lent is None:
        position.note(LENDING_RULE, "the log does not say what the stations lend")
        return None
    routes = []
    stations = set(position.seats[seat].stations)
    for pair in lent.split(",") if lent else ():
        city, _, route = pair.partition(":")
        why_not = _why_not_lent(position, seat, stations, city, route)
        if why_not:
            position.note(LENDING_RULE, f"{words.cell(pair)} was lent, but {why_not}")
            return None
        stations.remove(int(city))
        routes.append(int(route))
    return routes


def _why_not_lent(position: Position, seat: int, stations: set[int], city: str, route: str) -> str | None:
    if not city.isdecimal() or int(city) not in stations:
        return "this seat has no station there, or none that has not lent yet"
    if not route.isdecimal() or int(route) >= len(position.owner):
        return "there is no such route"
    entry = position.edition.routes[int(route)]
    name = words.route(position.rules, int(route))
    if int(city) not in {entry.a, entry.b}:
        return f"{name} does not lead into {words.city(position.rules, int(city))}"
    if position.owner[int(route)] in {None, seat}:
        return f"{name} does not belong to another seat"
    return None


def _met_with(position: Position, state: SeatState, routes: Iterable[int]) -> list[Holding]:
    network = state.network.copy()
    for route in routes:
        network.join(position.edition.routes[route].a, position.edition.routes[route].b)
    return [holding for holding in state.held if network.connects(position.rules.ticket_ends[holding.ticket])]


def _worth(position: Position, holding: Holding) -> int:
    """In a race every ticket is worth one."""
    return 1 if position.edition.is_race else position.edition.tickets[holding.ticket].points


def _value(worths: list[int], lent: int) -> LendingValue:
    return sum(worths), len(worths), -lent


def _best_value(position: Position, seat: int) -> LendingValue:
    """Try every choice of routes that join parts of the own network or reach beyond it."""
    state = position.seats[seat]
    if not state.held:
        return 0, 0, 0
    tickets = [
        (*_roots(state.network, position.rules.ticket_ends[holding.ticket]), _worth(position, holding))
        for holding in state.held
    ]
    choices = product(*(_bridges(position, seat, city) for city in state.stations))
    return max(_value_of_bridges(tickets, [bridge for bridge in choice if bridge]) for choice in choices)


def _roots(network: Network, ends: Ends) -> tuple[set[int], set[int]]:
    ones, others = ends
    return {network.root(city) for city in ones}, {network.root(city) for city in others}


def _bridges(position: Position, seat: int, city: int) -> list[Bridge | None]:
    """List what the station in a city could lend: the pairs of network parts it would join; or nothing."""
    network = position.seats[seat].network
    bridges: set[Bridge] = set()
    for number, route in enumerate(position.edition.routes):
        if city in {route.a, route.b} and position.owner[number] not in {None, seat}:
            a, b = network.root(route.a), network.root(route.b)
            if a != b:
                bridges.add((min(a, b), max(a, b)))
    return [None, *sorted(bridges)]


def _value_of_bridges(tickets: list[OpenTicket], bridges: list[Bridge]) -> LendingValue:
    return _value([worth for ones, others, worth in tickets if _reaches(ones, others, bridges)], len(bridges))


def _reaches(ones: set[int], others: set[int], bridges: list[Bridge]) -> bool:
    reached = set(ones)
    for _ in bridges:
        for a, b in bridges:
            if a in reached or b in reached:
                reached.update((a, b))
    return not reached.isdisjoint(others)

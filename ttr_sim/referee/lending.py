"""Lending stations: each may lend one route of another seat into its city, the best choice counts."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from ttr_sim.referee import words
from ttr_sim.referee.findings import shown
from ttr_sim.referee.networks import Network
from ttr_sim.referee.rulebook import Ends
from ttr_sim.referee.table import Holding, SeatState, Table

RULE = "lending stations"
Bridge = tuple[int, int]  # two parts of the own network, or cities beyond it, that a lent route joins
Ticket = tuple[set[int], set[int], int]  # the parts that meet either end, the points
Value = tuple[int, int, int]  # ticket points, tickets completed, minus the routes lent


def settle_lending(table: Table, seat: int) -> list[Holding]:
    """Check what the log has the seat's stations lend; the held tickets it completes."""
    lent = table.log.seats[seat].lent
    if table.edition.stations is None:
        table.expect(RULE, "lent", lent, None)
        return []
    routes = _lent_routes(table, seat, lent)
    if routes is None:
        return []
    if table.over == "tickets":
        table.expect(RULE, "lent after a race was won by its last ticket", lent, "")
        return []
    met = _met_with(table, table.seats[seat], routes)
    best = _best_value(table, seat)
    value = _value([_worth(table, holding) for holding in met], len(routes))
    if value != best:
        table.note(RULE, f"the routes lent bring {_told(value)}, the best choice {_told(best)}")
    return met


def _told(value: Value) -> str:
    points, completed, spared = value
    return f"{points} points with {completed} tickets by {-spared} routes"


def _lent_routes(table: Table, seat: int, lent: str | None) -> list[int] | None:
    """The routes of the log's `city:route` pairs, None when a pair is not what a station can lend."""
    if lent is None:
        table.note(RULE, "the log does not tell what the stations lend")
        return None
    routes = []
    stations = set(table.seats[seat].stations)
    for pair in lent.split(",") if lent else ():
        city, _, route = pair.partition(":")
        why_not = _why_not_lent(table, seat, stations, city, route)
        if why_not:
            table.note(RULE, f"{shown(pair)} was lent, but {why_not}")
            return None
        stations.remove(int(city))
        routes.append(int(route))
    return routes


def _why_not_lent(table: Table, seat: int, stations: set[int], city: str, route: str) -> str | None:
    if not city.isdecimal() or int(city) not in stations:
        return "this seat has no station there that could lend, or lent with it already"
    if not route.isdecimal() or int(route) >= len(table.owner):
        return "there is no such route"
    entry = table.edition.routes[int(route)]
    name = words.route(table.rules, int(route))
    if int(city) not in {entry.a, entry.b}:
        return f"{name} does not lead into {words.city(table.rules, int(city))}"
    if table.owner[int(route)] in {None, seat}:
        return f"{name} is not another seat's"
    return None


def _met_with(table: Table, state: SeatState, routes: Iterable[int]) -> list[Holding]:
    network = state.network.copy()
    for route in routes:
        network.join(table.edition.routes[route].a, table.edition.routes[route].b)
    return [holding for holding in state.held if network.connects(table.rules.ticket_ends[holding.ticket])]


def _worth(table: Table, holding: Holding) -> int:
    """In a race every ticket is worth one."""
    return 1 if table.edition.is_race else table.edition.tickets[holding.ticket].points


def _value(worths: list[int], lent: int) -> Value:
    return sum(worths), len(worths), -lent


def _best_value(table: Table, seat: int) -> Value:
    """By trying every choice of routes that join parts of the own network or reach beyond it."""
    state = table.seats[seat]
    if not state.held:
        return 0, 0, 0
    tickets = [
        (*_roots(state.network, table.rules.ticket_ends[holding.ticket]), _worth(table, holding))
        for holding in state.held
    ]
    choices = product(*(_bridges(table, seat, city) for city in state.stations))
    return max(_value_of_bridges(tickets, [bridge for bridge in choice if bridge]) for choice in choices)


def _roots(network: Network, ends: Ends) -> tuple[set[int], set[int]]:
    ones, others = ends
    return {network.root(city) for city in ones}, {network.root(city) for city in others}


def _bridges(table: Table, seat: int, city: int) -> list[Bridge | None]:
    """What the station in a city could lend: the pairs of network parts joined so; or nothing."""
    network = table.seats[seat].network
    bridges: set[Bridge] = set()
    for number, route in enumerate(table.edition.routes):
        if city in {route.a, route.b} and table.owner[number] not in {None, seat}:
            a, b = network.root(route.a), network.root(route.b)
            if a != b:
                bridges.add((min(a, b), max(a, b)))
    return [None, *sorted(bridges)]


def _value_of_bridges(tickets: list[Ticket], bridges: list[Bridge]) -> Value:
    return _value([worth for ones, others, worth in tickets if _reaches(ones, others, bridges)], len(bridges))


def _reaches(ones: set[int], others: set[int], bridges: list[Bridge]) -> bool:
    reached = set(ones)
    for _ in bridges:
        for a, b in bridges:
            if a in reached or b in reached:
                reached.update((a, b))
    return not reached.isdisjoint(others)

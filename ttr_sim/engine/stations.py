"""Stations: building them, and the best lending of routes at the end."""

import numpy as np

from ttr_sim.engine.actions import ASK_TURN, CITY_TAKEN, NO_STATION_LEFT, NOT_NOW
from ttr_sim.engine.cards import log_payment, pay_cards, why_not_pay
from ttr_sim.engine.claims import FREE
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.networks import is_met, join_cities
from ttr_sim.log import ACTION_NAMES, END_NAMES

ACTION_STATION = ACTION_NAMES.index("station")
BY_RACE = END_NAMES.index("tickets")
NOT_LENT = -1


@compiled
def station_cost(board, view, seat):
    """1 card for the first station, 2 for the second, 3 for the third."""
    return board.stations - view.stations[seat] + 1


@compiled
def why_not_station(board, view, city, color, wilds):
    if view.decision != ASK_TURN:
        return NOT_NOW
    if view.stations[view.seat] == 0:
        return NO_STATION_LEFT
    if city >= board.n_cities or view.station_owner[city] != FREE:
        return CITY_TAKEN
    return why_not_pay(view, color, wilds, station_cost(board, view, view.seat), 0)


@compiled
def apply_station(board, state, city, color, wilds):
    view, log, seat = state.mover_view, state.turn_log, state.mover_view.seat
    cost = station_cost(board, view, seat)
    pay_cards(state, seat, color, cost, wilds)
    view.station_owner[city] = seat
    state.hidden.station_cities[seat, board.stations - view.stations[seat]] = city
    view.stations[seat] -= 1
    log.action = ACTION_STATION
    log.city = city
    log_payment(log, color, cost, wilds)


# Lending


@compiled
def lend_best_routes(board, state, seat):
    """Let each station lend one route of another player into its city.

    Best is most ticket points (in a race: most tickets), then most tickets completed. Among equals
    fewest routes are lent, so that the log lists no useless loan. Then the tie-breaking numbers
    decide. The search goes through every combination, a level per station. Nothing is lent once a
    race is won.
    """
    view, result, scratch = state.mover_view, state.results[seat], state.scratch
    built = board.stations - view.stations[seat]
    for station in range(result.lent.shape[0]):
        result.lent[station] = NOT_LENT
        scratch.lend[station] = -1
    if built == 0 or state.hidden.end == BY_RACE:
        return
    _copy_labels(board, view.network[seat], scratch.labels[0])
    best_points, best_done = _value_of_tickets(board, state, seat, scratch.labels[0])
    best_lent, best_tie = 0, 0.0
    level = 0
    while level >= 0:
        if not _next_loan(board, state, seat, level):
            level -= 1
            continue
        # Not yet a choice for every station: go one level down and begin with its first loan.
        if level + 1 < built:
            level += 1
            scratch.lend[level] = -1
            continue
        points, done = _value_of_tickets(board, state, seat, scratch.labels[built])
        lent, tie = 0, 0.0
        for station in range(built):
            route = _lent_by(board, state, seat, station)
            if route != NOT_LENT:
                lent += 1
                tie += view.route_tie[route] + view.city_tie[state.hidden.station_cities[seat, station]]
        if (points, done, -lent, tie) > (best_points, best_done, -best_lent, best_tie):
            best_points, best_done, best_lent, best_tie = points, done, lent, tie
            for station in range(built):
                result.lent[station] = _lent_by(board, state, seat, station)


@compiled
def _copy_labels(board, source, target):
    for city in range(board.n_cities):
        target[city] = source[city]


@compiled
def _next_loan(board, state, seat, level):
    """Advance a station to its next loan. False when all were tried."""
    scratch = state.scratch
    city = state.hidden.station_cities[seat, level]
    n = board.first_road[city + 1] - board.first_road[city]
    labels = scratch.labels[level + 1]
    while scratch.lend[level] < n:
        scratch.lend[level] += 1
        choice = scratch.lend[level]
        _copy_labels(board, scratch.labels[level], labels)
        if choice == n:
            return True
        at = board.first_road[city] + choice
        owner = state.mover_view.owner[board.road_route[at]]
        if owner != FREE and owner != seat and labels[city] != labels[board.road_city[at]]:
            join_cities(board, labels, city, board.road_city[at])
            return True
    return False


@compiled
def _lent_by(board, state, seat, station):
    """The route that the search lends at this station now, or NOT_LENT."""
    city = state.hidden.station_cities[seat, station]
    at = board.first_road[city] + state.scratch.lend[station]
    if at == board.first_road[city + 1]:
        return NOT_LENT
    return np.int64(board.road_route[at])


@compiled
def _value_of_tickets(board, state, seat, labels):
    """Worth of the seat's tickets with these networks, and the number completed."""
    holding = state.holdings[seat]
    points, done = 0, 0
    for i in range(holding.n_tickets):
        ticket = holding.tickets[i]
        if is_met(board, labels, ticket):
            points += board.ticket_points[ticket]
            done += 1
        elif board.failed_subtract:
            points -= board.ticket_points[ticket]
    return (done if board.race_tickets > 0 else points), done


@compiled
def lending_network(board, state, seat):
    """Own and lent routes as labels in scratch."""
    labels = state.scratch.labels[0]
    _copy_labels(board, state.mover_view.network[seat], labels)
    built = board.stations - state.mover_view.stations[seat]
    for station in range(built):
        route = state.results[seat].lent[station]
        if route != NOT_LENT:
            join_cities(board, labels, board.route_a[route], board.route_b[route])
    return labels

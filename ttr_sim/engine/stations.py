"""Stations: building them, and the best lending of routes at the end."""

from ttr_sim.engine.actions import ASK_TURN
from ttr_sim.engine.board import GRAY
from ttr_sim.engine.claims import FREE, count_payments, note_payment, nth_payment, pay_cards, why_not_pay
from ttr_sim.engine.jit import compiled, part
from ttr_sim.engine.networks import is_met, join_cities
from ttr_sim.engine.reasons import CITY_TAKEN, NO_STATION_LEFT, NOT_NOW
from ttr_sim.log import ACTION_NAMES, END_NAMES

ACTION_STATION = ACTION_NAMES.index("station")
BY_RACE = END_NAMES.index("tickets")
NOT_LENT = -1


@compiled
def open_all_cities(board, state):
    for city in range(board.n_cities):
        state.mover_view.station_owner[city] = FREE
    for seat in range(state.mover_view.players):
        state.mover_view.stations[seat] = board.stations


@compiled
def station_cost(board, view, seat):
    """Return 1 for the first station, 2 for the second, 3 for the third."""
    return board.stations - view.stations[seat] + 1


@compiled
def count_station_payments(board, view):
    if view.stations[view.seat] == 0:
        return 0
    return count_payments(board, view, GRAY, station_cost(board, view, view.seat), 0)


@compiled
def count_stations(board, view):
    """Count every free city with every payment."""
    payments = count_station_payments(board, view)
    if payments == 0:
        return 0
    free = 0
    for city in range(board.n_cities):
        free += view.station_owner[city] == FREE
    return free * payments


@compiled
def nth_station(board, view, k):
    """Return the k-th of these as (city, color, wilds)."""
    payments = count_station_payments(board, view)
    color, wilds = nth_payment(board, view, GRAY, station_cost(board, view, view.seat), 0, k % payments)
    k //= payments
    for city in range(board.n_cities):
        if view.station_owner[city] == FREE:
            if k == 0:
                return city, color, wilds
            k -= 1
    return -1, color, wilds


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
def build(board, state, city, color, wilds):
    view, now, seat = state.mover_view, state.now, state.mover_view.seat
    cost = station_cost(board, view, seat)
    pay_cards(state, seat, color, cost, wilds)
    view.station_owner[city] = seat
    state.hidden.station_cities[seat, board.stations - view.stations[seat]] = city
    view.stations[seat] -= 1
    now.action = ACTION_STATION
    now.city = city
    note_payment(now, color, cost, wilds)


@compiled
def lend_best_routes(board, state, seat):
    """Fill results[seat].lent: each station may lend one route of another player into its city.

    Best is most ticket points (in a race: most tickets), then most tickets completed. Among equals
    fewest routes are lent, so that the log lists no loan that helps nobody; of these the ties' numbers
    decide. The search goes through every combination, a level per station. Nothing is lent once a race is won.
    """
    result, scratch = state.results[seat], state.scratch
    built = board.stations - state.mover_view.stations[seat]
    for station in range(result.lent.shape[0]):
        result.lent[station] = NOT_LENT
        scratch.lend[station] = -1
    if state.hidden.end == BY_RACE:
        return
    _copy_labels(board, state.mover_view.network[seat], scratch.labels[0])
    best_points, best_done = value_of_tickets(board, state, seat, scratch.labels[0])
    best_lent, best_tie = 0, 0.0
    if built == 0:
        return
    level = 0
    while level >= 0:
        if not _next_loan(board, state, seat, level):
            level -= 1
            continue
        if level + 1 < built:
            level += 1
            scratch.lend[level] = -1
            continue
        points, done = value_of_tickets(board, state, seat, scratch.labels[built])
        lent, tie = _count_lent(board, state, seat, built)
        if (points, done, -lent, tie) > (best_points, best_done, -best_lent, best_tie):
            best_points, best_done, best_lent, best_tie = points, done, lent, tie
            _keep_loans(board, state, seat, built)


@compiled
def _copy_labels(board, source, target):
    for city in range(board.n_cities):
        target[city] = source[city]


@compiled
def _n_roads(board, city):
    return board.first_road[city + 1] - board.first_road[city]


@part
def _next_loan(board, state, seat, level):
    """Advance a station to its next loan (after the last road: none); return false when there is none left."""
    scratch = state.scratch
    city = state.hidden.station_cities[seat, level]
    n = _n_roads(board, city)
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


@part
def _count_lent(board, state, seat, built):
    """Return how many routes are lent, and the number that breaks ties: of the routes and of where they lead."""
    view, lent, tie = state.mover_view, 0, 0.0
    for station in range(built):
        city = state.hidden.station_cities[seat, station]
        choice = state.scratch.lend[station]
        if choice < _n_roads(board, city):
            lent += 1
            tie += view.route_tie[board.road_route[board.first_road[city] + choice]] + view.city_tie[city]
    return lent, tie


@part
def _keep_loans(board, state, seat, built):
    for station in range(built):
        city = state.hidden.station_cities[seat, station]
        choice = state.scratch.lend[station]
        route = NOT_LENT
        if choice < _n_roads(board, city):
            route = board.road_route[board.first_road[city] + choice]
        state.results[seat].lent[station] = route


@compiled
def value_of_tickets(board, state, seat, labels):
    """Return what the seat's tickets are worth with these networks, and how many are completed."""
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
    """Return own and lent routes as labels in scratch."""
    labels = state.scratch.labels[0]
    _copy_labels(board, state.mover_view.network[seat], labels)
    built = board.stations - state.mover_view.stations[seat]
    for station in range(built):
        route = state.results[seat].lent[station]
        if route != NOT_LENT:
            join_cities(board, labels, board.route_a[route], board.route_b[route])
    return labels

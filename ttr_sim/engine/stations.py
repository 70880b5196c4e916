"""Stations: building them, and the best lending of routes at the end."""

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


@compiled
def lend_best_routes(board, state, seat):
    """Let each station lend one route of another player into its city.

    Best is most ticket points (in a race: most tickets), then most tickets completed. Among equals
    fewest routes are lent, so that the log lists no useless loan. Then the tie-breaking numbers
    decide. Nothing is lent once a race is won.
    """
    view, result, lend = state.mover_view, state.results[seat], state.scratch.lend
    built = board.stations - view.stations[seat]
    for station in range(result.lent.shape[0]):
        result.lent[station] = NOT_LENT
    if built == 0 or state.hidden.end == BY_RACE:
        return
    cities, combinations = state.hidden.station_cities[seat], 1
    for station in range(built):
        combinations *= 1 + board.first_road[cities[station] + 1] - board.first_road[cities[station]]
    best_points, best_done = _value_of_tickets(board, state, seat, view.network[seat])
    best_lent, best_tie = 0, 0.0
    for number in range(1, combinations):
        if not _try_loans(board, state, seat, number):
            continue
        points, done = _value_of_tickets(board, state, seat, state.scratch.labels[:])
        lent, tie = 0, 0.0
        for station in range(built):
            if lend[station] != NOT_LENT:
                lent += 1
                tie += view.route_tie[lend[station]] + view.city_tie[cities[station]]
        if (points, done, -lent, tie) > (best_points, best_done, -best_lent, best_tie):
            best_points, best_done, best_lent, best_tie = points, done, lent, tie
            for station in range(built):
                result.lent[station] = lend[station]


@compiled
def _try_loans(board, state, seat, number):
    """Lend a combination of routes in scratch, a digit per station. False: one cannot be lent."""
    view, labels, lend = state.mover_view, state.scratch.labels[:], state.scratch.lend
    for city in range(board.n_cities):
        labels[city] = view.network[seat, city]
    for station in range(board.stations - view.stations[seat]):
        city = state.hidden.station_cities[seat, station]
        n = 1 + board.first_road[city + 1] - board.first_road[city]
        at = board.first_road[city] + number % n - 1  # digit 0 lends nothing
        number //= n
        lend[station] = NOT_LENT
        if at < board.first_road[city]:
            continue
        owner = view.owner[board.road_route[at]]
        if owner == FREE or owner == seat or labels[city] == labels[board.road_city[at]]:
            return False
        join_cities(board, labels, city, board.road_city[at])
        lend[station] = board.road_route[at]
    return True


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
    labels = state.scratch.labels[:]
    for city in range(board.n_cities):
        labels[city] = state.mover_view.network[seat, city]
    built = board.stations - state.mover_view.stations[seat]
    for station in range(built):
        route = state.results[seat].lent[station]
        if route != NOT_LENT:
            join_cities(board, labels, board.route_a[route], board.route_b[route])
    return labels

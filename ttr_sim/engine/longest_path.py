"""The longest trail of a seat's routes, exact: a city may be passed again, a route may not.

In each connected network: with at most two odd cities all routes make one trail. Otherwise a
longest trail ends in two odd cities, so a depth-first search starts there only, and stops at a
bound: every odd city but the two ends leaves one of its routes unused, and a route serves two.
"""

from ttr_sim.engine.jit import compiled, part


@compiled
def longest_trail(board, state, seat):
    scratch, labels = state.scratch, state.mover_view.network[seat]
    n = _list_own_routes(board, state, seat)
    _measure_networks(board, scratch, labels, n)
    best = 0
    for label in range(board.n_cities):
        before = best
        if scratch.total[label] <= before:
            continue
        best = scratch.total[label]
        if scratch.odd[label] > 2:
            best = _search_network(board, scratch, labels, label, before)
    return best


@part
def _list_own_routes(board, state, seat):
    """List the seat's routes, and for each city those that touch it."""
    scratch, owner = state.scratch, state.mover_view.owner
    n = 0
    for city in range(board.n_cities + 2):
        scratch.first_own[city] = 0
    for route in range(board.n_routes):  # without an `if`: whose a route is could not be foreseen
        scratch.own_routes[n] = route
        n += owner[route] == seat
    for i in range(n):
        route = scratch.own_routes[i]
        scratch.used[route] = 0
        scratch.first_own[board.route_a[route] + 2] += 1
        scratch.first_own[board.route_b[route] + 2] += 1
    for city in range(board.n_cities + 1):
        scratch.first_own[city + 1] += scratch.first_own[city]
    for i in range(n):
        route = scratch.own_routes[i]
        _add_own(scratch, board.route_a[route], board.route_b[route], route)
        _add_own(scratch, board.route_b[route], board.route_a[route], route)
    return n


@compiled
def _add_own(scratch, near, far, route):
    at = scratch.first_own[near + 1]
    scratch.own_at[at] = route
    scratch.far_city[at] = far
    scratch.first_own[near + 1] = at + 1


@part
def _measure_networks(board, scratch, labels, n):
    for city in range(board.n_cities):
        scratch.total[city] = 0
        scratch.odd[city] = 0
    for i in range(n):
        route = scratch.own_routes[i]
        scratch.total[labels[board.route_a[route]]] += board.route_length[route]
    for city in range(board.n_cities):
        scratch.odd[labels[city]] += _degree(scratch, city) & 1


@compiled
def _degree(scratch, city):
    return scratch.first_own[city + 1] - scratch.first_own[city]


@part
def _search_network(board, scratch, labels, label, best):
    bound = _bound(board, scratch, labels, label)
    for city in range(board.n_cities):
        if best >= bound:
            break
        if labels[city] == label and _degree(scratch, city) & 1:
            best = max(best, _longest_from(board, scratch, city, best, bound))
    return best


@part
def _bound(board, scratch, labels, label):
    """Return a length that no trail exceeds: odd cities other than its two ends leave a route unused."""
    lost, largest, second = 0, 0, 0
    for city in range(board.n_cities):
        if labels[city] != label or _degree(scratch, city) & 1 == 0:
            continue
        shortest = _shortest_own(board, scratch, city)
        lost += shortest
        if shortest > largest:
            largest, second = shortest, largest
        elif shortest > second:
            second = shortest
    return scratch.total[label] - (lost - largest - second + 1) // 2


@part
def _shortest_own(board, scratch, city):
    shortest = board.route_length[scratch.own_at[scratch.first_own[city]]]
    for at in range(scratch.first_own[city], scratch.first_own[city + 1]):
        shortest = min(shortest, board.route_length[scratch.own_at[at]])
    return shortest


@part
def _longest_from(board, scratch, city, best, bound):
    """Search depth first over unused routes; every mark of a used one is taken back."""
    depth, length = 0, 0
    scratch.path_city[0] = city
    scratch.path_next[0] = scratch.first_own[city]
    while depth >= 0:
        at, end = scratch.path_next[depth], scratch.first_own[scratch.path_city[depth] + 1]
        while at < end and scratch.used[scratch.own_at[at]]:
            at += 1
        if at == end or best >= bound:
            if depth > 0:
                route = scratch.path_route[depth]
                scratch.used[route] = 0
                length -= board.route_length[route]
            depth -= 1
            continue
        route = scratch.own_at[at]
        scratch.path_next[depth] = at + 1
        scratch.used[route] = 1
        length += board.route_length[route]
        best = max(best, length)
        depth += 1
        scratch.path_route[depth] = route
        scratch.path_city[depth] = scratch.far_city[at]
        scratch.path_next[depth] = scratch.first_own[scratch.far_city[at]]
    return best

"""What a turn and a claim are worth apart from tickets: points, passengers, merchandise."""

from ttr_sim.engine.actions import passenger
from ttr_sim.engine.jit import compiled, part

AT_ONCE = 0.3  # weight of what one more passenger would score right now
CONTEST = 1.5  # how fast a color loses interest with the distance between the first two


@compiled
def turn_points(board, memory):
    """Return the points a turn brings to one who claims the longest routes: the unit of all prices.

    Worked out once a game, as it loops over the whole board.
    """
    if memory.turn_points == 0:
        memory.turn_points = _longest_first(board)
    return memory.turn_points


@part
def _longest_first(board):
    if board.race_tickets > 0:
        return 1.0  # prices are turns, nothing else counts
    trains, turns, points = board.trains, 0.0, 0.0
    for length in range(board.longest_route, 0, -1):
        for route in range(board.n_routes):
            if board.route_length[route] == length and length <= trains and _leads_its_group(board, route):
                trains -= length
                turns += 1.0 + length / 2.0
                points += board.route_points[route]
    return max(points, 1.0) / max(turns, 1.0)


@part
def _leads_its_group(board, route):
    """Return whether the route is the first of its parallel routes: a seat can own only one of them."""
    return board.group_routes[board.first_of_group[board.route_group[route]]] == route


@compiled
def claim_worth(board, memory, route):
    """Return the points of the route and of what is found on it."""
    worth = (
        board.route_points[route] + memory.city_worth[board.route_a[route]] + memory.city_worth[board.route_b[route]]
    )
    if board.route_merchandise[route]:
        worth += memory.goods_worth
    return worth


@compiled
def weigh_finds(board, view, memory, passenger, goods):
    """Set what passengers and merchandise are worth now; `passenger` and `goods` are their weights."""
    memory.goods_worth = goods if view.merchandise_left > 0 else 0.0
    if board.n_passenger_colors == 0:
        return
    for index in range(board.n_passenger_colors):
        color = board.passenger_color[index]
        memory.color_worth[color] = passenger * color_worth(board, view, color)
    for city in range(board.n_cities):
        memory.city_worth[city] = _best_waiting(board, view, memory, city)


@part
def _best_waiting(board, view, memory, city):
    best = 0.0
    pool = board.pool_city[city]
    for index in range(board.n_passenger_colors):
        color = board.passenger_color[index]
        if view.passengers[pool, color] > 0:
            best = max(best, memory.color_worth[color])
    return best


@compiled
def choose_passenger(board, view):
    """Return the answer that takes the passenger worth most."""
    pool = board.pool_city[view.passenger_city]
    best, best_worth = -1, -1.0
    for index in range(board.n_passenger_colors):
        color = board.passenger_color[index]
        if view.passengers[pool, color] > 0:
            worth = color_worth(board, view, color) + view.color_tie[color]
            if worth > best_worth:
                best, best_worth = color, worth
    return passenger(best)


@compiled
def color_worth(board, view, color):
    """Return what one more passenger of a color is worth: most in a close race, and for what scores at once."""
    own = view.held_passengers[view.seat, color]
    rival = 0
    for seat in range(view.players):
        if seat != view.seat:
            rival = max(rival, view.held_passengers[seat, color])
    worth = AT_ONCE * (_passenger_points(board, view, color, own + 1) - _passenger_points(board, view, color, own))
    left = _waiting(board, view, color)
    if abs(own - rival) <= left:
        worth += board.most_points / (2.0 + CONTEST * abs(own - rival))
    return worth


@compiled
def _passenger_points(board, view, color, own):
    """Return what so many of a color would score if nobody took another."""
    ahead = 0
    for seat in range(view.players):
        ahead += seat != view.seat and view.held_passengers[seat, color] > own
    if own == 0 or ahead > 1:
        return 0
    return board.most_points if ahead == 0 else board.second_points


@part
def _waiting(board, view, color):
    n = 0
    for city in range(board.n_cities):
        n += view.passengers[city, color]
    return n

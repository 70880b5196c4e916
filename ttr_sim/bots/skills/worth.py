"""What a claim brings beside tickets: points, passengers, merchandise."""

from ttr_sim.bots.skills.passengers import color_worth
from ttr_sim.engine.compiled import compiled, part


@compiled
def weigh_finds(board, view, mind, passenger, goods):
    """Set what passengers and merchandise are worth now: `passenger` and `goods` weigh them."""
    mind.goods_worth = goods if view.merchandise_left > 0 else 0.0
    if board.n_passenger_colors == 0:
        return
    for place in range(board.n_passenger_colors):
        color = board.passenger_color[place]
        mind.color_worth[color] = passenger * color_worth(board, view, color)
    for city in range(board.n_cities):
        mind.city_worth[city] = _best_waiting(board, view, mind, city)


@part
def _best_waiting(board, view, mind, city):
    best = 0.0
    pool = board.pool_city[city]
    for place in range(board.n_passenger_colors):
        color = board.passenger_color[place]
        if view.passengers[pool, color] > 0:
            best = max(best, mind.color_worth[color])
    return best


@compiled
def claim_worth(board, view, mind, route):
    """Points of the route and of what is found on it."""
    worth = board.route_points[route] + mind.city_worth[board.route_a[route]] + mind.city_worth[board.route_b[route]]
    if board.route_merchandise[route]:
        worth += mind.goods_worth
    return worth

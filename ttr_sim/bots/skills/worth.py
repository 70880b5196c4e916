"""What a claim brings beside tickets: points, passengers, merchandise."""

from ttr_sim.engine.compiled import compiled


@compiled
def claim_worth(board, view, route, passenger, goods):
    """Points of the route, with so many for each passenger and each merchandise card it brings."""
    worth = float(board.route_points[route])
    if board.n_passenger_colors > 0 and passenger > 0:
        worth += passenger * (_waits(board, view, board.route_a[route]) + _waits(board, view, board.route_b[route]))
    if board.route_merchandise[route] and view.merchandise_left > 0:
        worth += goods
    return worth


@compiled
def _waits(board, view, city):
    """1 while a passenger stands here, else 0."""
    pool = board.pool_city[city]
    for color in range(board.n_colors):
        if view.passengers[pool, color] > 0:
            return 1
    return 0

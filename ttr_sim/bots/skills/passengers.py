"""Passengers: what one more of a color is worth, and which to take."""

from ttr_sim.engine.actions import passenger
from ttr_sim.engine.compiled import compiled, part

AT_ONCE = 0.3  # share of what one more would score now that counts
CONTEST = 1.5  # how fast a color loses interest with the distance between the first two


@compiled
def choose_passenger(board, view):
    """The color worth most at the city where one is to be taken."""
    pool = board.pool_city[view.passenger_city]
    best, best_worth = -1, 0.0
    for place in range(board.n_passenger_colors):
        color = board.passenger_color[place]
        if view.passengers[pool, color] > 0:
            worth = color_worth(board, view, color)
            if best < 0 or worth > best_worth:
                best, best_worth = color, worth
    return passenger(best)


@compiled
def color_worth(board, view, color):
    """Most for a close race that is still open, and for what scores at once."""
    own = view.held_passengers[view.seat, color]
    rival = 0
    for seat in range(view.players):
        if seat != view.seat:
            rival = max(rival, view.held_passengers[seat, color])
    worth = AT_ONCE * (_points(board, view, color, own + 1) - _points(board, view, color, own))
    left = _waiting(board, view, color)
    if abs(own - rival) <= left:
        worth += board.most_points / (2.0 + CONTEST * abs(own - rival))
    return worth


@compiled
def _points(board, view, color, own):
    """What so many of a color would score if nobody took another."""
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

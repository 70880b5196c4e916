"""Long routes for their own sake: how long the longest is, and which cards bring one nearer."""

from ttr_sim.bots.skills.drawing import clear_wishes
from ttr_sim.engine.actions import WILD
from ttr_sim.engine.board import GRAY
from ttr_sim.engine.compiled import compiled, part

ANY_COLOR = 0.5  # share of a gray route's pull that goes to colors other than its fullest


@compiled
def longest_open(board, view, trains):
    """Length of the longest route the mover may still claim with so many trains; 0 when there is none."""
    longest = 0
    for index in range(board.n_classes):
        length = board.class_length[index]
        if length > longest and length <= trains and view.open_classes[view.seat, index] > 0:
            longest = length
    return longest


@compiled
def wish_for_long(board, view, mind, least, most):
    """Wish for each color as much as the best route of these lengths that it leads to pays a turn."""
    clear_wishes(mind)
    for index in range(board.n_classes):
        length = board.class_length[index]
        if least <= length <= most and view.open_classes[view.seat, index] > 0:
            _wish_for_class(board, view, mind, index)
    for color in range(board.n_colors):
        mind.wish[WILD] = max(mind.wish[WILD], mind.wish[color])


@part
def _wish_for_class(board, view, mind, index):
    color = board.class_color[index]
    if color != GRAY:
        _raise_wish(board, view, mind, index, color, 1.0)
        return
    fullest = 0
    for candidate in range(1, board.n_colors):
        if view.hand[candidate] > view.hand[fullest]:
            fullest = candidate
    for candidate in range(board.n_colors):
        _raise_wish(board, view, mind, index, candidate, 1.0 if candidate == fullest else ANY_COLOR)


@compiled
def _raise_wish(board, view, mind, index, color, share):
    length = board.class_length[index]
    missing = max(1, length - view.hand[color] - view.hand[WILD])
    pays = share * class_points(board, index) / (1.0 + (missing - 1) / 2.0)
    mind.wish[color] = max(mind.wish[color], pays)


@compiled
def class_points(board, index):
    """Points of such a route; its length where routes score nothing."""
    if board.routes_score:
        return board.route_points[board.class_routes[board.first_of_class[index]]]
    return board.class_length[index]

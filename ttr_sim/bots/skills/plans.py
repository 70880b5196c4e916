"""The plan a bot follows from turn to turn: its aims (free routes), its loans (routes of others), its wants."""

from ttr_sim.bots.skills.drawing import clear_wishes
from ttr_sim.bots.skills.payments import tunnel_spare
from ttr_sim.edition.limits import MAX_LENGTH
from ttr_sim.engine.actions import WILD
from ttr_sim.engine.board import GRAY
from ttr_sim.engine.claims import FREE, is_open
from ttr_sim.engine.compiled import compiled, part
from ttr_sim.engine.routesets import add_route, clear_routes

SCARCITY = 0.02  # how much more a color is wished for with every card of it that is lacking
FULLEST = 0.95  # wish for the color a gray route has most of, beside 1 for a color that must be


@compiled
def adopt_trial(view, seat, mind):
    """Make the trial the plan, and publish its free routes."""
    mind.n_aims, mind.n_loans = 0, 0
    for i in range(mind.n_trial):
        route = mind.trial[i]
        if view.owner[route] == FREE:
            mind.targets[mind.n_aims] = route
            mind.n_aims += 1
        else:
            mind.loans[mind.n_loans] = route
            mind.n_loans += 1
    mind.n_targets = mind.n_aims
    mind.plan_version = 1 + view.board_version
    mind.plan_tickets = ticket_mark(view)
    publish_targets(seat, mind)


@compiled
def ticket_mark(view):
    """A number that changes when a ticket comes or goes."""
    mark = view.n_tickets
    for i in range(view.n_tickets):
        mark += (1 << 8 + i % 16) * (view.tickets[i] + 1)
    return mark & 0x7FFFFFFF


@compiled
def publish_targets(seat, mind):
    clear_routes(seat.wants)
    for i in range(mind.n_targets):
        add_route(seat.wants, mind.targets[i])


@compiled
def is_plan_good(view, seat, mind):
    """Drop from the plan what was claimed; false when a new plan is needed: a route was lost, or a ticket came."""
    if mind.plan_version == 0 or mind.plan_tickets != ticket_mark(view):
        return False
    if mind.plan_version == 1 + view.board_version:
        return True
    mind.plan_version = 1 + view.board_version
    kept = 0
    for i in range(mind.n_aims):
        route = mind.targets[i]
        if is_open(view, view.seat, route):
            mind.targets[kept] = route
            kept += 1
        elif view.owner[route] != view.seat:
            return False
    mind.n_aims = mind.n_targets = kept
    publish_targets(seat, mind)
    return True


@compiled
def count_needs(board, view, mind):
    """Cards of each color that the targets ask for; for wilds, what ferries ask."""
    for color in range(mind.need.shape[0]):
        mind.need[color] = 0
    for i in range(mind.n_targets):
        route = mind.targets[i]
        color, wilds = board.route_color[route], board.route_wilds[route]
        mind.need[WILD] += wilds
        if color != GRAY:
            mind.need[color] += board.route_length[route] - wilds + tunnel_spare(board, view, route)


@compiled
def lacking_for_targets(board, view, mind):
    """Cards still to be drawn for the plan, wilds in hand counted."""
    count_needs(board, view, mind)
    lacking, spare = 0, 0
    for color in range(board.n_colors):
        lacking += max(0, mind.need[color] - view.hand[color])
        spare += max(0, view.hand[color] - mind.need[color])
    for i in range(mind.n_aims):
        route = mind.targets[i]
        if board.route_color[route] == GRAY:
            lacking += board.route_length[route] - board.route_wilds[route]
    return max(0, lacking - min(spare, lacking) // 2 - max(0, view.hand[WILD] - mind.need[WILD]))


@compiled
def wish_for_targets(board, view, mind, any_color):
    """Wish for the colors the targets lack; gray ones ask for the color there is most to spare of,
    and any other is worth `any_color` to them."""
    clear_wishes(mind)
    count_needs(board, view, mind)
    lacking = 0
    for color in range(board.n_colors):
        lack = mind.need[color] - view.hand[color]
        if lack > 0:
            mind.wish[color] += 1.0 + SCARCITY * lack
            lacking += lack
    if lacking > 0 or mind.need[WILD] > view.hand[WILD]:
        mind.wish[WILD] += 1.0 + (mind.need[WILD] > view.hand[WILD])
    _share_out_spares(board, view, mind, any_color)


@part
def _share_out_spares(board, view, mind, any_color):
    """Longest gray target first, each takes the color with most to spare."""
    for color in range(WILD):
        mind.spare[color] = max(0, view.hand[color] - mind.need[color])
    for length in range(MAX_LENGTH, 0, -1):
        for i in range(mind.n_targets):
            route = mind.targets[i]
            if board.route_length[route] == length and board.route_color[route] == GRAY:
                _wish_for_gray(board, mind, length - board.route_wilds[route], any_color)


@part
def _wish_for_gray(board, mind, cards, any_color):
    best = 0
    for color in range(1, board.n_colors):
        if mind.spare[color] > mind.spare[best]:
            best = color
    if mind.spare[best] < cards:
        for color in range(board.n_colors):
            mind.wish[color] = max(mind.wish[color], any_color)
        mind.wish[best] = max(mind.wish[best], FULLEST)
        mind.wish[WILD] = max(mind.wish[WILD], 1.0)
    mind.spare[best] = max(0, mind.spare[best] - cards)

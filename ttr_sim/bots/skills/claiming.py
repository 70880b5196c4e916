"""Which payable route to claim: a target, or whatever is worth most."""

from ttr_sim.bots.skills.payments import CANNOT_PAY, best_payment, claim_in_color, missing_cards
from ttr_sim.bots.skills.plans import count_needs
from ttr_sim.bots.skills.worth import claim_worth
from ttr_sim.engine.actions import DEFAULT
from ttr_sim.engine.claims import FREE, may_claim
from ttr_sim.engine.compiled import compiled, part

NO_ROUTE = -1
LONGER = 0.01  # points by which a train makes one of two equals dearer
AIM_FIRST = 3.0  # how much more urgent a route of the plan is than an extra one


@compiled
def cheapest_of_group(board, view, mind, route):
    """(harm, route, color): the route or a parallel one that may be claimed for it, paid as it hurts least."""
    group = board.route_group[route]
    best, best_route, best_color = CANNOT_PAY, route, 0
    for place in range(board.first_of_group[group], board.first_of_group[group + 1]):
        candidate = board.group_routes[place]
        if not may_claim(board, view, view.seat, candidate) or missing_cards(board, view, candidate) > 0:
            continue
        harm, color = best_payment(board, view, mind, candidate)
        if harm < best:
            best, best_route, best_color = harm, candidate, color
    return best, best_route, best_color


@compiled
def claim_longest_aim(board, view, mind):
    """The longest aim that can be paid, or DEFAULT."""
    count_needs(board, view, mind)
    longest, answer = 0, DEFAULT
    for i in range(mind.n_aims):
        aim = mind.targets[i]
        if board.route_length[aim] <= longest:
            continue
        harm, route, color = cheapest_of_group(board, view, mind, aim)
        if harm < CANNOT_PAY:
            longest, answer = board.route_length[aim], claim_in_color(board, view, route, color)
    return answer


@compiled
def claim_urgent(board, view, mind, patience):
    """The target most in danger that can be paid without hurting the plan too much, or DEFAULT."""
    count_needs(board, view, mind)
    best, answer = -1000.0, DEFAULT
    for i in range(mind.n_targets):
        aim = mind.targets[i]
        harm, route, color = cheapest_of_group(board, view, mind, aim)
        if harm < CANNOT_PAY and harm <= patience * board.route_length[aim]:
            urgency = _danger(board, view, aim) + board.route_length[aim] - harm + AIM_FIRST * (i < mind.n_aims)
            if urgency > best:
                best, answer = urgency, claim_in_color(board, view, route, color)
    return answer


@part
def _danger(board, view, route):
    """Opponents with a route at one of its ends."""
    danger = 0
    for city in (board.route_a[route], board.route_b[route]):
        for place in range(board.first_road[city], board.first_road[city + 1]):
            danger += _is_rivals(view, board.road_route[place])
    return danger


@part
def _is_rivals(view, route):
    return view.owner[route] != FREE and view.owner[route] != view.seat


@compiled
def claim_dearest(board, view, mind, shortest, longest):
    """The payable route worth most among those of these lengths, the longer of equals; or DEFAULT."""
    best, best_route = -1.0, NO_ROUTE
    for route in range(board.n_routes):
        length = board.route_length[route]
        if not shortest <= length <= longest or not may_claim(board, view, view.seat, route):
            continue
        if missing_cards(board, view, route) == 0:
            worth = claim_worth(board, view, mind, route) + LONGER * length
            if worth > best:
                best, best_route = worth, route
    return DEFAULT if best_route == NO_ROUTE else claim_payable(board, view, mind, best_route)


@compiled
def claim_payable(board, view, mind, route):
    """The claim of a route that the hand can pay, as it hurts least."""
    _, color = best_payment(board, view, mind, route)
    return claim_in_color(board, view, route, color)

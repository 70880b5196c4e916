"""The plan: a network laid goal by goal, kept while the board allows it, and routes beside it that pay for themselves.

A trial (`mind.trial`) becomes the plan when it is adopted: its aims are free routes, its loans routes of others.
The targets are the aims, and behind them the extras.
"""

import numpy as np

from ttr_sim.bots.skills import tastes
from ttr_sim.bots.skills.citysets import NO_CITY, are_near, join_by_route, join_free
from ttr_sim.bots.skills.goals import order_goals
from ttr_sim.bots.skills.mind import MAX_TARGETS
from ttr_sim.bots.skills.paying import NO_ROUTE, lacking_cards
from ttr_sim.bots.skills.ways import (
    FAR,
    NOWHERE,
    TRAIN_IN_TURNS,
    find_new_way,
    find_quick_way,
    forget_ways,
    price_of_free,
    step_back,
    use_prices,
    weigh_classes,
)
from ttr_sim.bots.skills.worth import claim_worth
from ttr_sim.edition.limits import MAX_LENGTH
from ttr_sim.engine.actions import WILD
from ttr_sim.engine.claims import FREE, is_open
from ttr_sim.engine.jit import compiled, part
from ttr_sim.engine.routesets import add_route, clear_routes

_U = np.uint64
MAX_STARTS = 4  # goals tried as the first to be laid
FOREVER = 1000.0  # turns, for bots that do not count them
MANY_ROUTES = 9.0  # most ways are shorter
TOO_LONG = 2000.0  # turns of what cannot be done at all
ANY_GOAL = -1
NOT_BEGUN = -1
A_BIT = 0.01  # for rounding


@compiled
def best_trial(board, view, mind, turns):
    """Lay the goals on trial, one of the first ones before all others; return what the best such trial gains."""
    begin_trials(mind)
    goals = (1 << mind.n_goals) - 1
    best = lay_trial(board, view, mind, 0, goals, turns, ANY_GOAL)
    laid, dear = mind.laid, mind.dear if mind.lent == 0 else 0
    starts = min(mind.n_goals, MAX_STARTS)
    if starts > 1:
        _keep_trial(mind)
    for start in range(1, starts):
        if not (dear >> mind.order[start]) & 1:  # too dear even beside others: that trial would be the first one
            gain = lay_trial(board, view, mind, start, goals, turns, laid)
            if gain > best:
                best = gain
                _keep_trial(mind)
    if starts > 1:
        _take_kept_trial(mind)
    return best


@part
def _keep_trial(mind):
    mind.n_best = mind.n_trial
    for i in range(mind.n_trial):
        mind.best[i] = mind.trial[i]


@part
def _take_kept_trial(mind):
    mind.n_trial = mind.n_best
    for i in range(mind.n_best):
        mind.trial[i] = mind.best[i]


@compiled
def lay_by_value(board, view, mind, turns):
    """Lay the goals on trial in the order of their values, without a search for a better order."""
    begin_trials(mind)
    return lay_trial(board, view, mind, 0, (1 << mind.n_goals) - 1, turns, ANY_GOAL)


@compiled
def begin_trials(mind):
    """Put the goals in order; no trial stands yet at the prices as they are."""
    order_goals(mind)
    mind.depth = NOT_BEGUN


@compiled
def lay_trial(board, view, mind, start, goals, turns, others):
    """Lay the goal at `start` first, then the others of these `goals` in their order; return what they gain.

    Gain nothing when that goal cannot be laid and is none of `others`, for the trial would be theirs once more.
    What stands of the trial before is not laid again as far as this one begins with the same goals.
    """
    depth, stands = 0, True
    for i in range(-1, mind.n_goals):
        goal = mind.order[start if i < 0 else i]
        if i == start or not (goals >> goal) & 1:
            continue
        stands = stands and depth < mind.depth and mind.steps[depth + 1].goal == goal
        if not stands:
            _lay_next(board, view, mind, depth, goal, turns)
        depth += 1
        if depth == 1 and not ((mind.steps[1].laid | others) >> goal) & 1:
            return 0.0
    if depth != mind.depth:
        _take_back(board, view, mind, depth)
    return mind.steps[depth].gain


@part
def _lay_next(board, view, mind, depth, goal, turns):
    if depth != mind.depth:
        _take_back(board, view, mind, depth)
    gain = mind.steps[depth].gain + _lay_goal(board, view, mind, goal, turns)
    mind.depth = depth + 1
    step = mind.steps[mind.depth]
    step.goal, step.gain, step.laid, step.dear = goal, gain, mind.laid, mind.dear
    step.n_trial, step.trains, step.lack, step.lent = mind.n_trial, mind.trial_trains, mind.trial_lack, mind.lent


@compiled
def _take_back(board, view, mind, depth):
    """Go back to how the trial stood after so many goals."""
    step = mind.steps[depth]
    mind.depth, mind.laid, mind.dear = depth, step.laid, step.dear
    mind.n_trial, mind.trial_trains, mind.trial_lack, mind.lent = step.n_trial, step.trains, step.lack, step.lent
    use_prices(board, mind)
    join_free(board, view, mind)
    for i in range(mind.n_trial):
        mind.cost[mind.trial[i]] = 0
        join_by_route(board, mind, mind.trial[i])
    _lend_no_more(board, view, mind)


@part
def _lay_goal(board, view, mind, goal, turns):
    """Add the cheapest way for a goal when it is worth its price and can be afforded; else perhaps the quickest."""
    a, b, value = mind.goal_a[goal], mind.goal_b[goal], mind.goal_value[goal]
    trains = view.trains[view.seat] - mind.trial_trains
    if are_too_far(board, view, mind, a, b, turns - turns_for(view, mind.n_trial, mind.trial_lack), trains):
        return 0.0
    end = find_new_way(board, view, mind, a, b, value)
    if end == NOWHERE:
        mind.dear |= 1 << goal
        return 0.0
    price = mind.distance[end]
    needed = _turns_with_way(board, view, mind, end)
    if needed > turns and mind.detour > 0:
        end = find_quick_way(board, view, mind, a, b, _most_turns(view, mind, turns))
        if end == NOWHERE:
            return 0.0
        price = _price_of_way(board, mind, end)
        needed = _turns_with_way(board, view, mind, end) if price < value else TOO_LONG
    if needed > turns:
        return 0.0
    mind.laid |= 1 << goal
    _take_way(board, view, mind, end)
    return value - price


@compiled
def are_too_far(board, view, mind, a, b, turns, trains):
    """Return whether turns or trains suffice for no way; only where they are so few that this spares searches."""
    most = min(turns, float(trains + view.stations[view.seat]))
    return most < MANY_ROUTES and not are_near(board, mind, a, b, most)


@part
def _most_turns(view, mind, turns):
    """Return what the quickest way may take at most, in the measure of find_quick_way, for the trial to fit."""
    trains = view.trains[view.seat] - mind.trial_trains + MAX_LENGTH * view.stations[view.seat]
    drawing = (mind.trial_lack - view.hand[WILD]) / 2.0
    return turns - mind.n_trial - drawing + TRAIN_IN_TURNS * trains + A_BIT


@compiled
def _turns_with_way(board, view, mind, end):
    """Return the turns that the trial takes with this way; FOREVER when trains or stations do not suffice."""
    routes, trains, lack, lent = measure_way(board, view, mind, end)
    if mind.n_trial + routes > MAX_TARGETS or mind.trial_trains + trains > view.trains[view.seat]:
        return TOO_LONG
    if mind.lent + lent > view.stations[view.seat]:
        return TOO_LONG
    return turns_for(view, mind.n_trial + routes, mind.trial_lack + lack)


@part
def _price_of_way(board, mind, end):
    price = 0.0
    route, city = step_back(board, mind, end)
    while route != NOWHERE:
        price += mind.cost[route]
        route, city = step_back(board, mind, city)
    return price


@compiled
def turns_for(view, routes, lack):
    """Return the turns it takes to draw so many cards and claim so many routes."""
    return routes + max(0, lack - view.hand[WILD]) / 2.0


@compiled
def measure_way(board, view, mind, end):
    """Return (routes, trains, lack, lent) of the way's new routes; `lack` counts cards not in hand."""
    routes, trains, lack, lent = 0, 0, 0, 0
    route, city = step_back(board, mind, end)
    while route != NOWHERE:
        if mind.cost[route] > 0:
            routes += 1
            if view.owner[route] == FREE:
                trains += board.route_length[route]
                lack += lacking_cards(board, view, route)
            else:
                lent += 1
        route, city = step_back(board, mind, city)
    return routes, trains, lack, lent


@part
def _take_way(board, view, mind, end):
    route, city = step_back(board, mind, end)
    while route != NOWHERE:
        if mind.cost[route] > 0:
            mind.trial[mind.n_trial] = route
            mind.n_trial += 1
            if view.owner[route] == FREE:
                mind.trial_trains += board.route_length[route]
                mind.trial_lack += lacking_cards(board, view, route)
            else:
                mind.lent += 1
            mind.cost[route] = 0
            join_by_route(board, mind, route)
        route, city = step_back(board, mind, city)
    forget_ways(mind)
    _lend_no_more(board, view, mind)


@compiled
def _lend_no_more(board, view, mind):
    """Rule out all other routes of others once the trial needs the last station."""
    if mind.lent == 0 or mind.lent < view.stations[view.seat]:
        return
    for route in range(board.n_routes):
        if view.owner[route] != FREE and mind.cost[route] > 0:
            mind.cost[route] = FAR


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
def is_plan_good(view, seat, mind):
    """Drop from the plan what was claimed; return False when it needs a new one: a route was lost, or a ticket came."""
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
def ticket_mark(view):
    """Return a number that changes when a ticket comes or goes."""
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
def choose_extras(board, view, seat, mind, turns):
    """Set the targets: the aims, and the free routes that pay most while trains and turns suffice for both.

    With no aims, at least one.
    """
    mind.n_targets = mind.n_aims
    trains, lack = _spent_on_aims(board, view, mind)
    _price_extras(board, view, seat, mind)
    while mind.n_targets < MAX_TARGETS:
        route = _best_extra(board, mind, view.trains[view.seat] - trains)
        if route == NO_ROUTE:
            break
        trains += board.route_length[route]
        lack += lacking_cards(board, view, route)
        if mind.n_targets > mind.n_aims and turns_for(view, mind.n_targets + 1, lack) > turns:
            break
        mind.targets[mind.n_targets] = route
        mind.n_targets += 1
        _strike_group(board, mind, route)
    publish_targets(seat, mind)


@part
def _spent_on_aims(board, view, mind):
    trains, lack = 0, 0
    for i in range(mind.n_aims):
        trains += board.route_length[mind.targets[i]]
        lack += lacking_cards(board, view, mind.targets[i])
    return trains, lack


@part
def _price_extras(board, view, seat, mind):
    """List the routes that extras are chosen from, and set their mind.cost: those that pay for themselves, with no aim
    all that bring something.

    Where no route has to be found, those of a class that cannot pay for themselves are passed over.
    """
    efforts, weights = mind.price, seat.parameters  # the plan's prices are no longer needed
    likely = weigh_classes(board, view, mind, weights, efforts)
    bonus, odd = 0.0, NO_CITY
    if weights[tastes.CHAIN] > 0 and board.longest_points > 0:
        bonus = weights[tastes.CHAIN] * board.longest_points / board.trains
        odd = _odd_cities(board, view, mind)
    all_alike = mind.n_aims > 0 and board.n_passenger_colors == 0 and mind.goods_worth == 0
    mind.n_paying = 0
    for index in range(board.n_classes):
        length, first = board.class_length[index], board.first_of_class[index]
        if view.open_classes[view.seat, index] == 0 or length > view.trains[view.seat]:
            continue
        points = board.route_points[board.class_routes[first]]
        if all_alike and efforts[index] - weights[tastes.GREED] * points - bonus * length >= 0:
            continue
        for at in range(first, board.first_of_class[index + 1]):
            _price_extra(board, view, mind, board.class_routes[at], efforts, likely, odd, bonus, weights)
    for i in range(mind.n_aims):
        _strike_group(board, mind, mind.targets[i])


@part
def _price_extra(board, view, mind, route, efforts, likely, odd, bonus, weights):
    """Price a free route, cheaper by `bonus` a train when it leaves an odd city: there a trail of its own ends."""
    if is_open(view, view.seat, route) and claim_worth(board, mind, route) > 0:
        cost = price_of_free(board, view, mind, weights, route, efforts, likely) + view.route_tie[route]
        if odd & board.route_ends[route] != NO_CITY:
            cost -= bonus * board.route_length[route]
        mind.cost[route] = cost
        mind.paying[mind.n_paying] = route
        mind.n_paying += cost < 0.0 or mind.n_aims == 0


@part
def _odd_cities(board, view, mind):
    odd = NO_CITY
    for route in range(board.n_routes):  # no jump, so that many are done at once
        odd ^= board.route_ends[route] * _U(view.owner[route] == view.seat)
    for i in range(mind.n_aims):
        odd ^= board.route_ends[mind.targets[i]]
    return odd


@compiled
def _strike_group(board, mind, route):
    """Rule out the routes parallel to this one: a seat never owns two of a group."""
    group = board.route_group[route]
    for index in range(board.first_of_group[group], board.first_of_group[group + 1]):
        mind.cost[board.group_routes[index]] = FAR


@part
def _best_extra(board, mind, trains):
    """Return the cheapest route that pays for itself; with no target yet, the cheapest there is."""
    best, least = NO_ROUTE, 0.0 if mind.n_targets > 0 else FAR
    for i in range(mind.n_paying):
        route = mind.paying[i]
        if mind.cost[route] < least and board.route_length[route] <= trains:
            best, least = route, mind.cost[route]
    return best

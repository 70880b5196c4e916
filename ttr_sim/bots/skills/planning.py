"""One joint plan over all goals: a network laid goal by goal, each way free to use the ones before."""

from ttr_sim.bots.skills.goals import order_goals
from ttr_sim.bots.skills.mind import MAX_TARGETS
from ttr_sim.bots.skills.paths import FAR, NOWHERE, find_way, step_back
from ttr_sim.bots.skills.payments import lacking_cards
from ttr_sim.bots.skills.prices import use_prices
from ttr_sim.engine.actions import WILD
from ttr_sim.engine.claims import FREE
from ttr_sim.engine.compiled import compiled, part

MAX_STARTS = 4  # goals tried as the first to be laid


@compiled
def best_trial(board, view, mind, turns):
    """Lay the best plan found; returns what it gains after its price."""
    order_goals(mind)
    best, best_start = 0.0, 0
    for start in range(min(mind.n_goals, MAX_STARTS)):
        gain = _lay_trial(board, view, mind, start, turns)
        if start == 0 or gain > best:
            best, best_start = gain, start
    if best_start != min(mind.n_goals, MAX_STARTS) - 1:
        _lay_trial(board, view, mind, best_start, turns)
    return best


@compiled
def lay_dearest_first(board, view, mind, turns):
    """The plan of goals in the order of their values, without a search for a better one."""
    order_goals(mind)
    return _lay_trial(board, view, mind, 0, turns)


@compiled
def _lay_trial(board, view, mind, start, turns):
    use_prices(board, mind)
    mind.n_trial, mind.trial_trains, mind.trial_lack, mind.lent = 0, 0, 0, 0
    gain = 0.0
    for i in range(mind.n_goals):
        place = start if i == 0 else i - (i <= start)
        gain += _lay_goal(board, view, mind, mind.order[place], turns)
    return gain


@part
def _lay_goal(board, view, mind, goal, turns):
    """Add the cheapest way for a goal when it is worth its price and can be afforded in trains and turns."""
    end = find_way(board, mind, mind.goal_a[goal], mind.goal_b[goal])
    if end == NOWHERE or mind.distance[end] >= mind.goal_value[goal]:
        return 0.0
    routes, trains, lack, lent = measure_way(board, view, mind, end)
    if mind.n_trial + routes > MAX_TARGETS or mind.trial_trains + trains > view.trains[view.seat]:
        return 0.0
    if mind.lent + lent > view.stations[view.seat]:
        return 0.0
    if turns_for(view, mind.n_trial + routes, mind.trial_lack + lack) > turns:
        return 0.0
    gain = mind.goal_value[goal] - mind.distance[end]
    _take_way(board, view, mind, end)
    return gain


@compiled
def turns_for(view, routes, lack):
    """Turns to draw so many cards and claim so many routes."""
    return routes + max(0, lack - view.hand[WILD]) / 2.0


@compiled
def measure_way(board, view, mind, end):
    """Of the way's new routes: their number, trains, cards not in hand, and how many others own."""
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
        route, city = step_back(board, mind, city)
    if mind.lent > 0 and mind.lent == view.stations[view.seat]:
        _lend_no_more(board, view, mind)


@part
def _lend_no_more(board, view, mind):
    for route in range(board.n_routes):
        if view.owner[route] != FREE and mind.cost[route] > 0:
            mind.cost[route] = FAR

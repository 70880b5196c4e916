"""The plan: a network built goal by goal, kept while the board allows it, plus routes that pay for themselves.

A candidate (`memory.candidate`) becomes the plan when it is adopted: its aims are free routes, its loans are routes of
others. The targets are the aims, followed by the extras.

Candidates that begin with the same goals share their first steps, as `memory.steps` keeps the state after each goal:

    goals laid      A    A B    A B C        next candidate: A B D
    memory.steps    1     2       3          go back to step 2, then lay D alone

This, and searches that continue where the last one stopped (ways.py), make planning affordable at every turn.
"""

import numpy as np

from ttr_sim.bots.planner import ways
from ttr_sim.bots.planner.memory import MAX_TARGETS
from ttr_sim.bots.planner.params import PARAM
from ttr_sim.bots.planner.paying import NO_ROUTE, lacking_cards
from ttr_sim.bots.planner.worth import claim_worth
from ttr_sim.edition.limits import MAX_LENGTH
from ttr_sim.engine.actions import WILD
from ttr_sim.engine.claims import FREE, is_open
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.networks import add_route, clear_routes

_U = np.uint64
MAX_STARTS = 4  # goals tried as the first one
FOREVER = 1000.0  # turns, for bots that do not count them
MANY_ROUTES = 9.0  # most ways have fewer routes
TOO_LONG = 2000.0  # turns of a plan that cannot be carried out
ANY_GOAL = -1
NOT_BEGUN = -1
ROUNDING = 0.01


@compiled
def best_plan(board, view, memory, turns):
    """Build candidates with each of the first goals laid first and keep the one that gains most."""
    begin_candidates(memory)
    goals = (1 << memory.n_goals) - 1
    best = build_candidate(board, view, memory, 0, goals, turns, ANY_GOAL)
    satisfied = memory.satisfied
    too_expensive = memory.too_expensive if memory.borrowed == 0 else 0
    starts = min(memory.n_goals, MAX_STARTS)
    if starts > 1:
        _keep_candidate(memory)
    for start in range(1, starts):
        # A goal too expensive even beside others would only repeat the first candidate.
        if not (too_expensive >> memory.order[start]) & 1:
            gain = build_candidate(board, view, memory, start, goals, turns, satisfied)
            if gain > best:
                best = gain
                _keep_candidate(memory)
    if starts > 1:
        memory.n_candidate = memory.n_best
        for i in range(memory.n_best):
            memory.candidate[i] = memory.best[i]
    return best


@compiled
def _keep_candidate(memory):
    memory.n_best = memory.n_candidate
    for i in range(memory.n_candidate):
        memory.best[i] = memory.candidate[i]


@compiled
def build_by_value(board, view, memory, turns):
    """Build one candidate, goals in the order of their values."""
    begin_candidates(memory)
    return build_candidate(board, view, memory, 0, (1 << memory.n_goals) - 1, turns, ANY_GOAL)


@compiled
def begin_candidates(memory):
    """Order the goals, highest value first, with nothing built yet.

    Long paths are laid first, and short ones then share them. Ties keep their order.
    """
    for i in range(memory.n_goals):
        goal, j = i, i
        while j > 0 and memory.goal_value[memory.order[j - 1]] < memory.goal_value[goal]:
            memory.order[j] = memory.order[j - 1]
            j -= 1
        memory.order[j] = goal
    memory.depth = NOT_BEGUN


@compiled
def build_candidate(board, view, memory, start, goals, turns, others):
    """Lay the goal at `start` first, then the rest of `goals` in order.

    The value is the gain: 0 when the first goal cannot be laid and is not among `others`, as the candidate would
    repeat theirs. Steps shared with the previous candidate are not built again.
    """
    depth, shared = 0, True
    for i in range(-1, memory.n_goals):
        goal = memory.order[start if i < 0 else i]
        if i == start or not (goals >> goal) & 1:
            continue
        shared = shared and depth < memory.depth and memory.steps[depth + 1].goal == goal
        if not shared:
            if depth != memory.depth:
                _step_back_to(board, view, memory, depth)
            gain = memory.steps[depth].gain + _lay_goal(board, view, memory, goal, turns)
            memory.depth = depth + 1
            step = memory.steps[memory.depth]
            step.goal, step.gain = goal, gain
            step.satisfied, step.too_expensive = memory.satisfied, memory.too_expensive
            step.n_candidate, step.trains = memory.n_candidate, memory.candidate_trains
            step.missing_cards, step.borrowed = memory.candidate_missing, memory.borrowed
        depth += 1
        if depth == 1 and not ((memory.steps[1].satisfied | others) >> goal) & 1:
            return 0.0
    if depth != memory.depth:
        _step_back_to(board, view, memory, depth)
    return memory.steps[depth].gain


@compiled
def _step_back_to(board, view, memory, depth):
    """Restore the candidate as it was after `depth` goals."""
    step = memory.steps[depth]
    memory.depth, memory.satisfied, memory.too_expensive = depth, step.satisfied, step.too_expensive
    memory.n_candidate, memory.candidate_trains = step.n_candidate, step.trains
    memory.candidate_missing, memory.borrowed = step.missing_cards, step.borrowed
    ways.use_prices(board, memory)
    ways.join_free(board, view, memory)
    for i in range(memory.n_candidate):
        memory.cost[memory.candidate[i]] = 0
        ways.join_by_route(board, memory, memory.candidate[i])
    _close_loans(board, view, memory)


@compiled
def _lay_goal(board, view, memory, goal, turns):
    """Add the cheapest affordable way for a goal, or perhaps the quickest: its gain."""
    a, b, value = memory.goal_a[goal], memory.goal_b[goal], memory.goal_value[goal]
    trains = view.trains[view.seat] - memory.candidate_trains
    turns_free = turns - turns_for(view, memory.n_candidate, memory.candidate_missing)
    if are_too_far(board, view, memory, a, b, turns_free, trains):
        return 0.0
    end = ways.find_new_way(board, view, memory, a, b, value, False)
    if end == ways.NOWHERE:
        memory.too_expensive |= 1 << goal
        return 0.0
    price = memory.distance[end]
    needed = _turns_with_way(board, view, memory, end)
    if needed > turns and memory.detour > 0:
        # The limit, in the measure of that search, within which the candidate still fits.
        most_trains = trains + MAX_LENGTH * view.stations[view.seat]
        drawing = (memory.candidate_missing - view.hand[WILD]) / 2.0
        most = turns - memory.n_candidate - drawing + ways.TRAIN_IN_TURNS * most_trains + ROUNDING
        end = ways.find_new_way(board, view, memory, a, b, most, True)
        if end == ways.NOWHERE:
            return 0.0
        price = 0.0
        route, city = ways.step_back(board, memory, end)
        while route != ways.NOWHERE:
            price += memory.cost[route]
            route, city = ways.step_back(board, memory, city)
        needed = _turns_with_way(board, view, memory, end) if price < value else TOO_LONG
    if needed > turns:
        return 0.0
    memory.satisfied |= 1 << goal
    _take_way(board, view, memory, end)
    return value - price


@compiled
def are_too_far(board, view, memory, a, b, turns, trains):
    """Rule out goals that few turns or trains cannot reach, cheaper than by a search."""
    most = min(turns, float(trains + view.stations[view.seat]))
    return most < MANY_ROUTES and not ways.are_near(board, memory, a, b, most)


@compiled
def _turns_with_way(board, view, memory, end):
    """Turns of the candidate with this way, or TOO_LONG without trains, stations or room for it."""
    routes, trains, missing, borrowed = measure_way(board, view, memory, end)
    if memory.n_candidate + routes > MAX_TARGETS or memory.candidate_trains + trains > view.trains[view.seat]:
        return TOO_LONG
    if memory.borrowed + borrowed > view.stations[view.seat]:
        return TOO_LONG
    return turns_for(view, memory.n_candidate + routes, memory.candidate_missing + missing)


@compiled
def turns_for(view, routes, missing):
    """Turns to draw the missing cards, two a turn, and to claim the routes."""
    return routes + max(0, missing - view.hand[WILD]) / 2.0


@compiled
def measure_way(board, view, memory, end):
    """Count (routes, trains, missing cards, borrowed routes) of the way's new routes."""
    routes, trains, missing, borrowed = 0, 0, 0, 0
    route, city = ways.step_back(board, memory, end)
    while route != ways.NOWHERE:
        if memory.cost[route] > 0:
            routes += 1
            if view.owner[route] == FREE:
                trains += board.route_length[route]
                missing += lacking_cards(board, view, route)
            else:
                borrowed += 1
        route, city = ways.step_back(board, memory, city)
    return routes, trains, missing, borrowed


@compiled
def _take_way(board, view, memory, end):
    route, city = ways.step_back(board, memory, end)
    while route != ways.NOWHERE:
        if memory.cost[route] > 0:
            memory.candidate[memory.n_candidate] = route
            memory.n_candidate += 1
            if view.owner[route] == FREE:
                memory.candidate_trains += board.route_length[route]
                memory.candidate_missing += lacking_cards(board, view, route)
            else:
                memory.borrowed += 1
            memory.cost[route] = 0
            ways.join_by_route(board, memory, route)
        route, city = ways.step_back(board, memory, city)
    ways.reset_search(memory)
    _close_loans(board, view, memory)


@compiled
def _close_loans(board, view, memory):
    """Forbid borrowing more routes once no station is left."""
    if memory.borrowed == 0 or memory.borrowed < view.stations[view.seat]:
        return
    for route in range(board.n_routes):
        if view.owner[route] != FREE and memory.cost[route] > 0:
            memory.cost[route] = ways.FAR


@compiled
def adopt_candidate(view, seat, memory):
    """Make the candidate the plan and publish its free routes."""
    memory.n_aims, memory.n_loans = 0, 0
    for i in range(memory.n_candidate):
        route = memory.candidate[i]
        if view.owner[route] == FREE:
            memory.targets[memory.n_aims] = route
            memory.n_aims += 1
        else:
            memory.loans[memory.n_loans] = route
            memory.n_loans += 1
    memory.n_targets = memory.n_aims
    memory.plan_version = 1 + view.board_version
    memory.plan_tickets = ticket_mark(view)
    publish_targets(seat, memory)


@compiled
def is_plan_good(view, seat, memory):
    """Drop own claims from the plan. False when it lost a route or tickets changed."""
    if memory.plan_version == 0 or memory.plan_tickets != ticket_mark(view):
        return False
    if memory.plan_version == 1 + view.board_version:
        return True
    memory.plan_version = 1 + view.board_version
    kept = 0
    for i in range(memory.n_aims):
        route = memory.targets[i]
        if is_open(view, view.seat, route):
            memory.targets[kept] = route
            kept += 1
        elif view.owner[route] != view.seat:
            return False
    memory.n_aims = memory.n_targets = kept
    publish_targets(seat, memory)
    return True


@compiled
def ticket_mark(view):
    """Hash of the tickets held, to notice when one comes or goes."""
    mark = view.n_tickets
    for i in range(view.n_tickets):
        mark += (1 << 8 + i % 16) * (view.tickets[i] + 1)
    return mark & 0x7FFFFFFF


@compiled
def publish_targets(seat, memory):
    clear_routes(seat.wants)
    for i in range(memory.n_targets):
        add_route(seat.wants, memory.targets[i])


@compiled
def choose_extras(board, view, seat, memory, turns):
    """Set the targets: the aims, then free routes that pay most while trains and turns suffice.

    Without aims there is at least one extra.
    """
    memory.n_targets = memory.n_aims
    trains, missing = 0, 0
    for i in range(memory.n_aims):
        trains += board.route_length[memory.targets[i]]
        missing += lacking_cards(board, view, memory.targets[i])
    _price_extras(board, view, seat, memory)
    while memory.n_targets < MAX_TARGETS:
        # The cheapest route that pays for itself; without a target yet, the cheapest of all.
        route, least = NO_ROUTE, 0.0 if memory.n_targets > 0 else ways.FAR
        for i in range(memory.n_paying):
            other = memory.paying[i]
            if memory.cost[other] < least and board.route_length[other] <= view.trains[view.seat] - trains:
                route, least = other, memory.cost[other]
        if route == NO_ROUTE:
            break
        trains += board.route_length[route]
        missing += lacking_cards(board, view, route)
        if memory.n_targets > memory.n_aims and turns_for(view, memory.n_targets + 1, missing) > turns:
            break
        memory.targets[memory.n_targets] = route
        memory.n_targets += 1
        _exclude_group(board, memory, route)
    publish_targets(seat, memory)


@compiled
def _price_extras(board, view, seat, memory):
    """List and price the extras: routes that pay for themselves, or without aims all that bring something.

    Where only length and points matter, a whole class of routes (same length, color, wilds) is skipped at once.
    """
    efforts, weights = memory.price, seat.parameters  # the plan's prices are no longer needed
    likely = ways.weigh_classes(board, view, memory, weights, efforts)
    bonus, odd = 0.0, ways.NO_CITY
    if weights[PARAM.chain] > 0 and board.longest_points > 0:
        bonus = weights[PARAM.chain] * board.longest_points / board.trains
        # With an odd number of own and planned routes: there a trail of the seat's own can be extended.
        for route in range(board.n_routes):
            odd ^= board.route_ends[route] * _U(view.owner[route] == view.seat)
        for i in range(memory.n_aims):
            odd ^= board.route_ends[memory.targets[i]]
    has_bonus = board.attraction_points + board.n_districts + board.n_mandala > 0
    has_finds = board.n_passenger_colors > 0 or memory.goods_worth > 0 or has_bonus
    all_alike = memory.n_aims > 0 and not has_finds
    memory.n_paying = 0
    for index in range(board.n_classes):
        length, first = board.class_length[index], board.first_of_class[index]
        if view.open_classes[view.seat, index] == 0 or length > view.trains[view.seat]:
            continue
        points = board.route_points[board.class_routes[first]]
        if all_alike and efforts[index] - weights[PARAM.greed] * points - bonus * length >= 0:
            continue
        for at in range(first, board.first_of_class[index + 1]):
            route = board.class_routes[at]
            if is_open(view, view.seat, route) and claim_worth(board, memory, route) > 0:
                cost = ways.price_of_free(board, view, memory, weights, route, efforts, likely) + view.route_tie[route]
                if odd & board.route_ends[route] != ways.NO_CITY:
                    cost -= bonus * length
                memory.cost[route] = cost
                memory.paying[memory.n_paying] = route
                memory.n_paying += cost < 0.0 or memory.n_aims == 0
    for i in range(memory.n_aims):
        _exclude_group(board, memory, memory.targets[i])


@compiled
def _exclude_group(board, memory, route):
    """Rule out the routes parallel to this one: a seat never owns two of a group."""
    group = board.route_group[route]
    for index in range(board.first_of_group[group], board.first_of_group[group + 1]):
        memory.cost[board.group_routes[index]] = ways.FAR

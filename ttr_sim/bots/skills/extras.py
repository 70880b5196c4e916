"""Routes beside the plan that pay for themselves: taken up while trains and turns suffice for both."""

from ttr_sim.bots.skills.claiming import NO_ROUTE
from ttr_sim.bots.skills.mind import MAX_TARGETS
from ttr_sim.bots.skills.paths import FAR
from ttr_sim.bots.skills.payments import lacking_cards
from ttr_sim.bots.skills.planning import turns_for
from ttr_sim.bots.skills.plans import publish_targets
from ttr_sim.bots.skills.prices import price_of_free
from ttr_sim.bots.skills.worth import claim_worth
from ttr_sim.engine.claims import may_claim
from ttr_sim.engine.compiled import compiled, part


@compiled
def choose_extras(board, view, seat, mind, turns):
    """Add to the plan's aims the free routes that pay most, as targets; with no aims at least one."""
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
    """mind.cost: what each route costs that would bring something; FAR where it is none to take up."""
    for route in range(board.n_routes):
        mind.cost[route] = FAR
        if may_claim(board, view, view.seat, route) and claim_worth(board, view, mind, route) > 0:
            mind.cost[route] = price_of_free(board, view, mind, seat.parameters, route)
    for i in range(mind.n_aims):
        _strike_group(board, mind, mind.targets[i])


@compiled
def _strike_group(board, mind, route):
    """A seat never owns two routes of a group."""
    group = board.route_group[route]
    for place in range(board.first_of_group[group], board.first_of_group[group + 1]):
        mind.cost[board.group_routes[place]] = FAR


@part
def _best_extra(board, mind, trains):
    """The cheapest that pays for itself; with nothing else to do the cheapest there is."""
    best, least = NO_ROUTE, 0.0 if mind.n_targets > 0 else float(FAR)
    for route in range(board.n_routes):
        if mind.cost[route] < least and board.route_length[route] <= trains:
            best, least = route, mind.cost[route]
    return best

"""Routes beside the plan that pay for themselves: taken up while trains and turns suffice for both."""

from ttr_sim.bots.skills.mind import MAX_AIMS
from ttr_sim.bots.skills.payments import lacking_cards
from ttr_sim.bots.skills.planning import turns_for
from ttr_sim.bots.skills.plans import publish_targets
from ttr_sim.bots.skills.prices import price_of_free
from ttr_sim.bots.skills.worth import claim_worth
from ttr_sim.engine.claims import may_claim
from ttr_sim.engine.compiled import compiled

NONE = -1
ANY_PRICE = 1e6  # better than nothing to do


@compiled
def choose_extras(board, view, seat, mind, turns):
    """Add to the plan's aims the free routes that pay most, as targets."""
    mind.n_targets = mind.n_aims
    trains, lack = _spent_on_aims(board, view, mind)
    while mind.n_targets < MAX_AIMS:
        route = _best_extra(board, view, seat, mind, view.trains[view.seat] - trains)
        if route == NONE:
            break
        trains += board.route_length[route]
        lack += lacking_cards(board, view, route)
        if mind.n_targets > mind.n_aims and turns_for(view, mind.n_targets + 1, lack) > turns:
            break
        mind.aims[mind.n_targets] = route
        mind.n_targets += 1
    publish_targets(seat, mind)


@compiled
def _spent_on_aims(board, view, mind):
    trains, lack = 0, 0
    for i in range(mind.n_aims):
        trains += board.route_length[mind.aims[i]]
        lack += lacking_cards(board, view, mind.aims[i])
    return trains, lack


@compiled
def _best_extra(board, view, seat, mind, trains):
    best, least = NONE, 0.0 if mind.n_targets > 0 else ANY_PRICE
    for route in range(board.n_routes):
        if board.route_length[route] > trains or not may_claim(board, view, view.seat, route):
            continue
        price = price_of_free(board, view, mind, seat.parameters, route)
        if price < least and claim_worth(board, view, mind, route) > 0 and not _is_target(board, mind, route):
            best, least = route, price
    return best


@compiled
def _is_target(board, mind, route):
    """The route or a parallel one is planned already."""
    for i in range(mind.n_targets):
        if board.route_group[mind.aims[i]] == board.route_group[route]:
            return True
    return False

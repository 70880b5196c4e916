"""The claim of this turn: a target, the best of all, or a route that an opponent needs."""

import numpy as np

from ttr_sim.bots.planner import paying
from ttr_sim.bots.planner.params import PARAM
from ttr_sim.bots.planner.plan import choose_extras
from ttr_sim.bots.planner.ways import NO_CITY, NOWHERE, can_be_lent, is_lent
from ttr_sim.bots.planner.worth import claim_worth, count_unmet, lead_of, ticket_gain, ticket_loss
from ttr_sim.engine.actions import DEFAULT, discard_tickets
from ttr_sim.engine.cards import can_draw_from_deck
from ttr_sim.engine.claims import FREE, is_open, is_tunnel, may_claim
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.networks import is_met
from ttr_sim.engine.rng import TINY
from ttr_sim.engine.tickets import can_discard

_U = np.uint64
LONGER = 0.01  # points for each train: of two routes worth the same, the longer is claimed
AIM_FIRST = 3.0  # how much more urgent an aim is than an extra route
ANY_HARM = 1000.0  # patience that spares no card
LAST_TURN = 1.0
A_TURN = 2.0  # points that blocking costs for its turn
LONG = 3  # longer routes cost the blocker too much
TUNNEL_LUCK = 0.8  # chance that a tunnel can be paid


@compiled
def claim_target(board, view, seat, memory, turns):
    """Choose the targets and claim the endangered one that costs the others least, or DEFAULT.

    In the last turn claim the route that adds most at once.
    """
    if turns <= LAST_TURN:
        answer = build_for_loans(board, view, memory) if memory.n_aims == 0 else DEFAULT
        return claim_for_points(board, view, memory) if answer == DEFAULT else answer
    choose_extras(board, view, seat, memory, turns)
    patience = seat.parameters[PARAM.patience] * seat.parameters[PARAM.hurry] / turns
    if turns <= seat.parameters[PARAM.hurry] or paying.lacking_for_targets(board, view, memory) == 0:
        patience = ANY_HARM
    if view.deck_cards + view.discard_cards < seat.parameters[PARAM.thin] * board.n_cards:
        # Few cards are left to draw: whoever holds at least its part of all hands must spend.
        hands = 0
        for other in range(view.players):
            hands += view.hand_cards[other]
        if view.hand_cards[view.seat] * view.players >= hands:
            patience = ANY_HARM
    paying.count_needs(board, view, memory)
    alarm = 1.0 + seat.parameters[PARAM.alarm]
    best, answer = -1000.0, DEFAULT
    waits = patience < ANY_HARM and view.hand_cards[view.seat] < seat.parameters[PARAM.hoard]
    for i in range(memory.n_targets):
        aim = memory.targets[i]
        harm, route, color = paying.cheapest_of_group(board, view, memory, aim)
        if harm == paying.CANNOT_PAY:
            continue
        danger = 0  # opponents' routes at its ends
        for city in (board.route_a[aim], board.route_b[aim]):
            for index in range(board.first_road[city], board.first_road[city + 1]):
                owner = view.owner[board.road_route[index]]
                danger += owner != FREE and owner != view.seat
        if harm <= patience * board.route_length[aim] and not (waits and danger == 0):
            urgency = alarm * danger + board.route_length[aim] - harm + AIM_FIRST * (i < memory.n_aims)
            urgency += view.route_tie[aim]
            if urgency > best:
                best, answer = urgency, paying.claim_in_color(board, view, route, color)
    if answer == DEFAULT and not can_draw_from_deck(view):
        answer = claim_for_points(board, view, memory)  # all cards are in hands: some must be spent
    return answer


@compiled
def claim_to_finish(board, view, memory, hidden_ticket, reach):
    """Claim the route worth most that ends a won game, or leaves `reach` trains more, or DEFAULT.

    Won: all tickets are met, and no rival is ahead with `hidden_ticket` points for each ticket held.
    """
    spare = view.trains[view.seat] - board.trains_left - int(reach)
    if view.final_turns >= 0 or board.race_tickets > 0 or spare > board.longest_route:
        return DEFAULT
    if count_unmet(board, view) > 0 or lead_of(board, view, hidden_ticket) < 0:
        return DEFAULT
    return claim_best(board, view, memory, max(1, spare), view.trains[view.seat])


@compiled
def claim_for_points(board, view, memory):
    """Claim the route that adds most to the score at once, or DEFAULT."""
    # Even a claim worth nothing is made: at the end of the game cards are worth nothing.
    best, best_route = -1.0, paying.NO_ROUTE
    for route in range(board.n_routes):
        if may_claim(board, view, view.seat, route) and paying.missing_cards(board, view, route) == 0:
            worth = claim_worth(board, memory, route) + completed_by(board, view, route)
            if is_tunnel(board, route):
                worth *= TUNNEL_LUCK
            worth += view.route_tie[route]
            if worth > best:
                best, best_route = worth, route
    return DEFAULT if best_route == paying.NO_ROUTE else paying.claim_payable(board, view, memory, best_route)


@compiled
def completed_by(board, view, route):
    """Worth of the tickets that this one route would complete."""
    labels = view.network[view.seat]
    first, second = NO_CITY, NO_CITY  # all cities joined with either end
    for city in range(board.n_cities):
        first |= _U(labels[city] == labels[board.route_a[route]]) << _U(city)
        second |= _U(labels[city] == labels[board.route_b[route]]) << _U(city)
    worth = 0.0
    for i in range(view.n_tickets):
        ticket = view.tickets[i]
        a, b = board.ticket_a_set[ticket], board.ticket_b_set[ticket]
        joins = (a & first != NO_CITY and b & second != NO_CITY) or (a & second != NO_CITY and b & first != NO_CITY)
        if joins and not is_met(board, labels, ticket):
            worth += ticket_gain(board, ticket) + ticket_loss(board, ticket)
    return worth


@compiled
def follow_plan(board, view, memory):
    """Take the plan's next step: its longest payable aim, then a station, or new tickets when it is empty."""
    if memory.n_targets + memory.n_loans == 0 and can_discard(board, view):
        return discard_tickets()
    paying.count_needs(board, view, memory)
    longest, answer = 0.0, DEFAULT
    for i in range(memory.n_aims):
        aim = memory.targets[i]
        length = board.route_length[aim] + view.route_tie[aim]
        if length <= longest:
            continue
        harm, route, color = paying.cheapest_of_group(board, view, memory, aim)
        if harm < paying.CANNOT_PAY:
            longest, answer = length, paying.claim_in_color(board, view, route, color)
    return build_for_loans(board, view, memory) if answer == DEFAULT and memory.n_aims == 0 else answer


@compiled
def build_for_loans(board, view, memory):
    """Build a station for a loan of the plan that has none, or DEFAULT."""
    best, best_city = -1.0, NOWHERE
    for i in range(memory.n_loans):
        route = memory.loans[i]
        if is_lent(board, view, route) or not can_be_lent(board, view, route):
            continue
        for city in (board.route_a[route], board.route_b[route]):
            if view.station_owner[city] == FREE and view.city_tie[city] > best:
                best, best_city = view.city_tie[city], city
    return DEFAULT if best_city == NOWHERE else paying.pay_for_station(board, view, memory, best_city)


@compiled
def claim_best(board, view, memory, shortest, longest):
    """Claim the payable route of these lengths worth most, the longer of equals, or DEFAULT."""
    best, best_route = -1.0, paying.NO_ROUTE
    for route in range(board.n_routes):
        length = board.route_length[route]
        if not shortest <= length <= longest or not may_claim(board, view, view.seat, route):
            continue
        if paying.missing_cards(board, view, route) == 0:
            worth = claim_worth(board, memory, route) + LONGER * length + view.route_tie[route]
            if worth > best:
                best, best_route = worth, route
    return DEFAULT if best_route == paying.NO_ROUTE else paying.claim_payable(board, view, memory, best_route)


@compiled
def claim_block(board, view, memory, readiness):
    """Claim a short route that would join two parts of an opponent's network, or DEFAULT.

    `readiness` weighs such a gap against the cards and the turn that blocking takes.
    """
    best, best_route = TINY, paying.NO_ROUTE
    for route in range(board.n_routes):
        length = board.route_length[route]
        if (
            length > LONG
            or not may_claim(board, view, view.seat, route)
            or paying.missing_cards(board, view, route) > 0
        ):
            continue
        harm, _ = paying.best_payment(board, view, memory, route)
        gap = 0
        for seat in range(view.players):
            if seat != view.seat and is_open(view, seat, route):
                gap += _gap_of(board, view, seat, route)
        worth = readiness * gap + board.route_points[route] - length - harm - A_TURN
        worth += view.route_tie[route]
        if worth > best:
            best, best_route = worth, route
    return DEFAULT if best_route == paying.NO_ROUTE else paying.claim_payable(board, view, memory, best_route)


@compiled
def _gap_of(board, view, seat, route):
    """Routes in the smaller of two parts of an opponent's network that this route alone would join."""
    group = board.route_group[route]
    if view.players > board.closed_up_to_players:
        for index in range(board.first_of_group[group], board.first_of_group[group + 1]):
            other = board.group_routes[index]
            if other != route and view.owner[other] == FREE and is_open(view, seat, other):
                return 0
    labels = view.network[seat]
    first, second = labels[board.route_a[route]], labels[board.route_b[route]]
    if first == second:
        return 0
    a, b = 0, 0
    for city in range(board.n_cities):
        a += labels[city] == first
        b += labels[city] == second
    return min(a, b) - 1

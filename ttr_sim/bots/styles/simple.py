"""Simple styles: `random`, `onestep` and `longroute` have no plan, `hungry` and `path` complete tickets by trains."""

from ttr_sim.bots.api import Parameter, Style
from ttr_sim.bots.planner.claiming import claim_best, follow_plan
from ttr_sim.bots.planner.drawing import ANY_COLOR, draw_card, draw_for_targets, longest_open, wish_for_long
from ttr_sim.bots.planner.memory import memory_of
from ttr_sim.bots.planner.paying import NO_ROUTE, claim_payable, missing_cards
from ttr_sim.bots.planner.plan import FOREVER, adopt_candidate, build_by_value, is_plan_good, ticket_mark
from ttr_sim.bots.planner.tickets import NO_FAVORITE, best_mask_by_trains, draw_from, mask_of_all
from ttr_sim.bots.planner.ways import FAR, NOWHERE, find_way, price_by_trains, step_back, use_prices
from ttr_sim.bots.planner.worth import claim_worth, collect_goals, count_unmet, turns_left, turns_of_game, weigh_finds
from ttr_sim.engine.actions import ASK_KEEP, ASK_SECOND, ASK_TURN, DEFAULT, discard_tickets, keep
from ttr_sim.engine.cards import can_draw_from_deck
from ttr_sim.engine.claims import may_claim
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.legal import count_choices, nth_choice
from ttr_sim.engine.rng import TINY, draw_below
from ttr_sim.engine.tickets import can_discard, may_draw_tickets

# Parameters of each style.
PULL, LEAST, TIME = range(3)
HOARD = 0
APPETITE, TIME_FOR_MORE = range(2)
AGAIN = 0
# Weight of passengers, points of merchandise.
PASSENGER, GOODS = 1.0, 2.0
NO_LOAN = 1e9
# Trains of a detour for which a station is built instead.
HUNGRY_LOAN, PATH_LOAN = 6.0, 8.0
SURE = 1000.0  # value of the only goal: no way is too expensive for it
TIME_FOR_ONE_MORE = 0.2  # share of a game


@compiled
def choose_any(board, view, seat):
    return nth_choice(board, view, draw_below(seat, count_choices(board, view)))


@compiled
def choose_onestep(board, view, seat):
    """Make the best payable claim worth a turn, draw tickets when all are met, or draw cards for one route."""
    memory = memory_of(seat)
    if view.decision != ASK_TURN:
        return draw_for_targets(board, view, memory, ANY_COLOR)
    weigh_finds(board, view, memory, PASSENGER, GOODS)
    if memory.plan_version != 1 + view.board_version or memory.plan_tickets != ticket_mark(view):
        _weigh_routes(board, view, seat, memory)
    has_time = turns_left(board, view) > seat.parameters[TIME] * turns_of_game(board)
    if memory.n_goals == 0 and has_time and may_draw_tickets(board, view):
        return draw_from(board, view, NO_FAVORITE)
    best, target = NO_ROUTE, NO_ROUTE  # the payable route worth most, and the one that pays most per turn
    best_worth, best_rate = seat.parameters[LEAST], TINY
    if view.final_turns >= 0 or not can_draw_from_deck(view):  # or nobody could go on: cards must be spent
        best_worth = 0.0
    for route in range(board.n_routes):
        if not may_claim(board, view, view.seat, route):
            continue
        worth = claim_worth(board, memory, route) + memory.price[route] + view.route_tie[route]
        missing = missing_cards(board, view, route)
        if missing == 0 and worth >= best_worth:
            best, best_worth = route, worth
        if worth / (1.0 + missing / 2.0) > best_rate:
            target, best_rate = route, worth / (1.0 + missing / 2.0)
    memory.n_aims = memory.n_targets = target != NO_ROUTE
    memory.targets[0] = target
    if best != NO_ROUTE:
        return claim_payable(board, view, memory, best)
    if memory.n_hopeless > 0 and can_discard(board, view):
        return discard_tickets()
    return draw_for_targets(board, view, memory, ANY_COLOR)


@compiled
def _weigh_routes(board, view, seat, memory):
    """Set memory.price to the share of tickets' values that each route carries."""
    price_by_trains(board, view, memory, NO_LOAN)
    use_prices(board, memory)
    collect_goals(board, view, memory)
    memory.n_hopeless = 0
    for route in range(board.n_routes):
        memory.price[route] = 0
    for goal in range(memory.n_goals):
        end = find_way(board, view, memory, memory.goal_a[goal], memory.goal_b[goal], FAR)
        if end == NOWHERE:
            memory.n_hopeless += 1
            continue
        # The ticket's value is shared among the routes of its way, by trains.
        value, trains = seat.parameters[PULL] * memory.goal_value[goal], memory.distance[end]
        route, city = step_back(board, memory, end)
        while route != NOWHERE:
            if memory.cost[route] > 0:
                memory.price[route] += value * board.route_length[route] / trains
            route, city = step_back(board, memory, city)
    memory.plan_version = 1 + view.board_version
    memory.plan_tickets = ticket_mark(view)


@compiled
def choose_longroute(board, view, seat):
    if view.decision not in (ASK_TURN, ASK_SECOND):
        return DEFAULT
    memory = memory_of(seat)
    longest = longest_open(board, view, view.trains[view.seat])
    if view.decision == ASK_TURN:
        # With a full hand or at the end, any payable route will do.
        is_full = view.final_turns >= 0 or view.hand_cards[view.seat] >= seat.parameters[HOARD] * longest
        answer = claim_best(board, view, memory, 1 if is_full else longest, longest)
        if answer != DEFAULT:
            return answer
    wish_for_long(board, view, memory, longest, longest)
    return draw_card(board, view, memory)


@compiled
def choose_hungry(board, view, seat):
    memory = memory_of(seat)
    if view.decision == ASK_KEEP:
        # All tickets of the first offer, later only those still within reach.
        return keep(mask_of_all(view) if view.turn < 0 else best_mask_by_trains(board, view, memory, HUNGRY_LOAN))
    answer = DEFAULT
    if view.decision == ASK_TURN:
        has_time = turns_left(board, view) >= seat.parameters[TIME_FOR_MORE] * turns_of_game(board)
        if has_time and count_unmet(board, view) < seat.parameters[APPETITE] and may_draw_tickets(board, view):
            return draw_from(board, view, NO_FAVORITE)
        if not is_plan_good(view, seat, memory):
            price_by_trains(board, view, memory, HUNGRY_LOAN)
            collect_goals(board, view, memory)
            build_by_value(board, view, memory, FOREVER)
            adopt_candidate(view, seat, memory)
        answer = follow_plan(board, view, memory)
        if answer == DEFAULT and memory.n_aims == 0:
            answer = claim_best(board, view, memory, 1, view.trains[view.seat])
    return answer if answer != DEFAULT else draw_for_targets(board, view, memory, ANY_COLOR)


@compiled
def choose_path(board, view, seat):
    """Follow the plan. When nothing is left of it, draw another ticket or claim the best route."""
    memory = memory_of(seat)
    if view.decision == ASK_KEEP:
        return keep(best_mask_by_trains(board, view, memory, PATH_LOAN))
    answer = DEFAULT
    if view.decision == ASK_TURN:
        if not is_plan_good(view, seat, memory) or (memory.n_targets == 0 and memory.n_hopeful > 0):
            _plan_nearest(board, view, seat, memory)
        answer = follow_plan(board, view, memory)
        if answer == DEFAULT and memory.n_aims + memory.n_loans == 0:
            has_trains = view.trains[view.seat] >= seat.parameters[AGAIN] * board.trains
            has_time = has_trains and turns_left(board, view) > TIME_FOR_ONE_MORE * turns_of_game(board)
            if has_time and may_draw_tickets(board, view):
                return draw_from(board, view, NO_FAVORITE)
            answer = claim_best(board, view, memory, 1, view.trains[view.seat])
    return answer if answer != DEFAULT else draw_for_targets(board, view, memory, ANY_COLOR)


@compiled
def _plan_nearest(board, view, seat, memory):
    """Plan for one goal only: the ticket that needs the fewest trains."""
    price_by_trains(board, view, memory, PATH_LOAN)
    use_prices(board, memory)
    collect_goals(board, view, memory)
    nearest, least = NOWHERE, 1e6
    memory.n_hopeful = 0
    for goal in range(memory.n_goals):
        end = find_way(board, view, memory, memory.goal_a[goal], memory.goal_b[goal], FAR)
        if end == NOWHERE or memory.distance[end] == 0:
            continue
        memory.n_hopeful += 1
        if memory.distance[end] < least:
            nearest, least = goal, memory.distance[end]
    if nearest == NOWHERE:
        memory.n_goals = 0
    else:
        memory.goal_a[0], memory.goal_b[0] = memory.goal_a[nearest], memory.goal_b[nearest]
        memory.goal_value[0] = SURE
        memory.n_goals = 1
    build_by_value(board, view, memory, FOREVER)
    adopt_candidate(view, seat, memory)


RANDOM = Style(
    name="random",
    idea="Makes any legal choice, each with the same chance. A yardstick: a bot that loses to it is broken.",
    choose=choose_any,
)
ONESTEP = Style(
    name="onestep",
    idea="Claims the best route it can pay for now, judged by points and by the tickets it helps to complete. "
    "When no claim is worth a turn, it draws cards for the one route that would pay most.",
    choose=choose_onestep,
    parameters=(
        Parameter("pull", 0.5, 0.0, 2.0, "share of a ticket's value that counts for the routes of its shortest path"),
        Parameter("least", 4.0, 0.0, 20.0, "points a claim must be worth"),
        Parameter("time", 0.2, 0.0, 1.0, "share of the game that must be left to draw tickets once all are complete"),
    ),
)
LONGROUTE = Style(
    name="longroute",
    idea="Saves cards for the longest route still open and claims nothing shorter until its hand is full. "
    "It ignores tickets.",
    choose=choose_longroute,
    parameters=(Parameter("hoard", 4.0, 1.0, 10.0, "cards it saves, in lengths of the longest open route"),),
)
HUNGRY = Style(
    name="hungry",
    idea="Keeps every ticket of its first offer and draws more whenever it has only a few left to complete. "
    "It builds one network for all of its tickets and ignores the points of routes.",
    choose=choose_hungry,
    parameters=(
        Parameter("appetite", 3.0, 1.0, 12.0, "open tickets it likes to have"),
        Parameter("time", 0.35, 0.0, 1.0, "share of the game that must be left to draw more"),
    ),
    plans=True,
)
PATH = Style(
    name="path",
    idea="Completes its tickets one at a time, the closest first, each along the path that needs the fewest trains. "
    "When all are complete it draws more while it has enough trains, then claims the best route it can pay for.",
    choose=choose_path,
    parameters=(Parameter("again", 0.3, 0.0, 1.0, "share of its trains that must be left to draw tickets again"),),
    plans=True,
)

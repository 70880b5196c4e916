"""Styles without a plan: `random`, `onestep` (best claim of the moment) and `longroute` (hoards for long routes)."""

from ttr_sim.bots.api import Parameter, Style
from ttr_sim.bots.planner.claiming import claim_best
from ttr_sim.bots.planner.drawing import ANY_COLOR, draw_card, draw_for_targets, longest_open, wish_for_long
from ttr_sim.bots.planner.memory import memory_of
from ttr_sim.bots.planner.paying import NO_ROUTE, claim_payable, missing_cards
from ttr_sim.bots.planner.plan import ticket_mark
from ttr_sim.bots.planner.tickets import NO_FAVORITE, draw_from
from ttr_sim.bots.planner.ways import FAR, NOWHERE, find_way, price_by_trains, step_back, use_prices
from ttr_sim.bots.planner.worth import claim_worth, collect_goals, turns_left, turns_of_game, weigh_finds
from ttr_sim.engine.actions import ASK_SECOND, ASK_TURN, DEFAULT, discard_tickets
from ttr_sim.engine.cards import can_draw_from_deck
from ttr_sim.engine.claims import may_claim
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.legal import count_choices, nth_choice
from ttr_sim.engine.rng import TINY, draw_below
from ttr_sim.engine.tickets import can_discard, may_draw_tickets

# Parameters of onestep, and of longroute.
PULL, LEAST, TIME = range(3)
HOARD = 0
# Weight of passengers, points of merchandise.
PASSENGER, GOODS = 1.0, 2.0
NO_LOAN = 1e9


@compiled
def choose_any(board, view, seat):
    return nth_choice(board, view, draw_below(seat, count_choices(board, view)))


@compiled
def choose_onestep(board, view, seat):
    memory = memory_of(seat)
    answer = _step(board, view, seat, memory) if view.decision == ASK_TURN else DEFAULT
    return answer if answer != DEFAULT else draw_for_targets(board, view, memory, ANY_COLOR)


@compiled
def _step(board, view, seat, memory):
    """Make the best payable claim worth a turn, draw tickets when all are met, or draw cards for one route."""
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
    return discard_tickets() if memory.n_hopeless > 0 and can_discard(board, view) else DEFAULT


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

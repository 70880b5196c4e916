"""Styles that count trains and complete tickets: `hungry` takes many, `path` completes one at a time."""

from ttr_sim.bots.api import Parameter, Style
from ttr_sim.bots.planner.claiming import claim_best, follow_plan
from ttr_sim.bots.planner.drawing import ANY_COLOR, draw_for_targets
from ttr_sim.bots.planner.memory import memory_of
from ttr_sim.bots.planner.plan import FOREVER, adopt_candidate, build_by_value, is_plan_good
from ttr_sim.bots.planner.tickets import NO_FAVORITE, best_mask_by_trains, draw_from, mask_of_all
from ttr_sim.bots.planner.ways import FAR, NOWHERE, find_way, price_by_trains, use_prices
from ttr_sim.bots.planner.worth import collect_goals, count_unmet, turns_left, turns_of_game
from ttr_sim.engine.actions import ASK_KEEP, ASK_TURN, DEFAULT, keep
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.tickets import may_draw_tickets

# Parameters of hungry, and of path.
APPETITE, TIME = range(2)
AGAIN = 0
# Trains of a detour for which a station is built instead.
HUNGRY_LOAN, PATH_LOAN = 6.0, 8.0
# Value of the only goal: no way is too expensive for it.
SURE = 1000.0
TIME_FOR_ONE_MORE = 0.2  # share of a game


@compiled
def choose_hungry(board, view, seat):
    memory = memory_of(seat)
    if view.decision == ASK_KEEP:
        # All tickets of the first offer, later only those still within reach.
        return keep(mask_of_all(view) if view.turn < 0 else best_mask_by_trains(board, view, memory, HUNGRY_LOAN))
    answer = _take_hungry_turn(board, view, seat, memory) if view.decision == ASK_TURN else DEFAULT
    return answer if answer != DEFAULT else draw_for_targets(board, view, memory, ANY_COLOR)


@compiled
def _take_hungry_turn(board, view, seat, memory):
    has_time = turns_left(board, view) >= seat.parameters[TIME] * turns_of_game(board)
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
    return answer


@compiled
def choose_path(board, view, seat):
    memory = memory_of(seat)
    if view.decision == ASK_KEEP:
        return keep(best_mask_by_trains(board, view, memory, PATH_LOAN))
    answer = _take_path_turn(board, view, seat, memory) if view.decision == ASK_TURN else DEFAULT
    return answer if answer != DEFAULT else draw_for_targets(board, view, memory, ANY_COLOR)


@compiled
def _take_path_turn(board, view, seat, memory):
    """Follow the plan; when nothing is left of it, draw another ticket or claim the best route."""
    if not is_plan_good(view, seat, memory) or (memory.n_targets == 0 and memory.n_hopeful > 0):
        _plan_nearest(board, view, seat, memory)
    answer = follow_plan(board, view, memory)
    if answer != DEFAULT or memory.n_aims + memory.n_loans > 0:
        return answer
    has_trains = view.trains[view.seat] >= seat.parameters[AGAIN] * board.trains
    has_time = has_trains and turns_left(board, view) > TIME_FOR_ONE_MORE * turns_of_game(board)
    if has_time and may_draw_tickets(board, view):
        return draw_from(board, view, NO_FAVORITE)
    return claim_best(board, view, memory, 1, view.trains[view.seat])


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

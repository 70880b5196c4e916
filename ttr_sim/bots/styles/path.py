"""`path`: the shortest way for one ticket at a time."""

from ttr_sim.bots.skills.claiming import claim_best, follow_plan
from ttr_sim.bots.skills.drawing import ANY_COLOR, draw_for_targets
from ttr_sim.bots.skills.endgame import turns_left, turns_of_game
from ttr_sim.bots.skills.goals import collect_goals
from ttr_sim.bots.skills.mind import mind_of
from ttr_sim.bots.skills.planning import FOREVER, adopt_trial, is_plan_good, lay_by_value
from ttr_sim.bots.skills.tickets import NO_FAVORITE, best_mask_by_trains, draw_from
from ttr_sim.bots.skills.ways import FAR, NOWHERE, find_way, price_by_trains, use_prices
from ttr_sim.bots.style import Parameter, Style
from ttr_sim.engine.actions import ASK_KEEP, ASK_TURN, DEFAULT, keep
from ttr_sim.engine.jit import compiled, part
from ttr_sim.engine.tickets import may_draw_tickets

AGAIN = 0
LOAN = 8.0  # trains of a detour for which a station is built instead
SURE = 1000.0  # value of the only goal: no way is too expensive for it
TIME_FOR_ONE_MORE = 0.2  # share of a game


@compiled
def choose(board, view, seat):
    mind = mind_of(seat)
    if view.decision == ASK_KEEP:
        return keep(best_mask_by_trains(board, view, mind, LOAN))
    answer = _act(board, view, seat, mind) if view.decision == ASK_TURN else DEFAULT
    return answer if answer != DEFAULT else draw_for_targets(board, view, mind, ANY_COLOR)


@part
def _act(board, view, seat, mind):
    """Follow the plan; when nothing is left of it, draw another ticket or claim the best route."""
    if not is_plan_good(view, seat, mind) or (mind.n_targets == 0 and mind.n_hopeful > 0):
        _plan_nearest(board, view, seat, mind)
    answer = follow_plan(board, view, mind)
    if answer != DEFAULT or mind.n_aims + mind.n_loans > 0:
        return answer
    if _has_time(board, view, seat) and may_draw_tickets(board, view):
        return draw_from(board, view, NO_FAVORITE)
    return claim_best(board, view, mind, 1, view.trains[view.seat])


@part
def _has_time(board, view, seat):
    enough = view.trains[view.seat] >= seat.parameters[AGAIN] * board.trains
    return enough and turns_left(board, view) > TIME_FOR_ONE_MORE * turns_of_game(board)


@part
def _plan_nearest(board, view, seat, mind):
    """Plan for one goal only: the ticket that needs the fewest trains."""
    price_by_trains(board, view, mind, LOAN)
    use_prices(board, mind)
    collect_goals(board, view, mind)
    nearest, least = NOWHERE, 1e6
    mind.n_hopeful = 0
    for goal in range(mind.n_goals):
        end = find_way(board, view, mind, mind.goal_a[goal], mind.goal_b[goal], FAR)
        if end == NOWHERE or mind.distance[end] == 0:
            continue
        mind.n_hopeful += 1
        if mind.distance[end] < least:
            nearest, least = goal, mind.distance[end]
    if nearest == NOWHERE:
        mind.n_goals = 0
    else:
        mind.goal_a[0], mind.goal_b[0] = mind.goal_a[nearest], mind.goal_b[nearest]
        mind.goal_value[0] = SURE
        mind.n_goals = 1
    lay_by_value(board, view, mind, FOREVER)
    adopt_trial(view, seat, mind)


STYLE = Style(
    name="path",
    idea="Completes its tickets one at a time, the closest first, each along the path that needs the fewest trains. "
    "When all are complete it draws more while it has enough trains, then claims the best route it can pay for.",
    choose=choose,
    parameters=(Parameter("again", 0.3, 0.0, 1.0, "share of its trains that must be left to draw tickets again"),),
    plans=True,
)

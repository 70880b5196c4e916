"""`path`: the shortest way for one ticket at a time."""

from ttr_sim.bots.skills.claiming import claim_dearest, claim_longest_aim
from ttr_sim.bots.skills.goals import collect_goals
from ttr_sim.bots.skills.mind import mind_of
from ttr_sim.bots.skills.mixes import NO_FAVORITE, draw_from
from ttr_sim.bots.skills.offers import best_mask
from ttr_sim.bots.skills.pace import turns_left, turns_of_game
from ttr_sim.bots.skills.paths import NOWHERE, find_way
from ttr_sim.bots.skills.planning import lay_dearest_first
from ttr_sim.bots.skills.plans import adopt_trial, is_plan_good
from ttr_sim.bots.skills.prices import price_by_trains, use_prices
from ttr_sim.bots.skills.stationing import build_for_loans
from ttr_sim.bots.skills.targets import ANY_COLOR, draw_for_targets
from ttr_sim.bots.style import Parameter, Style
from ttr_sim.engine.actions import ASK_KEEP, ASK_SECOND, ASK_TURN, DEFAULT, discard_tickets, keep
from ttr_sim.engine.compiled import compiled, part
from ttr_sim.engine.instant_tickets import can_discard
from ttr_sim.engine.tickets import may_draw_tickets

AGAIN = 0
LOAN = 8.0  # trains of a detour for which a station is built instead
FOREVER = 1000.0
TIME_FOR_ONE_MORE = 0.2  # share of a game


@compiled
def choose(board, view, seat):
    mind = mind_of(seat)
    if view.decision == ASK_KEEP:
        price_by_trains(board, view, mind, LOAN)
        return keep(best_mask(board, view, mind, FOREVER, 0.0))
    if view.decision == ASK_TURN:
        answer = _act(board, view, seat, mind)
        if answer != DEFAULT:
            return answer
    if view.decision in (ASK_TURN, ASK_SECOND):
        return draw_for_targets(board, view, mind, ANY_COLOR)
    return DEFAULT


@part
def _act(board, view, seat, mind):
    """Go on with the plan; when all is done, another ticket or the dearest route."""
    if not is_plan_good(view, seat, mind) or (mind.n_targets == 0 and mind.n_hopeful > 0):
        _plan_nearest(board, view, seat, mind)
    if mind.n_targets + mind.n_loans == 0 and can_discard(board, view):
        return discard_tickets()
    answer = claim_longest_aim(board, view, mind)
    if answer == DEFAULT and mind.n_aims == 0:
        answer = build_for_loans(board, view, mind)
    if answer != DEFAULT or mind.n_aims + mind.n_loans > 0:
        return answer
    if _has_time(board, view, seat) and may_draw_tickets(board, view):
        return draw_from(board, view, NO_FAVORITE)
    return claim_dearest(board, view, mind, 1, view.trains[view.seat])


@part
def _has_time(board, view, seat):
    enough = view.trains[view.seat] >= seat.parameters[AGAIN] * board.trains
    return enough and turns_left(board, view) > TIME_FOR_ONE_MORE * turns_of_game(board)


@part
def _plan_nearest(board, view, seat, mind):
    """The ticket that is nearest to done becomes the only goal."""
    price_by_trains(board, view, mind, LOAN)
    use_prices(board, mind)
    collect_goals(board, view, mind)
    nearest, least = NOWHERE, 1e6
    mind.n_hopeful = 0
    for goal in range(mind.n_goals):
        end = find_way(board, mind, mind.goal_a[goal], mind.goal_b[goal])
        if end == NOWHERE or mind.distance[end] == 0:
            continue
        mind.n_hopeful += 1
        if mind.distance[end] < least:
            nearest, least = goal, mind.distance[end]
    if nearest == NOWHERE:
        mind.n_goals = 0
    else:
        mind.goal_a[0], mind.goal_b[0] = mind.goal_a[nearest], mind.goal_b[nearest]
        mind.goal_value[0] = FOREVER
        mind.n_goals = 1
    lay_dearest_first(board, view, mind, FOREVER)
    adopt_trial(view, seat, mind)


STYLE = Style(
    name="path",
    idea="Takes its tickets one at a time, the nearest first, each by the way that needs the fewest trains. "
    "With all of them done it draws another while it has trains, else it claims the dearest route it can pay.",
    choose=choose,
    parameters=(Parameter("again", 0.3, 0.0, 1.0, "share of the trains it must still have to draw tickets again"),),
    plans=True,
)

"""`search`: a planner that tests candidates by simulated playouts."""

from ttr_sim.bots.api import Parameter, Style
from ttr_sim.bots.planner.memory import memory_of
from ttr_sim.bots.search.beliefs import judge_fits
from ttr_sim.bots.search.candidates import collect_candidates, desk_of
from ttr_sim.bots.search.playouts import CLEAR, N_TASTES, best_candidate, leaves_plan, seat_planners
from ttr_sim.bots.styles import planner
from ttr_sim.engine.actions import ASK_PASSENGER, ASK_SECOND, DEFAULT
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.legal import default_answer
from ttr_sim.engine.setup import SETUP_TURN

BUDGET, THRESHOLD, SHARE = range(N_TASTES, N_TASTES + 3)
# Playouts a candidate gets at least: a small budget looks at few of them.
LEAST_TRIES = 10
# Budgets for the first tickets, which decide most.
AT_SETUP = 4.0
FOR_PASSENGER = 0.25  # of the budget
USUAL_BUDGET = 200.0


@compiled
def choose(board, view, seat):
    """Answer like the planner unless another candidate does better on worlds that look the same to the mover.

    The view must be the first part of a workspace.
    """
    memory, desk = memory_of(seat), desk_of(view)
    answer = planner.choose(board, view, seat)
    if answer == DEFAULT:
        answer = default_answer(board, view)
    if view.decision == ASK_SECOND:  # which card matters too little
        return answer
    budget = seat.parameters[BUDGET]
    if view.turn == SETUP_TURN:
        budget *= AT_SETUP
    elif view.decision == ASK_PASSENGER:
        budget *= FOR_PASSENGER
    seat_planners(desk.world, seat)
    judge_fits(board, view, desk.play.seats, desk.fits)
    collect_candidates(board, view, seat, memory, desk, answer, max(2, int(budget) // LEAST_TRIES))
    if desk.n == 1:
        return answer
    # Squared standard errors that a gain must exceed. They grow with the budget: more playouts in worlds that are not
    # quite right reduce the variance, not the bias.
    errors = seat.parameters[THRESHOLD] * seat.parameters[THRESHOLD]
    errors = max(errors, min(errors * seat.parameters[BUDGET] / USUAL_BUDGET, CLEAR))
    best = best_candidate(board, desk, budget, errors, seat.parameters[SHARE])
    if leaves_plan(desk, best):
        memory.plan_version = 0
    return desk.answers[best]


SEARCH = Style(
    name="search",
    idea="Looks ahead from the planner's best ideas: it deals what it cannot see again and again, and planners play "
    "each of these games to its end. It departs from the planner's answer only where something else clearly wins more.",
    choose=choose,
    parameters=(
        *planner.PLANNER.parameters,
        Parameter("budget", USUAL_BUDGET, 2, 5000, "games it plays in its head for a decision, at most"),
        Parameter(
            "thr",
            2.0,
            0.0,
            10.0,
            "standard errors that the gain must exceed to depart from the planner's answer; more with a larger budget",
        ),
        Parameter("share", 0.5, 0.0, 1.0, "share of the margin in points, beside the win, in the value of a game"),
    ),
    plans=True,
    tuned_as="planner",
    searches=True,
)

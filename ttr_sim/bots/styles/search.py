"""`search`: a planner that tests a few alternatives to its answer by playouts of sampled worlds."""

from typing import Any

import numpy as np
from numba import from_dtype
from numba.extending import intrinsic

from ttr_sim.bots.api import Parameter, Style
from ttr_sim.bots.planner.claiming import build_for_loans
from ttr_sim.bots.planner.drawing import draw_for_targets
from ttr_sim.bots.planner.memory import memory_of
from ttr_sim.bots.planner.params import PARAM
from ttr_sim.bots.planner.paying import CANNOT_PAY, cheapest_of_group, claim_in_color, count_needs
from ttr_sim.bots.planner.tickets import draw_from
from ttr_sim.bots.styles import planner, playouts
from ttr_sim.edition.limits import MAX_PLAYERS, MAX_ROUTES, MAX_TICKETS
from ttr_sim.engine import actions
from ttr_sim.engine.game import why_not
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.legal import count_choices, default_answer, nth_choice
from ttr_sim.engine.networks import has_route
from ttr_sim.engine.records import STATE, WORKSPACE
from ttr_sim.engine.setup import SETUP_TURN
from ttr_sim.engine.tickets import may_draw_tickets

BUDGET, THRESHOLD, SHARE = range(playouts.N_TASTES, playouts.N_TASTES + 3)
LEAST_TRIES = 10  # playouts a candidate gets at least: a small budget looks at few of them
AT_SETUP = 4.0  # budgets for the first tickets, which decide most
FOR_PASSENGER = 0.25  # of the budget
USUAL_BUDGET = 200.0
MAX_CANDIDATES = 64
FEW = 10  # among this few candidates, drawing tickets is not worth a place
GLANCES = 8  # worlds in which the others' plans are looked at
PLANNED = 100.0  # promise of a claim that is already planned
WANTED = 10.0  # promise of a claim that every rival plans in every world
HARM = 2.0  # promise lost for each wild or needed card spent
NO_PROMISE = -1000.0

_i1, _i8, _f8 = np.int8, np.int64, np.float64

DESK = np.dtype(
    [
        ("world", STATE),  # as the engine hands it over: what the mover knows
        ("pulse", _i8),
        ("sample", STATE),  # the same with the hidden dealt again: each candidate is tried on it
        ("play", STATE),  # a sample being played out
        ("n", _i8),  # candidates; the first is the planner's answer
        ("rounds", _i8),  # samples played so far
        ("playouts", _i8),
        ("answers", _i8, MAX_CANDIDATES),
        ("alive", _i1, MAX_CANDIDATES),
        ("value", _f8, MAX_CANDIDATES),  # in the last round
        ("gain", _f8, MAX_CANDIDATES),  # over the planner's answer, summed over the rounds
        ("square", _f8, MAX_CANDIDATES),  # of the gains, summed
        ("fits", _f8, (MAX_PLAYERS, MAX_TICKETS)),  # see playouts.judge_fits
        ("wanted", _i8, MAX_ROUTES),  # by the others' plans, in how many worlds
        ("promise", _f8, MAX_ROUTES),  # of claiming the route
        ("color", _i8, MAX_ROUTES),  # in which it would be paid
    ],
    align=True,
)
assert DESK.itemsize <= WORKSPACE.itemsize


@intrinsic
def desk_of(typing_context: Any, view: Any) -> Any:
    """View the workspace that begins with this view as a DESK record, without a copy."""
    desk = from_dtype(DESK)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], context.get_value_type(desk))

    return desk(view), generate


@compiled
def choose(board, view, seat):
    """Answer like the planner unless another candidate does better on worlds that look the same to the mover.

    The view must be the first part of a workspace.
    """
    memory, desk = memory_of(seat), desk_of(view)
    answer = planner.choose(board, view, seat)
    if answer == actions.DEFAULT:
        answer = default_answer(board, view)
    if view.decision == actions.ASK_SECOND:  # which card matters too little
        return answer
    budget = seat.parameters[BUDGET]
    if view.turn == SETUP_TURN:
        budget *= AT_SETUP
    elif view.decision == actions.ASK_PASSENGER:
        budget *= FOR_PASSENGER
    playouts.seat_planners(desk.world, seat)
    playouts.judge_fits(board, view, desk.play.seats, desk.fits)
    collect_candidates(board, view, seat, memory, desk, answer, max(2, int(budget) // LEAST_TRIES))
    if desk.n == 1:
        return answer
    # Squared standard errors that a gain must exceed. They grow with the budget: more playouts in worlds that are not
    # quite right reduce the variance, not the bias.
    errors = seat.parameters[THRESHOLD] * seat.parameters[THRESHOLD]
    errors = max(errors, min(errors * seat.parameters[BUDGET] / USUAL_BUDGET, playouts.CLEAR))
    best = playouts.best_candidate(board, desk, budget, errors, seat.parameters[SHARE])
    if playouts.leaves_plan(desk, best):
        memory.plan_version = 0
    return desk.answers[best]


@compiled
def collect_candidates(board, view, seat, memory, desk, first, most):
    """Set at most `most` candidates: the planner's answer first, then the likeliest to be better.

    In a turn: a draw instead of a claim, rare actions, tickets, and claims while there is room. The color of a drawn
    card matters too little to be tried.
    """
    desk.n = 0
    most = min(most, MAX_CANDIDATES)
    _add(board, view, desk, first, most)
    if view.decision != actions.ASK_TURN:
        for k in range(min(count_choices(board, view), MAX_CANDIDATES)):
            _add(board, view, desk, nth_choice(board, view, k), most)
        return
    if actions.unpack(desk.answers[0])[0] == actions.ANSWER_CLAIM:
        _add(board, view, desk, draw_for_targets(board, view, memory, seat.parameters[PARAM.gray]), most)
    _add(board, view, desk, build_for_loans(board, view, memory), most)
    _add(board, view, desk, actions.discard_tickets(), most)
    if may_draw_tickets(board, view) and most > FEW:
        for deck in range(board.n_decks):
            _add(board, view, desk, draw_from(board, view, deck), most)
    _weigh_claims(board, view, memory, desk, most)
    while desk.n < most:
        route = 0
        for other in range(1, board.n_routes):
            if desk.promise[other] > desk.promise[route]:
                route = other
        if desk.promise[route] == NO_PROMISE:
            break
        _add(board, view, desk, claim_in_color(board, view, route, desk.color[route]), most)
        desk.promise[route] = NO_PROMISE


@compiled
def _weigh_claims(board, view, memory, desk, most):
    """Set the promise of each payable claim, of parallel routes only the one that hurts least."""
    worlds, mover = min(GLANCES, most), desk.world.mover_view.seat
    for route in range(board.n_routes):
        desk.wanted[route], desk.promise[route] = 0, NO_PROMISE
    for world in range(worlds):
        playouts.sample_world(board, desk, world)
        for seat in range(desk.sample.mover_view.players):
            for route in range(board.n_routes):
                desk.wanted[route] += seat != mover and has_route(desk.sample.seats[seat].wants, route)
    count_needs(board, view, memory)
    for group in range(board.n_routes):
        first, end = board.first_of_group[group], board.first_of_group[group + 1]
        if first >= end:
            continue
        harm, route, color = cheapest_of_group(board, view, memory, board.group_routes[first])
        if harm < CANNOT_PAY:
            desk.color[route] = color
            desk.promise[route] = board.route_length[route] - HARM * harm + view.route_tie[route]
            for index in range(first, end):
                desk.promise[route] += WANTED * desk.wanted[board.group_routes[index]] / worlds
                for i in range(memory.n_targets):
                    desk.promise[route] += PLANNED * (memory.targets[i] == board.group_routes[index])


@compiled
def _add(board, view, desk, answer, most):
    """Add an answer that is legal and not there yet."""
    if desk.n >= most or answer == actions.DEFAULT or why_not(board, view, answer) != actions.FINE:
        return
    for i in range(desk.n):
        if desk.answers[i] == answer:
            return
    desk.answers[desk.n] = answer
    desk.n += 1


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

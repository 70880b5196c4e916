"""Playouts of sampled worlds by planners in all seats, shared out among the candidates by halving.

Each candidate is played on the same worlds. After each phase the worse half is dropped, so that most playouts go to
the candidates that are hard to tell apart.
"""

from ttr_sim.bots.planner import params
from ttr_sim.bots.planner.memory import memory_of
from ttr_sim.bots.search.beliefs import TRUST, weigh_tickets
from ttr_sim.bots.styles import planner
from ttr_sim.engine.actions import (
    ANSWER_DRAW_DECK,
    ANSWER_DRAW_ROW,
    ASK_KEEP,
    ASK_TURN,
    DEFAULT,
    first_of,
    kind_of,
    pass_turn,
)
from ttr_sim.engine.bot_abi import copy_record, count_up
from ttr_sim.engine.game import apply, begin_turn, finish_turn, go_on, must_pass, show_own
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.legal import default_answer
from ttr_sim.engine.rng import item_key
from ttr_sim.engine.setup import SETUP_TURN
from ttr_sim.engine.tickets import ask_to_keep, keep_offered
from ttr_sim.engine.worlds import copy_game, determinise

N_TASTES = len(planner.PLANNER.parameters)
# Planning again each turn near the end makes playouts slower and hardly stronger.
NO_HORIZON = -6.0
# Points ahead that count half as much as any number of points.
MARGIN_HALF = 40.0
# Rounds before any candidate is dropped.
FIRST_ROUNDS = 4
# Squared standard errors:
# Below the planner's answer: losing a good candidate costs less than trying the bad.
SURE = 2.0**2
# Above it: no further playouts are needed.
CLEAR = 3.5**2


@compiled
def best_candidate(board, desk, budget, errors, share):
    """Find the best candidate; another than the planner's (0) must gain `errors` squared standard errors."""
    desk.rounds = desk.playouts = 0
    for i in range(desk.n):
        desk.alive[i] = 1
        desk.gain[i] = desk.square[i] = 0.0
    # As many halvings as leave one other candidate, and one more phase to try that one.
    phase, phases, others = 1, 1, desk.n - 1
    while others > 1:
        others -= others // 2
        phases += 1
    while desk.playouts < budget and _count_alive(desk) > 1:
        _play_round(board, desk, share)
        if desk.rounds < FIRST_ROUNDS:
            continue
        while phase < phases and desk.playouts * phases >= budget * phase:
            _drop_worse_half(desk)
            phase += 1
        for i in range(1, desk.n):
            if desk.gain[i] <= 0 and _is_sure(desk, i, SURE):
                desk.alive[i] = 0
        if _is_settled(desk):
            break
    best = 0
    for i in range(1, desk.n):
        is_better = desk.alive[i] and desk.gain[i] > 0 and _is_sure(desk, i, errors)
        if is_better and (best == 0 or desk.gain[i] > desk.gain[best]):
            best = i
    return best


@compiled
def _count_alive(desk):
    alive = 0
    for i in range(desk.n):
        alive += desk.alive[i]
    return alive


@compiled
def _play_round(board, desk, share):
    """Try each remaining candidate on one more world."""
    if desk.pulse != 0:
        count_up(desk.pulse)
    sample_world(board, desk, desk.rounds)
    mover = desk.sample.mover_view.seat
    for i in range(desk.n):
        if desk.alive[i]:
            copy_game(desk.play, desk.sample)
            if leaves_plan(desk, i):
                memory_of(desk.play.seats[mover]).plan_version = 0
            play_out(board, desk.play, desk.answers[i])
            desk.value[i] = value_for(desk.play, mover, share)
            gain = desk.value[i] - desk.value[0]
            desk.gain[i] += gain
            desk.square[i] += gain * gain
            desk.playouts += 1
    desk.rounds += 1


@compiled
def leaves_plan(desk, i):
    """Check whether the planner has to plan again after this candidate."""
    return i > 0 and kind_of(desk.answers[i]) not in (ANSWER_DRAW_DECK, ANSWER_DRAW_ROW)


@compiled
def _is_sure(desk, i, errors):
    """Check whether the squared mean gain exceeds `errors` squared standard errors."""
    n, gain = float(desk.rounds), desk.gain[i]
    return gain * gain * (n - 1.0) >= errors * (n * desk.square[i] - gain * gain)


@compiled
def _is_settled(desk):
    """Check whether one candidate surely beats the planner's answer and leads the others by far."""
    best, second = 0, 0
    for i in range(1, desk.n):
        if desk.alive[i] and (best == 0 or desk.gain[i] > desk.gain[best]):
            best, second = i, best
        elif desk.alive[i] and (second == 0 or desk.gain[i] > desk.gain[second]):
            second = i
    clear = second == 0 or 2.0 * desk.gain[second] < desk.gain[best]
    return best > 0 and desk.gain[best] > 0 and clear and _is_sure(desk, best, CLEAR)


@compiled
def _drop_worse_half(desk):
    """Keep the planner's answer and the better half of the others."""
    others = _count_alive(desk) - 1
    for _ in range(others // 2):
        worst = 0
        for i in range(1, desk.n):
            if desk.alive[i] and (worst == 0 or desk.gain[i] <= desk.gain[worst]):
                worst = i
        desk.alive[worst] = 0


@compiled
def seat_planners(world, seat):
    """Seat planners like the mover; they see their own tickets and nothing of its plan."""
    copy_record(world.seats[world.mover_view.seat], seat)
    for other in range(world.mover_view.players):
        for i in range(N_TASTES):
            world.seats[other].parameters[i] = seat.parameters[i]
        world.seats[other].parameters[params.HORIZON] = NO_HORIZON
        memory_of(world.seats[other]).turn_points = memory_of(seat).turn_points


@compiled
def sample_world(board, desk, number):
    """Sample all hidden cards of desk.world into desk.sample; the number is the seed."""
    mover = desk.world.mover_view.seat
    copy_game(desk.sample, desk.world)
    determinise(board, desk.sample, mover, item_key(desk.world.hidden.deal_key, number))
    weigh_tickets(board, desk.sample, mover, TRUST, desk.fits)
    if desk.sample.mover_view.turn != SETUP_TURN:
        _let_others_plan(board, desk.sample, mover)
    elif desk.sample.mover_view.decision == ASK_KEEP:
        _choose_before(board, desk.sample, mover)


@compiled
def _choose_before(board, state, mover):
    """Choose the first tickets of earlier seats again: the mover has not seen their choices."""
    for seat in range(mover):
        state.mover_view.seat = seat
        if ask_to_keep(state, seat, board.keep_at_start):
            show_own(state)
            keep_offered(state, seat, first_of(ask_planner(board, state)))
    state.mover_view.seat = mover
    ask_to_keep(state, mover, board.keep_at_start)
    show_own(state)


@compiled
def _let_others_plan(board, state, mover):
    """Make the other seats' plans once for all playouts of this world."""
    view, decision = state.mover_view, state.mover_view.decision
    view.decision = ASK_TURN
    for seat in range(view.players):
        if seat != mover:
            view.seat = seat
            show_own(state)
            planner.choose(board, view, state.seats[seat])
    view.seat, view.decision = mover, decision
    show_own(state)


@compiled
def ask_planner(board, state):
    view = state.mover_view
    answer = planner.choose(board, view, state.seats[view.seat])
    return default_answer(board, view) if answer == DEFAULT else answer


@compiled
def play_out(board, state, answer):
    """Play from this answer to the final scoring."""
    while True:
        at_setup = state.mover_view.turn == SETUP_TURN
        if apply(board, state, answer):
            if at_setup:
                begin_turn(state, 0, 0)
            else:
                finish_turn(board, state)
                if go_on(board, state):
                    return
        show_own(state)
        answer = pass_turn() if must_pass(board, state) else ask_planner(board, state)


@compiled
def value_for(state, seat, share):
    """Mix of the seat's share of the win and its squashed margin, from 0 to 1."""
    winners, best = 0, -1000000
    for other in range(state.mover_view.players):
        winners += state.results[other].rank == 1
        if other != seat:
            best = max(best, state.results[other].score)
    margin = float(state.results[seat].score - best)
    squashed = 0.5 + 0.5 * margin / (MARGIN_HALF + abs(margin))
    won = 1.0 / winners if state.results[seat].rank == 1 else 0.0
    return (1.0 - share) * won + share * squashed

"""How the playouts are shared out: every candidate on the same worlds, the worse half dropped again and again."""

from ttr_sim.bots.planner.memory import memory_of
from ttr_sim.bots.search.playouts import play_out, sample_world, value_for
from ttr_sim.engine.actions import ANSWER_DRAW_DECK, ANSWER_DRAW_ROW, kind_of
from ttr_sim.engine.bot_abi import count_up
from ttr_sim.engine.jit import compiled, part
from ttr_sim.engine.worlds import copy_game

FIRST_ROUNDS = 4  # before any candidate is dropped
# Squared standard errors:
SURE = 2.0**2  # below the planner's answer: losing a good candidate costs less than trying the bad
CLEAR = 3.5**2  # above it, from which no further playouts are needed


@compiled
def best_candidate(board, desk, budget, errors, share):
    """Return the number of the best candidate: not the planner's answer (0) only where the gain exceeds so many squared
    standard errors."""
    _begin(desk)
    phase, phases = 1, _count_phases(desk.n - 1)
    while desk.playouts < budget and _count_alive(desk) > 1:
        _play_round(board, desk, share)
        if desk.rounds < FIRST_ROUNDS:
            continue
        while phase < phases and desk.playouts * phases >= budget * phase:
            _drop_worse_half(desk)
            phase += 1
        _drop_hopeless(desk)
        if _is_settled(desk):
            break
    return _best_sure(desk, errors)


@part
def _count_phases(others):
    """Return how often the others can be halved until one is left, and one more to try that one."""
    phases = 1
    while others > 1:
        others -= others // 2
        phases += 1
    return phases


@part
def _best_sure(desk, errors):
    """Return the candidate that gains most, of those that gain so many squared standard errors."""
    best = 0
    for i in range(1, desk.n):
        is_better = desk.alive[i] and desk.gain[i] > 0 and _is_sure(desk, i, errors)
        if is_better and (best == 0 or desk.gain[i] > desk.gain[best]):
            best = i
    return best


@part
def _begin(desk):
    desk.rounds = desk.playouts = 0
    for i in range(desk.n):
        desk.alive[i] = 1
        desk.gain[i] = desk.square[i] = 0.0


@compiled
def _count_alive(desk):
    alive = 0
    for i in range(desk.n):
        alive += desk.alive[i]
    return alive


@part
def _play_round(board, desk, share):
    """Try each candidate that is left on one more world."""
    if desk.pulse != 0:
        count_up(desk.pulse)
    sample_world(board, desk, desk.rounds)
    for i in range(desk.n):
        if desk.alive[i]:
            desk.value[i] = try_candidate(board, desk, i, share)
            gain = desk.value[i] - desk.value[0]
            desk.gain[i] += gain
            desk.square[i] += gain * gain
            desk.playouts += 1
    desk.rounds += 1


@compiled
def try_candidate(board, desk, i, share):
    """Play the sampled world on from this candidate and return what comes of it for the mover."""
    mover = desk.sample.mover_view.seat
    copy_game(desk.play, desk.sample)
    if leaves_plan(desk, i):
        memory_of(desk.play.seats[mover]).plan_version = 0
    play_out(board, desk.play, desk.answers[i])
    return value_for(desk.play, mover, share)


@compiled
def leaves_plan(desk, i):
    """Return whether the planner has to plan again after this candidate."""
    return i > 0 and kind_of(desk.answers[i]) not in (ANSWER_DRAW_DECK, ANSWER_DRAW_ROW)


@compiled
def _is_sure(desk, i, errors):
    """Return whether the squared mean gain is so many squared standard errors away from 0; one that never varies is."""
    n, gain = float(desk.rounds), desk.gain[i]
    return gain * gain * (n - 1.0) >= errors * (n * desk.square[i] - gain * gain)


@part
def _is_settled(desk):
    """Return whether one candidate is surely better than the planner's answer, and far better than the others."""
    best, second = 0, 0
    for i in range(1, desk.n):
        if desk.alive[i] and (best == 0 or desk.gain[i] > desk.gain[best]):
            best, second = i, best
        elif desk.alive[i] and (second == 0 or desk.gain[i] > desk.gain[second]):
            second = i
    clear = second == 0 or 2.0 * desk.gain[second] < desk.gain[best]
    return best > 0 and desk.gain[best] > 0 and clear and _is_sure(desk, best, CLEAR)


@part
def _drop_hopeless(desk):
    for i in range(1, desk.n):
        if desk.gain[i] <= 0 and _is_sure(desk, i, SURE):
            desk.alive[i] = 0


@part
def _drop_worse_half(desk):
    """Keep the planner's answer and the better half of the others."""
    others = _count_alive(desk) - 1
    for _ in range(others // 2):
        worst = 0
        for i in range(1, desk.n):
            if desk.alive[i] and (worst == 0 or desk.gain[i] <= desk.gain[worst]):
                worst = i
        desk.alive[worst] = 0

"""Worlds sampled from what the mover knows, and played out to the end by planners in all seats."""

from ttr_sim.bots.planner import params
from ttr_sim.bots.planner.memory import memory_of
from ttr_sim.bots.search.beliefs import TRUST, weigh_tickets
from ttr_sim.bots.styles import planner
from ttr_sim.engine.actions import ASK_KEEP, ASK_TURN, DEFAULT, first_of, pass_turn
from ttr_sim.engine.apply import SETUP_TURN, apply
from ttr_sim.engine.bot_abi import copy_record
from ttr_sim.engine.defaults import default_answer
from ttr_sim.engine.determinise import determinise
from ttr_sim.engine.game import begin_turn, finish_turn, go_on, must_pass, show_own
from ttr_sim.engine.jit import compiled, part
from ttr_sim.engine.rng import item_key
from ttr_sim.engine.tickets import ask_to_keep, keep_offered
from ttr_sim.engine.worlds import copy_game

N_TASTES = len(planner.STYLE.parameters)
NO_HORIZON = -6.0  # planning again each turn near the end makes playouts slower and hardly stronger
MARGIN_HALF = 40.0  # points ahead that count half as much as any number of points


@compiled
def seat_planners(world, seat):
    """Let planners like the mover itself play in all seats; they know their own tickets and nothing of its plan."""
    copy_record(world.seats[world.mover_view.seat], seat)
    for other in range(world.mover_view.players):
        for i in range(N_TASTES):
            world.seats[other].parameters[i] = seat.parameters[i]
        world.seats[other].parameters[params.HORIZON] = NO_HORIZON
        memory_of(world.seats[other]).turn_points = memory_of(seat).turn_points


@compiled
def sample_world(board, desk, number):
    """Deal the hidden of desk.world again into desk.sample; the number decides how."""
    mover = desk.world.mover_view.seat
    copy_game(desk.sample, desk.world)
    determinise(board, desk.sample, mover, item_key(desk.world.hidden.deal_key, number))
    weigh_tickets(board, desk.sample, mover, TRUST, desk.fits)
    if desk.sample.mover_view.turn != SETUP_TURN:
        _let_others_plan(board, desk.sample, mover)
    elif desk.sample.mover_view.decision == ASK_KEEP:
        _choose_before(board, desk.sample, mover)


@part
def _choose_before(board, state, mover):
    """Let the seats that were asked before the mover choose their first tickets: it was not shown what they chose."""
    for seat in range(mover):
        state.mover_view.seat = seat
        if ask_to_keep(state, seat, board.keep_at_start):
            show_own(state)
            keep_offered(state, seat, first_of(ask_planner(board, state)))
    state.mover_view.seat = mover
    ask_to_keep(state, mover, board.keep_at_start)
    show_own(state)


@part
def _let_others_plan(board, state, mover):
    """Let the other seats plan once for all playouts of this world."""
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
    """Play the game on from this answer to its final scoring."""
    while not step(board, state, answer):
        show_own(state)
        answer = pass_turn() if must_pass(board, state) else ask_planner(board, state)


@compiled
def step(board, state, answer):
    """Apply a legal answer and go on to the next decision; return whether the game is over."""
    at_setup = state.mover_view.turn == SETUP_TURN
    if not apply(board, state, answer):
        return False
    if at_setup:
        begin_turn(state, 0, 0)
        return False
    finish_turn(board, state)
    return go_on(board, state)


@compiled
def value_for(state, seat, share):
    """Return the seat's share of the win, mixed with `share` of its margin over the best other, from 0 to 1."""
    winners, best = 0, -1000000
    for other in range(state.mover_view.players):
        winners += state.results[other].rank == 1
        if other != seat:
            best = max(best, state.results[other].score)
    margin = float(state.results[seat].score - best)
    squashed = 0.5 + 0.5 * margin / (MARGIN_HALF + abs(margin))
    won = 1.0 / winners if state.results[seat].rank == 1 else 0.0
    return (1.0 - share) * won + share * squashed

"""What the moves of one turn are worth: each is tried on the same sampled worlds, with planners in all seats."""

from ttr_sim.bots.search.beliefs import judge_fits
from ttr_sim.bots.search.candidates import collect_candidates
from ttr_sim.bots.search.desk import desk_of
from ttr_sim.bots.search.halving import try_candidate
from ttr_sim.bots.search.playouts import sample_world, seat_planners, step
from ttr_sim.bots.skills.mind import mind_of
from ttr_sim.engine.actions import ASK_TURN, DEFAULT, pass_turn
from ttr_sim.engine.bot_abi import call_bot
from ttr_sim.engine.defaults import default_answer
from ttr_sim.engine.game import begin_turn, must_pass, show_own
from ttr_sim.engine.jit import compiled, part
from ttr_sim.engine.setup import enter_bot, set_up
from ttr_sim.engine.worlds import prepare_world

MOST_MOVES = 20  # what the search looks at with the budget it has unless told otherwise
ALL_OF_THE_WIN = 0.0  # the share of the margin in the value of a game


@part
def _ask(board, state):
    """Ask the mover by its address: what is called so need not be compiled into the caller once more."""
    view = state.mover_view
    answer = call_bot(state.drivers[view.seat].address, board, view, state.seats[view.seat])
    return default_answer(board, view) if answer == DEFAULT else answer


@compiled
def play_to_turn(boards, states, players, seed, deal, bots, turn):
    """Play a deal by one bot in all seats up to this turn; return whether the game lasts so long."""
    board, state = boards[0], states[0]
    set_up(board, state, players, seed, deal, 0)
    for seat in range(players):
        enter_bot(state, seat, bots[0], 0, 0, seat)
    if state.mover_view.decision == ASK_TURN:
        begin_turn(state, 0, 0)
    is_over = False
    while not is_over and state.mover_view.turn < turn:
        show_own(state)
        is_over = step(board, state, pass_turn() if must_pass(board, state) else _ask(board, state))
    show_own(state)
    return not is_over


@compiled
def list_moves(boards, states, workspaces, moves):
    """Fill in the moves that the search would look at, the planner's first, and return how many there are."""
    board, state, view = boards[0], states[0], workspaces[0].world.mover_view
    room, desk = state.seats[state.mover_view.seat], desk_of(view)
    if must_pass(board, state):
        return 0
    prepare_world(board, state, workspaces[0].world)
    answer = _ask(board, state)
    seat_planners(desk.world, room)
    judge_fits(board, view, desk.play.seats, desk.fits)
    collect_candidates(board, view, room, mind_of(room), desk, answer, MOST_MOVES)
    for i in range(desk.n):
        moves[i] = desk.answers[i]
    return desk.n


@compiled
def try_moves(boards, workspaces, wanted, first_world, wins):
    """Fill in the share of the win that each of the wanted moves leads to, a row for each world."""
    board, desk = boards[0], desk_of(workspaces[0].world.mover_view)
    for row in range(wins.shape[0]):
        sample_world(board, desk, first_world + row)
        for column in range(wanted.shape[0]):
            wins[row, column] = try_candidate(board, desk, wanted[column], ALL_OF_THE_WIN)

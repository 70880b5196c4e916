"""Entry points for stepping a game from plain Python, one decision at a time.

Arguments are 1-element record arrays: a record by itself costs twenty times as much to hand over.
"""

from ttr_sim.engine.actions import ASK_TURN
from ttr_sim.engine.apply import apply, why_not
from ttr_sim.engine.defaults import default_answer
from ttr_sim.engine.determinise import determinise
from ttr_sim.engine.game import begin_turn, finish_turn, go_on, show_own
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.legal import count_choices, nth_choice
from ttr_sim.engine.setup import set_up


@compiled
def start(boards, states, players, seed, deal):
    """Set a game up to its first decision."""
    set_up(boards[0], states[0], players, seed, deal)
    _begin_play(states[0])
    show_own(states[0])


@compiled
def _begin_play(state):
    if state.mover_view.turn < 0 and state.mover_view.decision == ASK_TURN:
        begin_turn(state, 0, 0)


@compiled
def count(boards, states):
    return count_choices(boards[0], states[0].mover_view)


@compiled
def nth(boards, states, k):
    return nth_choice(boards[0], states[0].mover_view, k)


@compiled
def reason_against(boards, states, answer):
    return why_not(boards[0], states[0].mover_view, answer)


@compiled
def default(boards, states):
    return default_answer(boards[0], states[0].mover_view)


@compiled
def deal_hidden_anew(boards, states, key):
    """Replace all that the mover cannot know by a sample that `key` decides."""
    determinise(boards[0], states[0], states[0].mover_view.seat, key)


@compiled
def advance(boards, states, answer):
    """Apply a legal answer and move on to the next decision."""
    board, state = boards[0], states[0]
    at_setup = state.mover_view.turn < 0
    if apply(board, state, answer) and not at_setup:
        finish_turn(board, state)
        go_on(board, state)
    _begin_play(state)
    show_own(state)

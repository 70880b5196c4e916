"""Turn order, the final round and the end of a game.

The entry points for stepping a game from plain Python stand at the end.
"""

from ttr_sim.engine.actions import ASK_TURN, GAME_OVER
from ttr_sim.engine.apply import ACTION_PASS, apply, why_not
from ttr_sim.engine.bot_abi import copy_own
from ttr_sim.engine.cards import can_draw_from_deck, fill_row_at_end_of_turn, is_row_open
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.legal import can_act, count_choices, default_answer, nth_choice
from ttr_sim.engine.records import N_COLORS
from ttr_sim.engine.scoring import score_game
from ttr_sim.engine.setup import NOBODY, NOT_YET, SETUP_TURN, clear_turn, set_up
from ttr_sim.engine.stations import BY_RACE
from ttr_sim.engine.tickets import is_race_won
from ttr_sim.engine.worlds import determinise
from ttr_sim.log import END_NAMES

BY_TRAINS = END_NAMES.index("trains")
STALLED = END_NAMES.index("stalled")
CAPPED = END_NAMES.index("capped")
GOES_ON = -1


@compiled
def show_own(state):
    """Copy the mover's hand, tickets and offer into the view, over those of the previous mover."""
    copy_own(state.mover_view, state.holdings[state.mover_view.seat])


@compiled
def begin_turn(state, seat, turn):
    view, log = state.mover_view, state.turn_log
    clear_turn(log)
    view.seat, view.turn = seat, turn
    view.decision = ASK_TURN
    view.drawn_card = NOBODY
    for color in range(N_COLORS):
        log.row[color] = view.row[color]


@compiled
def must_pass(board, state):
    """Whether the mover has nothing to choose, and so is not asked."""
    view = state.mover_view
    # A card to draw is nearly always there; can_act, which counts all claims, would cost more than the rest of a turn.
    if view.decision != ASK_TURN or can_draw_from_deck(view) or (view.row_cards > 0 and is_row_open(board, view)):
        return False
    return not can_act(board, view)


@compiled
def finish_turn(board, state):
    """Fill the row, count passes and turns, and follow the lead."""
    view, hidden, seat = state.mover_view, state.hidden, state.mover_view.seat
    # Cards paid in this turn may refill a row that had run short.
    fill_row_at_end_of_turn(board, state)
    view.passes = view.passes + 1 if state.turn_log.action == ACTION_PASS else 0
    hidden.turns_taken[seat] += 1
    _follow_lead(state)


@compiled
def _follow_lead(state):
    """Track the sole leader in public score: since when, and how often it changed."""
    view, hidden = state.mover_view, state.hidden
    best, leader = -1, NOBODY
    for seat in range(view.players):
        if view.score[seat] > best:
            best, leader = view.score[seat], seat
        elif view.score[seat] == best:
            leader = NOBODY
    # A shared lead is nobody's, but it does not count as a change until another seat leads alone.
    if leader != hidden.leader:
        hidden.lead_since = view.turn
    if leader != NOBODY and hidden.last_leader not in (NOBODY, leader):
        hidden.lead_changes += 1
    if leader != NOBODY:
        hidden.last_leader = leader
    hidden.leader = leader


@compiled
def go_on(board, state):
    """Move on to the next turn, or to the final scoring and return whether the game is over."""
    view, hidden = state.mover_view, state.hidden
    hidden.end = _end_of_game(board, view)
    if hidden.end == GOES_ON:
        # Once somebody ends a turn with few trains, each player has exactly one more turn.
        if view.final_turns != NOT_YET:
            view.final_turns -= 1
        elif view.trains[view.seat] <= board.trains_left:
            view.final_turns = view.players
        begin_turn(state, (view.seat + 1) % view.players, view.turn + 1)
        return False
    view.decision = GAME_OVER
    score_game(board, state)
    return True


@compiled
def _end_of_game(board, view):
    """Why the game ends now, or GOES_ON.

    A race that is won or a last train ends the game at once; a completed final round comes before a
    stalled or capped game.
    """
    if is_race_won(board, view, view.seat):
        return BY_RACE
    if board.last_train and view.trains[view.seat] == 0:
        return BY_TRAINS
    if view.final_turns == 1:
        return BY_TRAINS
    if view.passes >= view.players:
        return STALLED
    if view.turn + 1 >= board.max_turns * view.players:
        return CAPPED
    return GOES_ON


# Stepping from plain Python, one decision at a time. Arguments are 1-element record arrays: a
# record by itself costs twenty times as much to pass.


@compiled
def start_game(boards, states, players, seed, deal):
    """Set a game up to its first decision."""
    set_up(boards[0], states[0], players, seed, deal)
    _begin_play(states[0])
    show_own(states[0])


@compiled
def _begin_play(state):
    if state.mover_view.turn == SETUP_TURN and state.mover_view.decision == ASK_TURN:
        begin_turn(state, 0, 0)


@compiled
def count_answers(boards, states):
    return count_choices(boards[0], states[0].mover_view)


@compiled
def nth_answer(boards, states, k):
    return nth_choice(boards[0], states[0].mover_view, k)


@compiled
def reason_against(boards, states, answer):
    return why_not(boards[0], states[0].mover_view, answer)


@compiled
def default_of_mover(boards, states):
    return default_answer(boards[0], states[0].mover_view)


@compiled
def resample_hidden(boards, states, key):
    """Replace all that is hidden from the mover by a sample that `key` decides."""
    determinise(boards[0], states[0], states[0].mover_view.seat, key)


@compiled
def advance(boards, states, answer):
    """Apply a legal answer and move on to the next decision."""
    board, state = boards[0], states[0]
    at_setup = state.mover_view.turn == SETUP_TURN
    if apply(board, state, answer) and not at_setup:
        finish_turn(board, state)
        go_on(board, state)
    _begin_play(state)
    show_own(state)

"""The course of a game: whose turn it is, when the final round runs, why the game ends."""

from ttr_sim.engine.actions import ASK_TURN, GAME_OVER
from ttr_sim.engine.apply import ACTION_PASS
from ttr_sim.engine.bot_abi import copy_own
from ttr_sim.engine.cards import can_draw_from_deck, fill_row_at_end_of_turn, is_row_open
from ttr_sim.engine.instant_tickets import is_race_won
from ttr_sim.engine.jit import compiled, part
from ttr_sim.engine.legal import can_act
from ttr_sim.engine.records import N_COLORS
from ttr_sim.engine.scoring import score_game
from ttr_sim.engine.setup import NOBODY, NOT_YET, clear_turn
from ttr_sim.engine.stations import BY_RACE
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
    view, now = state.mover_view, state.now
    clear_turn(now)
    view.seat, view.turn = seat, turn
    view.decision = ASK_TURN
    view.drawn_card = NOBODY
    for color in range(N_COLORS):
        now.row[color] = view.row[color]


@compiled
def must_pass(board, state):
    """Return whether the mover has nothing to choose, and so is not asked."""
    view = state.mover_view
    # A card to draw is nearly always there; can_act, which counts all claims, would cost more than the rest of a turn.
    if view.decision != ASK_TURN or can_draw_from_deck(view) or (view.row_cards > 0 and is_row_open(board, view)):
        return False
    return not can_act(board, view)


@compiled
def finish_turn(board, state):
    """Do all that happens at the end of a turn before the next begins."""
    view, hidden, seat = state.mover_view, state.hidden, state.mover_view.seat
    fill_row_at_end_of_turn(board, state)
    view.passes = view.passes + 1 if state.now.action == ACTION_PASS else 0
    hidden.turns_taken[seat] += 1
    _follow_lead(state)


@part
def _follow_lead(state):
    """Note who leads alone in public score, since when, and how often that changed."""
    hidden, leader = state.hidden, _sole_leader(state.mover_view)
    if leader != hidden.leader:
        hidden.lead_since = state.mover_view.turn
    if leader != NOBODY and hidden.last_leader not in (NOBODY, leader):
        hidden.lead_changes += 1
    if leader != NOBODY:
        hidden.last_leader = leader
    hidden.leader = leader


@part
def _sole_leader(view):
    best, leader = -1, NOBODY
    for seat in range(view.players):
        if view.score[seat] > best:
            best, leader = view.score[seat], seat
        elif view.score[seat] == best:
            leader = NOBODY
    return leader


@compiled
def go_on(board, state):
    """Move on to the next turn, or to the final scoring; return whether the game is over."""
    view, hidden = state.mover_view, state.hidden
    hidden.end = _end_of_game(board, view)
    if hidden.end == GOES_ON:
        _start_final_round(board, view)
        begin_turn(state, (view.seat + 1) % view.players, view.turn + 1)
        return False
    view.decision = GAME_OVER
    score_game(board, state)
    return True


@part
def _end_of_game(board, view):
    """Return why the game ends now, or GOES_ON.

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


@part
def _start_final_round(board, view):
    """Give each player exactly one more turn once somebody ends a turn with few trains."""
    if view.final_turns != NOT_YET:
        view.final_turns -= 1
    elif view.trains[view.seat] <= board.trains_left:
        view.final_turns = view.players

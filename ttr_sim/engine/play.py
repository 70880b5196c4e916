"""Games that bots play at compiled speed, written as they are played."""

import numpy as np

from ttr_sim.edition.limits import MAX_PLAYERS
from ttr_sim.engine.actions import ASK_TURN, DEFAULT, GAME_OVER, pass_turn
from ttr_sim.engine.apply import apply, why_not
from ttr_sim.engine.bot_abi import SPOILED, are_same, call_bot, copy_record
from ttr_sim.engine.defaults import default_answer
from ttr_sim.engine.game import begin_turn, finish_turn, go_on, must_pass, show_own
from ttr_sim.engine.jit import compiled, part
from ttr_sim.engine.log_writer import (
    has_room,
    has_room_for_game,
    write_completed,
    write_game,
    write_seat,
    write_setup,
    write_tickets,
    write_turn,
)
from ttr_sim.engine.reasons import FINE
from ttr_sim.engine.records import N_PARAMETERS
from ttr_sim.engine.setup import enter_bot, set_up
from ttr_sim.engine.worlds import prepare_world

DONE, STOPPED, PAGES_FULL, ILLEGAL = range(4)
TURN_GOES_ON, TURN_OVER, ANSWER_REFUSED = range(3)

# How a run and its kernel communicate: `control` is five numbers, read and written once a turn,
# the last one by bots that search whenever they have thought a little further.
STOP_WORD, AT_GAME, AT_TURN, AT_SEAT, THOUGHTS = range(5)
N_CONTROL = 5

FOR_GUARDED = 1  # index of the board's copy that users' bots see, fresh in every game
WATCHED_GAMES = 20  # of a batch: the first ones, in which each call of a user's bot is checked for what it wrote

# What is played, a record per game, and who plays, a record per bot.
JOB = np.dtype(
    [
        ("deal", np.int64),
        ("rotation", np.int64),
        ("bots", np.int64, MAX_PLAYERS),
        ("places", np.int64, MAX_PLAYERS),
    ]
)
BOT = np.dtype(
    [
        ("address", np.int64),
        ("plans", np.int8),
        ("guarded", np.int8),
        ("searches", np.int8),
        ("parameters", np.float64, N_PARAMETERS),
    ],
    align=True,
)


FAILURE = np.dtype([(name, np.int64) for name in ("game", "turn", "seat", "decision", "answer")])


@part
def _ask(board, spare, workspace, state, watched):
    """Return the bot's answer.

    A guarded bot sees copies, so that it can spoil nothing but its own game; a searching one sees a world of its own.
    """
    view, driver = state.mover_view, state.drivers[state.mover_view.seat]
    room = state.seats[view.seat]
    if driver.guarded:
        copy_record(state.view_copy, view)
        answer = call_bot(driver.address, spare, state.view_copy, room)
        if watched and not (are_same(spare, board) and are_same(state.view_copy, view)):
            answer = SPOILED
    elif driver.searches:
        prepare_world(board, state, workspace.world)
        answer = call_bot(driver.address, board, workspace.world.mover_view, room)
    else:
        answer = call_bot(driver.address, board, view, room)
    return default_answer(board, view) if answer == DEFAULT else answer


@part
def _decide(board, spare, workspace, state, watched, failure):
    """Ask the mover for one decision, check it and apply it."""
    view = state.mover_view
    show_own(state)
    answer = pass_turn() if must_pass(board, state) else _ask(board, spare, workspace, state, watched)
    if why_not(board, view, answer) != FINE:
        failure.turn, failure.seat, failure.decision, failure.answer = view.turn, view.seat, view.decision, answer
        return ANSWER_REFUSED
    return TURN_OVER if apply(board, state, answer) else TURN_GOES_ON


@compiled
def _play_turn(board, spare, workspace, state, watched, failure):
    """Play all decisions of one turn, or of setup; return false when an answer was refused."""
    step = TURN_GOES_ON
    while step == TURN_GOES_ON:
        step = _decide(board, spare, workspace, state, watched, failure)
    return step == TURN_OVER


@part
def _begin_game(board, state, players, seed, job, bots):
    set_up(board, state, players, seed, job.deal)
    for seat in range(players):
        index = job.bots[seat]
        enter_bot(state, seat, bots[index], index, job.rotation, job.places[seat])


@part
def _play_game(board, spare, workspace, state, book, g, log_turns, control, failure):
    """Play one game from its setup's choices to the final scoring, and write it as it is played."""
    view, players = state.mover_view, state.mover_view.players
    game, turn_row, ticket_row = book.game, book.turn, book.ticket
    watched = g < WATCHED_GAMES
    guarded = _has_guarded(state)
    if guarded:
        copy_record(spare, board)
    write_setup(board, state, book, game, game * players)
    if view.decision != ASK_TURN and not _play_turn(board, spare, workspace, state, watched, failure):
        return ILLEGAL
    ticket_row = write_tickets(board, state, book, ticket_row, g)
    begin_turn(state, 0, 0)
    while True:
        control[AT_GAME], control[AT_TURN], control[AT_SEAT] = g, view.turn, view.seat
        if control[STOP_WORD] != 0:
            return STOPPED
        if not _play_turn(board, spare, workspace, state, watched, failure):
            return ILLEGAL
        finish_turn(board, state)
        if not has_room(book, turn_row, ticket_row):
            return PAGES_FULL
        ticket_row = write_tickets(board, state, book, ticket_row, g)
        if log_turns:
            write_turn(board, state, book, turn_row, g)
            turn_row += 1
        if go_on(board, state):
            break
    if guarded and _is_spoiled(board, spare, state, failure):
        return ILLEGAL
    _write_end(board, state, book, g)
    book.game, book.turn, book.ticket = game + 1, turn_row, ticket_row
    return DONE


@part
def _has_guarded(state):
    for seat in range(state.mover_view.players):
        if state.drivers[seat].guarded:
            return True
    return False


@part
def _is_spoiled(board, spare, state, failure):
    """Return whether a user's bot wrote to the board in this game; if so, name the first seat that may have."""
    if are_same(spare, board):
        return False
    seat = 0
    while seat + 1 < state.mover_view.players and not state.drivers[seat].guarded:
        seat += 1
    failure.turn, failure.seat, failure.decision, failure.answer = state.mover_view.turn, seat, GAME_OVER, SPOILED
    return True


@part
def _write_end(board, state, book, g):
    players = state.mover_view.players
    write_game(board, state, book, book.game, g)
    for seat in range(players):
        write_seat(board, state, book, book.game * players + seat, g, seat)
        write_completed(board, state, book, book.ticket, seat)


@compiled
def play_games(boards, states, workspaces, players, seed, jobs, bots, first, log_turns, books, control, failures):
    """Play games from `first` on until all are played, the pages are full, or the stop word is set."""
    board, state, book = boards[0], states[0], books[0]
    for g in range(first, jobs.shape[0]):
        failures[0].game = g
        if not has_room_for_game(book, players):
            return PAGES_FULL
        _begin_game(board, state, players, seed, jobs[g], bots)
        status = _play_game(board, boards[FOR_GUARDED], workspaces[0], state, book, g, log_turns, control, failures[0])
        if status != DONE:
            return status
    return DONE

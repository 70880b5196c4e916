"""A batch: games that bots play in one compiled call, logged as they are played."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ttr_sim.edition.limits import MAX_PLAYERS
from ttr_sim.engine import log_writer
from ttr_sim.engine.actions import ASK_TURN, DEFAULT, FINE, GAME_OVER, pass_turn
from ttr_sim.engine.bot_abi import SPOILED, are_same, call_bot, copy_record
from ttr_sim.engine.game import apply, begin_turn, finish_turn, go_on, must_pass, show_own, why_not
from ttr_sim.engine.jit import compiled
from ttr_sim.engine.legal import default_answer
from ttr_sim.engine.records import STATE, WORKSPACE
from ttr_sim.engine.setup import enter_bot, set_up
from ttr_sim.engine.worlds import prepare_world
from ttr_sim.log import TABLES

DONE, STOPPED, BUFFERS_FULL, ILLEGAL = range(4)

# A run and its kernel communicate through five numbers, read and written once a turn, the last one
# by bots that search, as their heartbeat within a turn.
STOP_WORD, AT_GAME, AT_TURN, AT_SEAT, THOUGHTS = range(5)
N_CONTROL = 5

GROWTH = 1.5  # of the room for a game, each time the buffers were too small
FOR_GUARDED = 1  # index of the board's copy that users' bots see, fresh in every game
WATCHED_GAMES = 20  # of a batch: the first ones, in which each call of a user's bot is checked for writes

# A game to play.
JOB = np.dtype(
    [("deal", np.int64), ("rotation", np.int64), ("bots", np.int64, MAX_PLAYERS), ("places", np.int64, MAX_PLAYERS)]
)
FAILURE = np.dtype([(name, np.int64) for name in ("game", "turn", "seat", "decision", "answer")])


class Games(NamedTuple):
    """Games to play, a row each, with rows of the drivers."""

    deals: np.ndarray
    rotations: np.ndarray
    bots: np.ndarray
    places: np.ndarray


class Failure(NamedTuple):
    """A refused answer (or RAISED, SPOILED), its game and position."""

    game: int
    turn: int
    seat: int
    decision: int
    answer: int
    board: np.ndarray
    state: np.ndarray


@dataclass(frozen=True)
class BatchLog:
    """Games played from the first on, fewer than asked when stopped or failed."""

    games: int
    tables: dict[str, log_writer.TableLog]
    failure: Failure | None
    stopped: bool


def new_control() -> np.ndarray:
    """[stop word, game, turn, seat, thoughts]: set the first to stop, read the others as the heartbeat."""
    return np.zeros(N_CONTROL, np.int64)


def play_batch(
    board: np.ndarray,
    players: int,
    seed: int,
    games: Games,
    drivers: np.ndarray,
    log_turns: bool = True,
    control: np.ndarray | None = None,
) -> BatchLog:
    """Play all games of these drivers (records.DRIVER) and return the log's rows as arrays."""
    control = new_control() if control is None else control
    # The second board is for users' bots, which may write to whatever they are given.
    boards, states, workspaces = np.concatenate([board, board]), np.zeros(1, STATE), np.zeros(1, WORKSPACE)
    workspaces["pulse"] = control[THOUGHTS:].ctypes.data
    jobs = np.zeros(len(games.deals), JOB)
    jobs["deal"], jobs["rotation"] = games.deals, games.rotations
    jobs["bots"][:, :players], jobs["places"][:, :players] = games.bots, games.places
    failures = np.zeros(1, FAILURE)
    played, scale = 0, 1.0
    chunks: list[log_writer.LogBuffers] = []
    status = BUFFERS_FULL
    while status == BUFFERS_FULL:
        buffers = log_writer.LogBuffers.allocate(len(jobs) - played, players, log_turns, scale)
        fixed = (boards, states, workspaces, players, np.uint64(seed), jobs, drivers)
        status = play_games(*fixed, played, log_turns, buffers.record, control, failures)
        played += int(buffers.record[0]["game"])
        # A long game may not fit at all, so each try has more room for a game.
        scale *= GROWTH
        chunks.append(buffers)
    failure = Failure(*failures[0].item(), board, states) if status == ILLEGAL else None
    tables = {name: log_writer.join_logs([chunk.filled(name, players) for chunk in chunks]) for name in TABLES}
    return BatchLog(played, tables, failure, status == STOPPED)


@compiled
def play_games(boards, states, workspaces, players, seed, jobs, bots, first, log_turns, records, control, failures):
    """Play from `first` on until done, stopped, or buffers are full."""
    board, state, buffers = boards[0], states[0], records[0]
    for g in range(first, jobs.shape[0]):
        failures[0].game = g
        if not log_writer.has_room(buffers, players, buffers.turn, buffers.ticket):
            return BUFFERS_FULL
        job = jobs[g]
        set_up(board, state, players, seed, job.deal)
        for seat in range(players):
            enter_bot(state, seat, bots[job.bots[seat]], job.rotation, job.places[seat])
        copied = boards[FOR_GUARDED]
        status = _play_game(board, copied, workspaces[0], state, buffers, g, log_turns, control, failures[0])
        if status != DONE:
            return status
    return DONE


@compiled
def _play_game(board, copied, workspace, state, buffers, g, log_turns, control, failure):
    """Play and log one game from setup to final scoring."""
    view, players = state.mover_view, state.mover_view.players
    game, turn_row, ticket_row = buffers.game, buffers.turn, buffers.ticket
    watched = g < WATCHED_GAMES
    first_guarded = players
    for seat in range(players - 1, -1, -1):
        if state.drivers[seat].guarded:
            first_guarded = seat
    if first_guarded < players:
        copy_record(copied, board)
    log_writer.write_setup(board, state, buffers, game, game * players)
    if view.decision != ASK_TURN and not _play_turn(board, copied, workspace, state, watched, failure):
        return ILLEGAL
    ticket_row = log_writer.write_tickets(board, state, buffers, ticket_row, g)
    begin_turn(state, 0, 0)
    is_over = False
    while not is_over:
        control[AT_GAME], control[AT_TURN], control[AT_SEAT] = g, view.turn, view.seat
        # Read once a turn, between calls: inside a plain loop LLVM would hoist the load and never see a stop.
        if control[STOP_WORD] != 0:
            return STOPPED
        if not _play_turn(board, copied, workspace, state, watched, failure):
            return ILLEGAL
        finish_turn(board, state)
        # The unfinished game is played again in larger buffers: it is the same game.
        if not log_writer.has_room(buffers, players, turn_row, ticket_row):
            return BUFFERS_FULL
        ticket_row = log_writer.write_tickets(board, state, buffers, ticket_row, g)
        if log_turns:
            log_writer.write_turn(board, state, buffers, turn_row, g)
            turn_row += 1
        is_over = go_on(board, state)
    if first_guarded < players and not are_same(copied, board):
        failure.turn, failure.seat, failure.decision, failure.answer = view.turn, first_guarded, GAME_OVER, SPOILED
        return ILLEGAL
    log_writer.write_game(board, state, buffers, game, g)
    for seat in range(players):
        log_writer.write_seat(board, state, buffers, game * players + seat, g, seat)
        log_writer.write_completed(board, state, buffers, buffers.ticket, seat)
    # Only now does the game count: a stop or full buffers before leave no part of it.
    buffers.game, buffers.turn, buffers.ticket = game + 1, turn_row, ticket_row
    return DONE


@compiled
def _play_turn(board, copied, workspace, state, watched, failure):
    """Play one turn, or setup. False: an answer was refused."""
    view = state.mover_view
    is_over = False
    while not is_over:
        show_own(state)
        answer = pass_turn() if must_pass(board, state) else _ask(board, copied, workspace, state, watched)
        if why_not(board, view, answer) != FINE:
            failure.turn, failure.seat, failure.decision, failure.answer = view.turn, view.seat, view.decision, answer
            return False
        is_over = apply(board, state, answer)
    return True


@compiled
def _ask(board, copied, workspace, state, watched):
    """Get the bot's answer.

    A guarded bot sees copies, so that it can spoil nothing. A searching one sees a world of its own.
    """
    view, driver = state.mover_view, state.drivers[state.mover_view.seat]
    memory = state.seats[view.seat]
    if driver.guarded:
        copy_record(state.view_copy, view)
        answer = call_bot(driver.address, copied, state.view_copy, memory)
        if watched and not (are_same(copied, board) and are_same(state.view_copy, view)):
            answer = SPOILED
    elif driver.searches:
        prepare_world(board, state, workspace.world)
        answer = call_bot(driver.address, board, workspace.world.mover_view, memory)
    else:
        answer = call_bot(driver.address, board, view, memory)
    return default_answer(board, view) if answer == DEFAULT else answer

"""A batch: many games in one compiled call that fills preallocated buffers of the log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ttr_sim.engine.log_buffers import LogBuffers, TableLog, join_logs
from ttr_sim.engine.play import BOT, BUFFERS_FULL, FAILURE, ILLEGAL, JOB, N_CONTROL, STOPPED, THOUGHTS, play_games
from ttr_sim.engine.records import new_state, new_workspace
from ttr_sim.log import TABLES

GROWTH = 1.5  # of the room for a game, each time the buffers were too small


class Games(NamedTuple):
    """Games to play, a row each, with bots (rows of the BotTable) and places in the lineup by seat."""

    deals: np.ndarray
    rotations: np.ndarray
    bots: np.ndarray
    places: np.ndarray


class BotTable(NamedTuple):
    """Bots: addresses of code, parameters, and whether each publishes wants, is guarded, searches."""

    addresses: np.ndarray
    parameters: np.ndarray
    plans: np.ndarray
    guarded: np.ndarray
    searches: np.ndarray


class Failure(NamedTuple):
    """An answer that the rules refuse (or bot_abi.RAISED), with the game of the batch and the position."""

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
    tables: dict[str, TableLog]
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
    bots: BotTable,
    log_turns: bool = True,
    control: np.ndarray | None = None,
) -> BatchLog:
    """Play all games and return the log's rows as arrays."""
    control = new_control() if control is None else control
    # The second board is for users' bots, which may write to whatever they are given.
    boards, states, workspaces = np.concatenate([board, board]), new_state(), new_workspace()
    workspaces["pulse"] = control[THOUGHTS:].ctypes.data
    jobs = np.zeros(len(games.deals), JOB)
    jobs["deal"], jobs["rotation"] = games.deals, games.rotations
    jobs["bots"][:, :players], jobs["places"][:, :players] = games.bots, games.places
    table, failures = bot_records(bots), np.zeros(1, FAILURE)
    played, scale = 0, 1.0
    chunks: list[LogBuffers] = []
    status = BUFFERS_FULL
    while status == BUFFERS_FULL:
        buffers = LogBuffers.allocate(len(jobs) - played, players, log_turns, scale)
        fixed = (boards, states, workspaces, players, np.uint64(seed), jobs, table)
        status = play_games(*fixed, played, log_turns, buffers.record, control, failures)
        played += int(buffers.record[0]["game"])
        # A long game may not fit at all, so each try has more room for a game.
        scale *= GROWTH
        chunks.append(buffers)
    failure = None
    if status == ILLEGAL:
        game, turn, seat, decision, answer = (int(number) for number in failures[0])
        failure = Failure(game, turn, seat, decision, answer, board, states)
    tables = {name: join_logs([chunk.filled(name, players) for chunk in chunks]) for name in TABLES}
    return BatchLog(played, tables, failure, status == STOPPED)


def bot_records(bots: BotTable) -> np.ndarray:
    records = np.zeros(len(bots.addresses), BOT)
    records["address"], records["parameters"] = bots.addresses, bots.parameters
    records["plans"], records["guarded"], records["searches"] = bots.plans, bots.guarded, bots.searches
    return records

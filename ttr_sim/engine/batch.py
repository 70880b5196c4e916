"""A batch: many games in one compiled call that fills preallocated pages of the log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ttr_sim.engine.pages import Pages, TableLog, join_pages, new_pages
from ttr_sim.engine.play import BOT, FAILURE, ILLEGAL, JOB, N_CONTROL, PAGES_FULL, STOPPED, THOUGHTS, play_games
from ttr_sim.engine.records import new_state, new_workspace

GROWTH = 1.5  # of the room for a game, each time the pages were too small


class Games(NamedTuple):
    """What is played: a row a game; bots (rows of the BotTable) and places in the lineup, by seat."""

    deals: np.ndarray
    rotations: np.ndarray
    bots: np.ndarray
    places: np.ndarray


class BotTable(NamedTuple):
    """Who plays: addresses of code, parameters; whether it publishes wants, is guarded, searches."""

    addresses: np.ndarray
    parameters: np.ndarray
    plans: np.ndarray
    guarded: np.ndarray
    searches: np.ndarray


class Failure(NamedTuple):
    """An answer that the rules refuse (or calls.RAISED): which game of the batch, and the position it was given in."""

    game: int
    turn: int
    seat: int
    decision: int
    answer: int
    board: np.ndarray
    state: np.ndarray


@dataclass(frozen=True)
class BatchLog:
    """Games played from the first on; fewer than asked when stopped or failed."""

    games: int
    tables: dict[str, TableLog]
    failure: Failure | None
    stopped: bool


def new_control() -> np.ndarray:
    """Return [stop word, game, turn, seat, thoughts]: set the first to stop, read the others as the heartbeat."""
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
    records, failures = (np.concatenate([board, board]), new_state(), new_workspace()), np.zeros(1, FAILURE)
    records[2]["pulse"] = control[THOUGHTS:].ctypes.data
    jobs, table = _jobs(games, players), bot_records(bots)
    played, scale = 0, 1.0
    chunks: list[Pages] = []
    status = PAGES_FULL
    while status == PAGES_FULL:
        pages = new_pages(len(jobs) - played, players, log_turns, scale)
        status = play_games(
            *records, players, np.uint64(seed), jobs, table, played, log_turns, pages.book, control, failures
        )
        played += int(pages.book[0]["game"])
        scale *= GROWTH
        chunks.append(pages)
    failure = _failure(failures[0], board, records[1]) if status == ILLEGAL else None
    return BatchLog(played, join_pages(chunks, players), failure, status == STOPPED)


def _failure(noted: Any, board: np.ndarray, state: np.ndarray) -> Failure:
    game, turn, seat, decision, answer = (int(number) for number in noted)
    return Failure(game, turn, seat, decision, answer, board, state)


def _jobs(games: Games, players: int) -> np.ndarray:
    jobs = np.zeros(len(games.deals), JOB)
    jobs["deal"], jobs["rotation"] = games.deals, games.rotations
    jobs["bots"][:, :players], jobs["places"][:, :players] = games.bots, games.places
    return jobs


def bot_records(bots: BotTable) -> np.ndarray:
    records = np.zeros(len(bots.addresses), BOT)
    records["address"], records["parameters"] = bots.addresses, bots.parameters
    records["plans"], records["guarded"], records["searches"] = bots.plans, bots.guarded, bots.searches
    return records

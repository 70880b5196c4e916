"""Speed of the engine with the `random` bot on one core: every edition and player count."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median

import numpy as np
from measure import Row, interleaved, median_ratio

from ttr_sim.bots import load_bots
from ttr_sim.edition import load_edition, official_names
from ttr_sim.engine.batch import BatchLog, Games, play_batch
from ttr_sim.engine.board import compile_board

ROUNDS, QUICK_ROUNDS = 7, 3
GAMES, QUICK_GAMES = 2000, 300


def measure(quick: bool) -> list[Row]:
    games, rounds = (QUICK_GAMES, QUICK_ROUNDS) if quick else (GAMES, ROUNDS)
    cases: dict[tuple[str, int, bool], Callable[[], BatchLog]] = {}
    turns: dict[tuple[str, int], int] = {}
    for name in official_names():
        fewest, most = load_edition(name).players
        for players in range(fewest, most + 1):
            for logged in (False, True):
                cases[name, players, logged] = batch(name, players, games, logged)
            turns[name, players] = cases[name, players, True]().tables["turns"].numbers.shape[1]
    seconds = interleaved(cases, rounds)
    return [
        _row(name, players, games, n_turns, seconds[name, players, False], seconds[name, players, True])
        for (name, players), n_turns in turns.items()
    ]


def batch(name: str, players: int, games: int, logged: bool) -> Callable[[], BatchLog]:
    """A call that plays these games; everything but the games is made once."""
    edition = load_edition(name)
    board = compile_board(edition)
    bots = load_bots(["random"], edition, board).table
    places = np.tile(np.arange(players), (games, 1))
    plan = Games(np.arange(games), np.zeros(games, np.int64), np.zeros_like(places), places)
    return lambda: play_batch(board, players, 1, plan, bots, logged)


def _row(name: str, players: int, games: int, turns: int, off: list[float], on: list[float]) -> Row:
    return {
        "edition": name,
        "players": players,
        "games_per_second": games / median(off),
        "turns_per_second": turns / median(off),
        "games_per_second_logged": games / median(on),
        "logged_to_unlogged": median_ratio(on, off),
        "turns_per_game": turns / games,
    }

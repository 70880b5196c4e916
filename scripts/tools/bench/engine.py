"""Speed of the engine on one core, every edition and player count: with `random`, and with a bot that thinks."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median

import numpy as np

from scripts.tools.bench.measure import Row, interleaved, median_ratio
from ttr_sim.bots import load_bots
from ttr_sim.edition import load_edition, official_names
from ttr_sim.engine.batch import BatchLog, Games, play_batch
from ttr_sim.engine.board import compile_board

ROUNDS, QUICK_ROUNDS = 7, 3
GAMES = {"random": 2000, "planner": 200}
QUICK_SHARE = 0.15

Case = tuple[str, str, int]  # bot, edition, players


def measure(quick: bool) -> list[Row]:
    share, rounds = (QUICK_SHARE, QUICK_ROUNDS) if quick else (1, ROUNDS)
    calls: dict[tuple[Case, bool], Callable[[], BatchLog]] = {}
    for bot, games in GAMES.items():
        for name in official_names():
            fewest, most = load_edition(name).players
            for players in range(fewest, most + 1):
                for logged in (False, True):
                    calls[(bot, name, players), logged] = batch(name, players, int(games * share), logged, bot)
    turns = {case: _turns(call()) for (case, logged), call in calls.items() if logged}
    seconds = interleaved(calls, rounds)
    return [
        _row(case, int(GAMES[case[0]] * share), n_turns, seconds[case, False], seconds[case, True])
        for case, n_turns in turns.items()
    ]


def _turns(log: BatchLog) -> int:
    return len(log.tables["turns"].numbers[0])


def batch(name: str, players: int, games: int, logged: bool, bot: str) -> Callable[[], BatchLog]:
    """A call that plays these games; everything but the games is made once."""
    edition = load_edition(name)
    board = compile_board(edition)
    bots = load_bots([bot], edition).table
    places = np.tile(np.arange(players), (games, 1))
    plan = Games(np.arange(games), np.zeros(games, np.int64), np.zeros_like(places), places)
    return lambda: play_batch(board, players, 1, plan, bots, logged)


def _row(case: Case, games: int, turns: int, off: list[float], on: list[float]) -> Row:
    bot, name, players = case
    return {
        "bot": bot,
        "edition": name,
        "players": players,
        "games_per_second": games / median(off),
        "turns_per_second": turns / median(off),
        "games_per_second_logged": games / median(on),
        "logged_to_unlogged": median_ratio(on, off),
        "turns_per_game": turns / games,
    }

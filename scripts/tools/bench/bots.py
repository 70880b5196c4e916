"""How strong and how fast the bots are: one against the others, in every seat on the same deals."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cache

import numpy as np

from scripts.tools.bench.measure import Row
from ttr_sim.bots import FAST_STYLES, load_bots
from ttr_sim.edition import load_edition, official_names
from ttr_sim.engine.batch import BatchLog, Games, play_batch
from ttr_sim.engine.board import compile_board
from ttr_sim.log import index_of

STRONGEST = "planner"
SEARCH, SEARCH_BLOCKS = "search:budget=8", 5  # shows that it works, not how strong it is
BLOCKS, QUICK_BLOCKS = 1000, 100
CERTAINTY = 1.96  # standard errors to each side of a 95 % interval


def measure(quick: bool) -> list[Row]:
    """At every table: one planner among others of one style, one of each style among planners, a few games of one
    that searches, each by itself."""
    blocks = QUICK_BLOCKS if quick else BLOCKS
    others = [style for style in FAST_STYLES if style != STRONGEST]
    tables = [(name, players) for name in official_names() for players in player_counts(name)]
    rows = [among(name, players, STRONGEST, other, blocks) for name, players in tables for other in others]
    larger = [(name, players) for name, players in tables if players > 2]
    rows += [among(name, players, other, STRONGEST, blocks) for name, players in larger for other in others]
    rows += [among(name, 2, SEARCH, STRONGEST, SEARCH_BLOCKS) for name in official_names()]
    return rows + [_mirror(name, players, style, blocks) for name, players in tables for style in FAST_STYLES]


def player_counts(name: str) -> range:
    fewest, most = load_edition(name).players
    return range(fewest, most + 1)


@dataclass(frozen=True, slots=True)
class Played:
    """One bot among others of one style, in every seat of each deal: its wins by deal, the scores of each game by seat,
    which of them are the bot's, and the CPU seconds it took."""

    wins: np.ndarray
    scores: np.ndarray
    is_bot: np.ndarray
    seconds: float


def play_among(name: str, players: int, bot: str, others: str, deals: range, seed: int = 1) -> Played:
    log, seconds = _play(name, (bot, *[others] * (players - 1)), deals, seed)
    rank, place, score = (_of_seats(log, column).reshape(-1, players) for column in ("rank", "bot", "score"))
    won = ((rank == 1) & (place == 0)).sum(1) / (rank == 1).sum(1)
    return Played(won.reshape(len(deals), -1).sum(1), score, place == 0, seconds)


def among(name: str, players: int, bot: str, others: str, blocks: int) -> Row:
    """Play one bot among others of one style, in every seat on the same deals."""
    played = play_among(name, players, bot, others, range(blocks))
    by_block = played.wins / players
    error = CERTAINTY * by_block.std(ddof=1) / blocks**0.5
    return {
        "edition": name,
        "players": players,
        "bot": bot,
        "against": others,
        "blocks": blocks,
        "win_share": float(by_block.mean()),
        "low": float(by_block.mean() - error),
        "high": float(by_block.mean() + error),
        "fair": 1.0 / players,
        "score": float(played.scores[played.is_bot].mean()),
        "their_score": float(played.scores[~played.is_bot].mean()),
        "games_per_second": len(played.scores) / played.seconds,
    }


def _mirror(name: str, players: int, style: str, blocks: int) -> Row:
    log, seconds = _play(name, (style,) * players, range(blocks))
    rank, score = _of_seats(log, "rank"), _of_seats(log, "score")
    return {
        "edition": name,
        "players": players,
        "bot": style,
        "against": "itself",
        "blocks": blocks,
        "score": float(score.mean()),
        "winners_score": float(score[rank == 1].mean()),
        "games_per_second": len(rank) / players / seconds,
    }


def _play(name: str, lineup: tuple[str, ...], deals: range, seed: int = 1) -> tuple[BatchLog, float]:
    """Every distinct rotation on each deal, without a log of turns; and the CPU seconds it took."""
    edition, board = load_edition(name), _board(name)
    distinct = list(dict.fromkeys(lineup))
    bots = load_bots(distinct, edition).table
    players, rotations = len(lineup), len(lineup) if len(distinct) > 1 else 1
    turned = (np.arange(players)[None, :] + np.arange(rotations)[:, None]) % players
    seats = np.array([distinct.index(style) for style in lineup])[turned]
    games = Games(
        np.repeat(np.array(deals), rotations),
        np.tile(np.arange(rotations), len(deals)),
        np.tile(seats, (len(deals), 1)),
        np.tile(turned, (len(deals), 1)),
    )
    start = time.process_time()
    log = play_batch(board, players, seed, games, bots, log_turns=False)
    assert log.failure is None, log.failure
    return log, time.process_time() - start


@cache
def _board(name: str) -> np.ndarray:
    return compile_board(load_edition(name))


def _of_seats(log: BatchLog, column: str) -> np.ndarray:
    values: np.ndarray = log.tables["seats"].numbers[index_of("seats", column)]
    return values

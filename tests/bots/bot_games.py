"""Games for the bots' tests: batches by spec strings, and counts of what was done in them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from ttr_sim.bots import LoadedBots, load_bots
from ttr_sim.bots.plain_bots import describe_failure
from ttr_sim.edition import load_edition
from ttr_sim.engine.board import compile_board
from ttr_sim.engine.play import BatchLog, Games, new_control, play_batch
from ttr_sim.log import ACTION_NAMES, index_of

DOCUMENT = Path(__file__).parents[2] / "docs" / "bots.md"
EDITIONS = ("usa", "europe", "germany", "amsterdam", "first_journey")
SMALL_BOARDS = ("amsterdam", "first_journey")
SEARCHED_EDITIONS = [  # a searching game on a large board takes seconds
    pytest.param(edition, marks=() if edition in SMALL_BOARDS else pytest.mark.slow) for edition in EDITIONS
]

edition_of = cache(load_edition)


@cache
def board_of(name: str) -> np.ndarray:
    return compile_board(edition_of(name))


def load(specs: Sequence[str], edition: str = "usa") -> LoadedBots:
    return load_bots(specs, edition_of(edition))


def play(specs: Sequence[str], edition: str = "usa", blocks: int = 10, seed: int = 1) -> BatchLog:
    """All rotations of a lineup on so many deals."""
    return play_loaded(load(specs, edition), edition, blocks, seed)


def play_loaded(bots: LoadedBots, edition: str, blocks: int, seed: int = 1) -> BatchLog:
    return play_on(board_of(edition), bots, blocks, seed)


def play_on(board: np.ndarray, bots: LoadedBots, blocks: int, seed: int = 1) -> BatchLog:
    players = len(bots.specs)
    turned = (np.arange(players)[None, :] + np.arange(players)[:, None]) % players
    seats = np.tile(turned, (blocks, 1))
    games = Games(np.repeat(np.arange(blocks), players), np.tile(np.arange(players), blocks), seats, seats)
    return play_batch(board, players, seed, games, bots.table, True, new_control())


def win_share(log: BatchLog, bot: int) -> float:
    """Mean over the seats of this place in the lineup."""
    game, its_bot, rank = (column(log, "seats", name) for name in ("game", "bot", "rank"))
    winners = np.bincount(game, weights=rank == 1)
    shares = np.where(rank == 1, 1.0 / winners[game], 0.0)
    return float(shares[its_bot == bot].mean())


def actions(log: BatchLog, bot: int) -> Counter[str]:
    """What this place in the lineup did, turn by turn."""
    players = int(column(log, "games", "players")[0])
    bots = column(log, "seats", "bot").reshape(-1, players)
    done = column(log, "turns", "action")[bots[column(log, "turns", "game"), column(log, "turns", "seat")] == bot]
    return Counter(ACTION_NAMES[action] for action in done)


def column(log: BatchLog, table: str, name: str) -> np.ndarray:
    values: np.ndarray = log.tables[table].numbers[index_of(table, name)]
    return values


def example() -> str:
    """The bot of docs/bots.md."""
    found = re.search(r"```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


def write(folder: Path, text: str) -> str:
    (folder / "my_bots.py").write_text(text, encoding="utf-8")
    return str(folder / "my_bots.py")


def fail(bots: LoadedBots, edition: str = "usa") -> str:
    failure = play_loaded(bots, edition, blocks=2).failure
    assert failure is not None
    return describe_failure(bots, failure.seat, failure.answer, failure.board, failure.state)

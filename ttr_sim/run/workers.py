"""A worker: one part from plain values, played, digested and written.

It is given a plan, a folder and a part, never an address or a handle of the parent, so it may run
in a thread, in another process or, one day, on another machine that shares the folder.
"""

from __future__ import annotations

import time
from base64 import b64encode
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ttr_sim.edition import load_edition
from ttr_sim.edition.model import Edition
from ttr_sim.errors import UserError
from ttr_sim.run.controls import CONTROLS, GAME, Heartbeat
from ttr_sim.run.digest import Ints, block_digests, cuts_between
from ttr_sim.run.folder import RunFolder
from ttr_sim.run.lineups import Seating, distinct_bots, seat_blocks
from ttr_sim.run.parts import Part
from ttr_sim.run.plan import FULL, Plan
from ttr_sim.run.sealed import write_sealed
from ttr_sim.run.tables import Entries, Words, arrow_table, entries_by_table, log_cells

if TYPE_CHECKING:
    from ttr_sim.bots import LoadedBots
    from ttr_sim.engine.batch import Failure


@dataclass(frozen=True, slots=True)
class Played:
    """A part on disk. Times are the clock's, comparable between processes of one machine."""

    number: int
    games: int
    started: float
    ended: float
    bytes: int


@dataclass(frozen=True, slots=True)
class Stopped:
    """A part given up, and why when it was not the user's wish."""

    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """All that the games of a plan are played with."""

    edition: Edition
    board: np.ndarray
    bots: LoadedBots


def play_part(plan: Plan, folder: Path, part: Part) -> Played | Stopped:
    """Troubles come back as values: an exception would make joblib cut off the other workers."""
    if CONTROLS.stopping:
        return Stopped()
    try:
        return _play_and_write(plan, RunFolder(folder), part)
    except UserError as error:
        return Stopped(str(error))
    except OSError as error:
        return Stopped(str(RunFolder(folder).trouble(error)))


def _play_and_write(plan: Plan, folder: RunFolder, part: Part) -> Played | Stopped:
    started = time.time()
    at = set_table(plan, folder.path)
    with CONTROLS.of_this_thread(part) as control:
        entries = play(plan, at, part, control)
        if entries is None:
            return Stopped()
        control[GAME] = part.games  # all behind us, while they are written
        size = _write(plan, folder, part, entries, Words.of(distinct_bots(plan), at.edition))
    return Played(part.number, part.games, started, time.time(), size)


def _write(plan: Plan, folder: RunFolder, part: Part, entries: dict[str, Entries], words: Words) -> int:
    """Returns the number of bytes."""
    starts = first_games(entries["games"].host_ids("game"), entries["games"].host_ids("block"))
    size = 0
    for table in plan.tables:
        cuts = cuts_between(entries[table].host_ids("game"), starts)
        metadata = _metadata(plan, part, table, block_digests(log_cells(entries[table], words), cuts))
        size += write_sealed(arrow_table(table, entries[table], words), folder.file(table, part.number), metadata)
    return size


def play(plan: Plan, at: Table, part: Part, control: NDArray[np.int64]) -> dict[str, Entries] | None:
    """The part's rows; None when told to stop."""
    from ttr_sim.engine.batch import Games, play_batch

    seating = seat_blocks(plan, part.first_block, part.blocks)
    games = Games(seating.deals, seating.rotations, seating.bots, seating.places)
    log = play_batch(at.board, plan.players, plan.seed, games, at.bots.table, plan.log == FULL, control)
    if log.stopped:
        return None
    if log.failure is not None:
        raise UserError(_describe_failure(log.failure, at.bots, part, seating))
    return entries_by_table(log, part, seating)


@lru_cache(maxsize=4)
def set_table(plan: Plan, folder: Path) -> Table:
    """Once a process; the parent does it first, so that kernels are compiled once."""
    from ttr_sim.bots import load_bots
    from ttr_sim.engine.board import compile_board

    at = RunFolder(folder)
    edition = load_edition(at.edition)
    board = compile_board(edition)
    return Table(edition, board, load_bots(distinct_bots(plan), edition, at.bots))


def warm_up(table: Table, plan: Plan) -> None:
    """One quick game, so that the kernels are there before any worker wants them."""
    from ttr_sim.bots import load_bots
    from ttr_sim.engine.batch import Games, play_batch

    zeros = np.zeros((1, plan.players), np.int64)
    games = Games(zeros[0, :1], zeros[0, :1], zeros, np.arange(plan.players)[None, :])
    quick = load_bots(("random",), table.edition).table
    play_batch(table.board, plan.players, plan.seed, games, quick, plan.log == FULL, np.zeros(4, np.int64))


def first_games(games: Ints, blocks: Ints) -> Ints:
    """The first game of each block."""
    return games[np.flatnonzero(np.diff(blocks, prepend=-1))]


def _metadata(plan: Plan, part: Part, table: str, digests: list[bytes]) -> dict[str, str]:
    return {
        "plan": plan.hash,
        "table": table,
        "part": str(part.number),
        "first_block": str(part.first_block),
        "first_game": str(part.first_game),
        "games": str(part.games),
        "block_digests": b64encode(b"".join(digests)).decode(),
    }


def describe_hang(plan: Plan, at: Heartbeat) -> str:
    """A bot that never answers, in words."""
    seating = seat_blocks(plan, at.part.first_block, at.part.blocks)
    bot = distinct_bots(plan)[seating.bots[at.game, at.seat]]
    where = _place(at.part.first_game + at.game, at.turn, at.seat)
    return f"{where}: {bot} has not finished its turn in a minute; finished parts are kept"


def _describe_failure(failure: Failure, bots: LoadedBots, part: Part, seating: Seating) -> str:
    from ttr_sim.bots.calling import describe_failure

    bot = int(seating.bots[failure.game, failure.seat])
    where = _place(part.first_game + failure.game, failure.turn, failure.seat)
    return f"{where}: {describe_failure(bots, bot, failure.decision, failure.answer)}; finished parts are kept"


def _place(game: int, turn: int, seat: int) -> str:
    return f"game {game}, turn {turn}, seat {seat}"

"""Playing boards side by side: the same deals on each, kept on disk until the search is over."""

from __future__ import annotations

import hashlib
import shutil
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from ttr_sim.balance.edits import Edit, edited
from ttr_sim.balance.measure import MeasuredBoard, measure_board
from ttr_sim.edition.model import Edition, Targets
from ttr_sim.run.backends import Workers
from ttr_sim.run.control import Silence, Watch
from ttr_sim.run.fields import RIVAL_BOTS, STRONG_BOT
from ttr_sim.run.opened import Run
from ttr_sim.run.plan import MAX_SEED, Request, make_plans
from ttr_sim.run.play import play_plan

STRONG = (STRONG_BOT,)
RIVALS = RIVAL_BOTS
SMALL_PART = 500  # so that all workers share in a run of few games


@dataclass(frozen=True, slots=True)
class Sample:
    """Which deals are played by whom; games are for each player count."""

    games: int
    seed: int
    bots: tuple[str, ...] = STRONG


@dataclass
class Bench:
    """Plays the original with edits. What was played once is there when the same command runs again."""

    original: Edition
    wanted: Targets
    players: tuple[int, ...]
    home: Path
    workers: Workers
    watch: Watch
    command: str
    boards: int = 0  # played so far
    ahead: int = 0  # at most to be played yet
    began: float = field(default_factory=time.monotonic)

    def board(self, edits: Iterable[Edit], sample: Sample, what: str) -> MeasuredBoard:
        """Play the board with these edits and measure its targets, of the strong player's seats."""
        chosen = tuple(sorted(edits))
        return measure_board(chosen, self.play(chosen, sample, what), self.wanted, STRONG)

    def play(self, edits: tuple[Edit, ...], sample: Sample, what: str) -> tuple[Run, ...]:
        edition = edited(self.original, edits, self.home / "boards" / _hash(edits)) if edits else self.original
        self.watch.note(f"{what}{self._time_left()}")
        request = Request(edition, self.players, sample.bots, sample.games, sample.seed, part_size=SMALL_PART)
        # Silent on bots that were tuned for another board: the edited ones play with the values of the original.
        plans = make_plans(request, Silence())
        folders = [self.home / f"{plan.players}p-{plan.hash[:12]}" for plan in plans]
        runs = tuple(
            play_plan(request, plan, folder, self.workers, self.watch, self.command)
            for plan, folder in zip(plans, folders, strict=True)
        )
        self.boards, self.ahead = self.boards + 1, max(self.ahead - 1, 0)
        return runs

    def clear(self) -> None:
        """Remove what was played."""
        shutil.rmtree(self.home, ignore_errors=True)

    def _time_left(self) -> str:
        if not self.boards or not self.ahead:
            return ""
        minutes = (time.monotonic() - self.began) / self.boards * self.ahead / 60
        return f" (about {minutes:.0f} min left)" if minutes >= 1 else " (less than a minute left)"


def derived_seed(seed: int, purpose: str) -> int:
    """Return the seed of deals that this seed's own do not share."""
    return int.from_bytes(hashlib.sha256(f"{purpose} {seed}".encode()).digest()[:8], "big") % MAX_SEED


def _hash(edits: tuple[Edit, ...]) -> str:
    return hashlib.sha256(repr(edits).encode()).hexdigest()[:12]

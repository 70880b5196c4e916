"""Playing boards side by side: the same deals on each, kept on disk until the search is over."""

from __future__ import annotations

import hashlib
import re
import shutil
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ttr_sim.balance.edits import Edit, edited
from ttr_sim.balance.measure import MeasuredBoard, measure_board
from ttr_sim.edition.model import Edition, Targets
from ttr_sim.run.backends import Workers
from ttr_sim.run.control import Silence, Watch
from ttr_sim.run.fields import STRONG_BOT, variants
from ttr_sim.run.opened import Run
from ttr_sim.run.plan import MAX_SEED, RESULTS, SMALL_PART, Request, make_plans
from ttr_sim.run.play import play_plan

STRONG_BOTS = (STRONG_BOT,)
BOARDS = "boards"  # the folder of the edited ones
RUN_NAME = re.compile(r"\d+p-[0-9a-f]{12}")
GAMES_FOR_A_DEAL = 80  # each style plays one deal, in every seat, for so many games of the strong players


@dataclass(frozen=True, slots=True)
class Sample:
    """Which deals are played by whom; games are for each player count."""

    games: int
    seed: int
    bots: tuple[str, ...] = STRONG_BOTS
    part_size: int | None = SMALL_PART


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
        return measure_board(chosen, self.play(chosen, sample, what), self.wanted, STRONG_BOTS)

    def board_with_styles(self, edits: tuple[Edit, ...], sample: Sample, what: str) -> MeasuredBoard:
        """Do the same, and measure what one seat wins that plays differently."""
        runs = self.play(edits, sample, what)
        styles = self.play_styles(edits, sample, f"{what}, with one player of another style")
        return measure_board(edits, runs, self.wanted, STRONG_BOTS, styles)

    def play(
        self, edits: tuple[Edit, ...], sample: Sample, what: str, players: tuple[int, ...] | None = None
    ) -> tuple[Run, ...]:
        """Play the board with these edits, by default at all player counts."""
        edition = self._begun(edits, what)
        request = Request(
            edition, players or self.players, sample.bots, sample.games, sample.seed, part_size=sample.part_size
        )
        runs = tuple(self._runs(request))
        self._end()
        return runs

    def play_styles(self, edits: tuple[Edit, ...], sample: Sample, what: str) -> tuple[Run, ...]:
        """Play each style in one seat among strong players, on fewer deals than these."""
        edition = self._begun(edits, what)
        deals = -(-sample.games // GAMES_FOR_A_DEAL)
        runs: list[Run] = []
        for players in self.players:
            for bot in variants(edition).values():
                lineup = (bot, *STRONG_BOTS * (players - 1))
                runs += self._runs(
                    Request(edition, (players,), lineup, deals * players, sample.seed, RESULTS, part_size=SMALL_PART)
                )
        self._end()
        return tuple(runs)

    def _begun(self, edits: tuple[Edit, ...], what: str) -> Edition:
        self.watch.note(f"{what}{self._time_left()}")
        return edited(self.original, edits, self.home / BOARDS / _hash(edits)) if edits else self.original

    def _runs(self, request: Request) -> Iterator[Run]:
        # Silent on bots that were tuned for another board: the edited ones play with the values of the original.
        for plan in make_plans(request, Silence()):
            folder = self.home / f"{plan.players}p-{plan.hash[:12]}"
            yield play_plan(request, plan, folder, self.workers, self.watch, self.command)

    def _end(self) -> None:
        self.boards, self.ahead = self.boards + 1, max(self.ahead - 1, 0)

    def clear(self) -> None:
        """Remove what was played."""
        shutil.rmtree(self.home, ignore_errors=True)

    def _time_left(self) -> str:
        if not self.boards or not self.ahead:
            return ""
        minutes = (time.monotonic() - self.began) / self.boards * self.ahead / 60
        return f" (about {minutes:.0f} min left)" if minutes >= 1 else " (less than a minute left)"


def holds_something_else(home: Path) -> bool:
    """Return whether there is anything but what a bench keeps, so that nothing of the user's is removed with it."""
    if not home.is_dir():
        return home.exists()
    names = {entry.name for entry in home.iterdir() if not entry.name.startswith(".")}
    return any(name != BOARDS and not RUN_NAME.fullmatch(name) for name in names)


def derived_seed(seed: int, purpose: str) -> int:
    """Return the seed of deals that this seed's own do not share."""
    return int.from_bytes(hashlib.sha256(f"{purpose} {seed}".encode()).digest()[:8], "big") % MAX_SEED


def _hash(edits: tuple[Edit, ...]) -> str:
    return hashlib.sha256(repr(edits).encode()).hexdigest()[:12]

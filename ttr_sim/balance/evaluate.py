"""Play edited boards on shared deals and measure targets."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from ttr_sim.analysis import routes, tickets
from ttr_sim.analysis.analysis import judge
from ttr_sim.analysis.db import Database
from ttr_sim.analysis.jackknife import Estimate, derive, difference
from ttr_sim.analysis.targets import CLAIMED, FOUGHT_OVER, LOCKED_OUT, MISSED, Key, Target, beyond, route_names
from ttr_sim.analysis.tickets import Yardstick
from ttr_sim.balance.edits import Edit, edited
from ttr_sim.edition.model import Edition, Targets
from ttr_sim.run.lineups import STRONG_BOT, variants
from ttr_sim.run.plan import MAX_SEED, RESULTS, SMALL_PART, Request, make_plans
from ttr_sim.run.play import play_plan
from ttr_sim.run.read import Run
from ttr_sim.run.study import with_mixes
from ttr_sim.run.workers import ProgressListener, Workers

STRONG_BOTS = (STRONG_BOT,)
BOARDS = "boards"  # the folder of the edited ones
RUN_NAME = re.compile(r"\d+p-[0-9a-f]{12}")  # player count, and the beginning of the plan's hash
GAMES_PER_STYLE_DEAL = 80  # each style plays one deal, in every seat, for so many games of the strong players


@dataclass(frozen=True, slots=True)
class Sample:
    games: int  # for each player count
    seed: int
    bots: tuple[str, ...] = STRONG_BOTS
    part_size: int | None = SMALL_PART


@dataclass(frozen=True)
class MeasuredBoard:
    """The original with some edits, the runs played on it, and its targets as measured in them."""

    edits: tuple[Edit, ...]
    runs: tuple[Run, ...]
    targets: tuple[Target, ...]
    ticket_value: pd.DataFrame = field(repr=False, compare=False)

    @property
    def missed(self) -> list[Target]:
        return [target for target in self.targets if target.state == MISSED]

    @property
    def worst(self) -> float:
        """Distance of the worst missed target beyond its limit, relative to it."""
        return max((target.beyond for target in self.missed), default=0.0)

    @property
    def beyond(self) -> float:
        """Total distance of all targets beyond their limits, relative to each limit."""
        return sum(target.beyond for target in self.targets)

    @property
    def ticket_values(self) -> dict[int, float]:
        """Wins that each ticket gives beyond tickets as long, by row."""
        return {target.ticket: target.value for target in self.targets if target.ticket is not None}

    @property
    def missed_tickets(self) -> dict[int, float]:
        """The same of the tickets that surely miss their target."""
        return {target.ticket: target.value for target in self.missed if target.ticket is not None}


@dataclass
class Evaluator:
    """Player of edited boards that reuses runs on disk."""

    original: Edition
    wanted: Targets
    players: tuple[int, ...]
    home: Path
    workers: Workers
    watch: ProgressListener
    command: str
    yardstick: Yardstick | None = None  # of the unedited board, once that is measured
    boards: int = 0  # played so far
    ahead: int = 0  # at most to be played yet
    began: float = field(default_factory=time.monotonic)

    def evaluate(self, edits: Iterable[Edit], sample: Sample, title: str, with_styles: bool = False) -> MeasuredBoard:
        chosen = tuple(sorted(edits))
        runs = self.play(chosen, sample, title)
        styles = self.play_styles(chosen, sample, f"{title}, with one player of another style") if with_styles else ()
        return measure_board(chosen, runs, self.wanted, styles, self.yardstick)

    def play(
        self, edits: tuple[Edit, ...], sample: Sample, title: str, players: tuple[int, ...] | None = None
    ) -> tuple[Run, ...]:
        """Play the board with these edits, by default at all player counts."""
        edition, counts = self._begin(edits, title), players or self.players
        size = sample.part_size
        return self._carry_out(
            with_mixes(Request(edition, counts, sample.bots, sample.games, sample.seed, part_size=size))
        )

    def play_styles(self, edits: tuple[Edit, ...], sample: Sample, title: str) -> tuple[Run, ...]:
        """Play each style in one seat among strong players."""
        edition, deals = self._begin(edits, title), -(-sample.games // GAMES_PER_STYLE_DEAL)
        requests = []
        for players in self.players:
            for bot in variants(edition).values():
                # No edit is sought for styles, so results are enough.
                lineup, games = (bot, *STRONG_BOTS * (players - 1)), deals * players
                request = Request(edition, (players,), lineup, games, sample.seed, RESULTS, part_size=SMALL_PART)
                requests.append(request)
        return self._carry_out(requests)

    def _begin(self, edits: tuple[Edit, ...], title: str) -> Edition:
        minutes_left = ""
        if self.boards and self.ahead:
            minutes = (time.monotonic() - self.began) / self.boards * self.ahead / 60
            minutes_left = f" (about {minutes:.0f} min left)" if minutes >= 1 else " (less than a minute left)"
        self.watch.note(f"{title}{minutes_left}")
        if not edits:
            return self.original
        # Sorted, so that each board has one folder however its edits came together.
        name = hashlib.sha256(repr(tuple(sorted(edits))).encode()).hexdigest()[:12]
        return edited(self.original, edits, self.home / BOARDS / name)

    def _carry_out(self, requests: Iterable[Request]) -> tuple[Run, ...]:
        runs = []
        for request in requests:
            for plan in make_plans(request, self.watch):
                # The plan's hash finds the runs of the same board again, after an interruption or within a search.
                folder = self.home / f"{plan.players}p-{plan.hash[:12]}"
                runs.append(play_plan(request, plan, folder, self.workers, self.watch, self.command))
        self.boards, self.ahead = self.boards + 1, max(self.ahead - 1, 0)
        return tuple(runs)


def derived_seed(seed: int, purpose: str) -> int:
    return int.from_bytes(hashlib.sha256(f"{purpose} {seed}".encode()).digest()[:8], "big") % MAX_SEED


def measure_board(
    edits: Iterable[Edit],
    runs: Sequence[Run],
    wanted: Targets,
    styles: Sequence[Run] = (),
    yardstick: Yardstick | None = None,
) -> MeasuredBoard:
    """Measure the targets from the strong player's seats. In `styles` one seat plays differently."""
    targets, ticket_value = judge(runs, wanted, yardstick, STRONG_BOTS, styles)
    return MeasuredBoard(tuple(sorted(edits)), tuple(runs), tuple(targets), ticket_value)


Estimates = dict[Key, Estimate]


def estimates(runs: Sequence[Run], targets: Iterable[Target], yardstick: Yardstick | None) -> Estimates:
    """Estimate a board's targets, with groups to pair with another board's."""
    edition = runs[0].edition
    groups, names = [route.group for route in edition.routes], route_names(edition)
    others, mixes = tickets.split_mixes(runs)
    with Database(others) as games:
        excess = tickets.excess(tickets.deals_of(games, mixes), yardstick)
        claims = routes.Claims(games)
        connections, lanes = routes.measure_connections(claims), routes.measure_routes(claims)
    # By the player count where it was judged, though a target's key is the same at all counts.
    known: dict[tuple[str, str, int], tuple[Estimate, int]] = {}
    for place, (players, group) in enumerate(zip(connections.keys["players"], connections.keys["group"], strict=True)):
        for measure, column in ((CLAIMED, "claims"), (FOUGHT_OVER, "contention")):
            known[names[groups.index(group)], measure, players] = connections.estimates[column], place
    for place, (players, row) in enumerate(zip(lanes.keys["players"], lanes.keys["route"], strict=True)):
        known[names[row], LOCKED_OUT, players] = lanes.estimates["denial"], place
    found = {}
    for target in targets:
        judged = target.name, target.measure, target.players
        if target.ticket is not None:
            found[target.key] = excess.pick(np.array([target.ticket]))
        elif judged in known:
            estimate, place = known[judged]
            found[target.key] = estimate.pick(np.array([place]))
    return found


def gain(before: Estimates, after: Estimates, targets: Iterable[Target]) -> Estimate:
    """Total reduction in limit violations, relative to each limit."""
    # Deals that both boards share cancel in the groups of the jackknife, so few games show a gain.
    gains = []
    for target in targets:
        if target.key in before and target.key in after:
            old, new = (derive(partial(beyond, limit=target.limit), each[target.key]) for each in (before, after))
            gains.append(difference(old, new))
    return derive(lambda *parts: np.sum(parts, axis=0), *gains)

"""Points for missed tickets, each replayed before it is named.

Effects need not be monotone in the points, so five values are played first, then values between neighbors on either
side of the yardstick.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ttr_sim.analysis.targets import MISSED, TICKET, Target
from ttr_sim.analysis.tickets import LEAST_TICKETS, yardstick_of
from ttr_sim.balance.edits import Edit, points_of, with_points
from ttr_sim.balance.evaluate import Evaluator, MeasuredBoard, Sample
from ttr_sim.files import write_whole
from ttr_sim.run.lineups import MIXES, STRONG

if TYPE_CHECKING:
    from ttr_sim.analysis.analysis import Analysis
    from ttr_sim.run.workers import ProgressListener, Workers

REMEDIES_FILE = "remedies.json"
REPLAYS = "replays"  # folder of the games until all are played
GAMES = 3_500  # for each player count
MOST_TICKETS = 8  # the worst ones
FIRST_VALUES = 5
BEYOND_DECK = 1.5  # times the most that the deck prints
BETWEEN = 3  # values between neighbors, at most
NEAR = 0.5  # of the margin: a remedy must come as close

Tried = dict[int, tuple[Target, bool]]  # by points, with whether another target is newly missed


@dataclass(frozen=True, slots=True)
class Remedy:
    """Points for a missed ticket with its excess when replayed, or the range that was tried without success."""

    ticket: int
    tried: tuple[int, int]
    points: int | None = None
    excess: float = 0.0
    low: float = 0.0
    high: float = 0.0


@dataclass(frozen=True, slots=True)
class Remedies:
    """A remedy for each ticket, and whether all of them mend their tickets together."""

    each: tuple[Remedy, ...] = ()
    hold_together: bool = False

    def of(self, ticket: int | None) -> Remedy | None:
        return next((remedy for remedy in self.each if remedy.ticket == ticket), None)


NO_REMEDIES = Remedies()


class RemedyFinder:
    """Replays the board with other points on tickets, on the deals of its study."""

    def __init__(self, evaluator: Evaluator, targets: Sequence[Target], seed: int, edits: Sequence[Edit] = ()) -> None:
        self.evaluator, self.edition, self.edits = evaluator, evaluator.original, edits
        self.sample, self.margin = Sample(GAMES, seed), evaluator.wanted.margin / 100
        self.targets = {target.row: target for target in targets if target.measure == TICKET}
        self.missed_before = {target.key for target in targets if target.state == MISSED}

    def find(self, most: int = MOST_TICKETS) -> Remedies:
        """Search for points of the worst missed tickets. A race has none."""
        missed = [target for target in self.targets.values() if target.state == MISSED and not self.edition.is_race]
        decks = [ticket.deck for ticket in self.edition.tickets]
        alone: list[list[int]] = []
        small: dict[int, list[int]] = {}
        for target in sorted(missed, key=lambda target: (-target.beyond, target.name))[:most]:
            row = target.row or 0
            # Tickets of a small deck are tried at once, as their effects sum to zero.
            if decks.count(decks[row]) < LEAST_TICKETS:
                small.setdefault(decks[row], []).append(row)
            else:
                alone.append([row])
        remedies = [remedy for group in (*alone, *small.values()) for remedy in self.search(group)]
        helpful = {remedy.ticket: remedy.points for remedy in remedies if remedy.points is not None}
        if len(helpful) < 2:
            return Remedies(tuple(remedies), bool(helpful))
        board, spoils = self._play(helpful, "all remedies together")
        is_within = all(abs(board.ticket_values.get(ticket, 0.0)) <= self.margin for ticket in helpful)
        return Remedies(tuple(remedies), is_within and not spoils)

    def search(self, tickets: list[int]) -> list[Remedy]:
        """Find the nearest points that work for tickets of one deck."""
        deck = self.edition.tickets[tickets[0]].deck
        most = round(BEYOND_DECK * max(ticket.points for ticket in self.edition.tickets if ticket.deck == deck))
        tried: dict[int, Tried] = {ticket: {} for ticket in tickets}
        for points in np.linspace(1, most, FIRST_VALUES).round().astype(int):
            self._try(tried, {ticket: int(points) for ticket in tickets})
        for _ in range(BETWEEN):
            between = {ticket: self.next_points(ticket, found) for ticket, found in tried.items()}
            if all(points is None for points in between.values()):
                break
            # Tickets tried together stay together: one that is settled keeps the points that suit it best.
            settled = {
                ticket: min(found, key=lambda points, found=found: abs(found[points][0].value))  # type: ignore[misc]
                for ticket, found in tried.items()
            }
            self._try(tried, {ticket: points or settled[ticket] for ticket, points in between.items()})
        remedies = []
        for ticket, found in tried.items():
            remedy, printed = Remedy(ticket, (min(1, *found), most)), self.edition.tickets[ticket].points
            if near := [points for points in self.near(ticket, found) if not found[points][1]]:
                points = min(near, key=lambda points: (abs(points - printed), points))
                target, _ = found[points]
                remedy = replace(remedy, points=points, excess=target.value, low=target.low, high=target.high)
            remedies.append(remedy)
        return remedies

    def near(self, ticket: int, found: Tried) -> list[int]:
        """Points other than the printed ones that bring the ticket near the yardstick."""
        printed = self.edition.tickets[ticket].points
        within = [points for points, (target, _) in found.items() if abs(target.value) <= NEAR * self.margin]
        return [points for points in within if points != printed]

    def next_points(self, ticket: int, found: Tried) -> int | None:
        """Interpolate between the nearest neighbors of opposite sign."""
        printed = self.edition.tickets[ticket].points
        values = {points: target.value for points, (target, _) in found.items()} | {printed: self.targets[ticket].value}
        known = sorted(values)
        if near := self.near(ticket, found):
            # A smaller step is asked for, and may not spoil another target where this one does.
            nearest = min(near, key=lambda points: abs(points - printed))
            neighbor = known[known.index(nearest) + (1 if printed > nearest else -1)]
            middle = (nearest + neighbor) // 2
            return None if middle in values else middle
        crossings = [
            (abs(low + high - 2 * printed), low, high)
            for low, high in pairwise(known)
            if values[low] * values[high] < 0 and high - low > 1
        ]
        if not crossings:
            return None
        _, low, high = min(crossings)
        share = values[low] / (values[low] - values[high])
        return min(max(round(low + share * (high - low)), low + 1), high - 1)

    def _try(self, tried: dict[int, Tried], points: dict[int, int]) -> None:
        tickets = {ticket: self.edition.tickets[ticket] for ticket in points}
        names = ", ".join(f"{each.a}–{each.b} with {points[ticket]} points" for ticket, each in tickets.items())
        board, spoils = self._play(points, f"trying {names}")
        for target in board.targets:
            if target.measure == TICKET and target.row in points:
                tried[target.row][points[target.row]] = target, spoils

    def _play(self, points: dict[int, int], title: str) -> tuple[MeasuredBoard, bool]:
        """Play the board with these points, and check for newly missed targets."""
        now = points_of(self.edition, self.edits)
        for ticket, value in points.items():
            now[ticket] = value
        board = self.evaluator.evaluate(with_points(self.edition, self.edits, now), self.sample, title)
        return board, any(target.key not in self.missed_before for target in board.missed)


def replay_remedies(analysis: Analysis, workers: Workers, watch: ProgressListener, command: str) -> Remedies:
    """Search for points of a study's missed tickets, once for its games."""
    edition, verdict, runs = analysis.edition, analysis.verdict, analysis.main_runs
    missed = [target for target in verdict.of_state(MISSED) if target.measure == TICKET]
    if not missed or edition.is_race or runs[0].field != STRONG:
        return NO_REMEDIES
    folder = runs[0].path.parent
    judged = [run.record["plan_hash"] for run in analysis.runs if run.field in (STRONG, MIXES)]
    key = hashlib.sha256(repr((GAMES, edition.targets, judged)).encode()).hexdigest()
    try:
        known = json.loads((folder / REMEDIES_FILE).read_text(encoding="utf-8"))
        if known["key"] == key:
            each = tuple(Remedy(**{**remedy, "tried": tuple(remedy["tried"])}) for remedy in known["each"])
            return Remedies(each, bool(known["hold_together"]))
    except (OSError, ValueError, KeyError, TypeError):
        pass  # not searched yet, or a file of somebody else's
    home = folder / REPLAYS
    counts = tuple(sorted(run.players for run in runs))
    evaluator = Evaluator(edition, edition.targets, counts, home, workers, watch, command)
    evaluator.yardstick = yardstick_of(edition, analysis.tables["ticket_value"])
    found = RemedyFinder(evaluator, verdict.targets, runs[0].seed).find()
    content = {"key": key, "hold_together": found.hold_together, "each": [asdict(remedy) for remedy in found.each]}
    write_whole(folder / REMEDIES_FILE, json.dumps(content, indent=1).encode())
    shutil.rmtree(home, ignore_errors=True)
    return found

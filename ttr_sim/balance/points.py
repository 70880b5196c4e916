"""Points of tickets: damped secants. The log says what other points would do, a replay what they did, and each ticket's
slope is corrected by the difference."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ttr_sim.analysis.facts import ticket_facts
from ttr_sim.analysis.jackknife import Floats
from ttr_sim.balance.edits import POINTS, points_of, with_points
from ttr_sim.balance.rescoring import Rescoring
from ttr_sim.balance.targets import TICKET, ticket_name
from ttr_sim.edition.map_advice import is_far_from_path
from ttr_sim.edition.model import Edition

if TYPE_CHECKING:  # a report, which plays nothing, needs none of it
    from ttr_sim.balance.bench import Bench, Sample
    from ttr_sim.balance.measure import MeasuredBoard

ROUNDS = 3
AIM = 0.5  # of the margin: near enough, so that chance does not carry it out again
AGAIN = 0.75  # an edited ticket that a replay shows beyond this part of the margin is moved again
TRIAL = 4  # points, at least, where the log cannot say what more points would do
LEAST_STEP = 0.01  # of a win: below, what was expected says nothing about the slope
PASSES = 2  # over the tickets: the points of one move the mean of all
SLOPES = (0.5, 2.0)  # what a replay may correct a slope to, in one round


@dataclass(frozen=True)
class Mended:
    """The board after the rounds, and the rows of tickets that no points mend."""

    board: MeasuredBoard
    hopeless: frozenset[int]


def mend_tickets(bench: Bench, board: MeasuredBoard, sample: Sample, most_edits: int) -> Mended:
    """Move the points of missed tickets, replay, and correct, for a few rounds."""
    edition, margin = bench.original, bench.wanted.margin / 100
    if edition.is_race:
        return Mended(board, frozenset(_missed(edition, board)))
    slopes = np.ones(len(edition.tickets))
    hopeless: set[int] = set()
    tried: set[int] = set()
    for number in range(ROUNDS):
        rescoring = Rescoring(board.runs)
        now = points_of(edition, board.edits)
        seen, again = _seen(edition, board, rescoring, now), rescoring.excess(now)
        wrong = _wrong(board, edition, rescoring.trains, seen, margin, most_edits) - hopeless
        proposal = Proposal(rescoring, seen, again, slopes, now, margin)
        found = proposal.moved(edition, wrong, tried)
        if found.points != now and not board.edits:
            room = most_edits - sum(old != new for old, new in zip(now, found.points, strict=True))
            found = proposal.moved(edition, wrong | _worst(doubtful_tickets(board, margin), seen, room), tried)
        hopeless |= found.hopeless & wrong
        tried |= found.trials
        if found.points == now:
            break
        after = bench.board(with_points(edition, board.edits, found.points), sample, f"points, round {number + 1}")
        before, scored = again, Rescoring(after.runs).excess(found.points)
        slopes *= _correction(before, found.expected, scored, now, found.points)
        if worse := _made_worse(before, scored, now, found.points, margin):
            hopeless |= worse
            kept = [now[row] if row in worse else value for row, value in enumerate(found.points)]
            after = bench.board(with_points(edition, board.edits, kept), sample, "without points that did harm")
        board = after
    return Mended(board, frozenset(hopeless))


def doubtful_tickets(board: MeasuredBoard, margin: float) -> frozenset[int]:
    """Return the tickets that are fixed along with surely missed ones: the estimate is beyond the margin, or beyond
    what a fixed ticket is brought to and the points are far from the shortest path in the same direction."""
    edition = board.runs[0].edition
    trains = ticket_facts(edition)["trains"]
    values = {target.name: target.value for target in board.targets if target.measure == TICKET}

    def is_doubtful(row: int) -> bool:
        value, printed = values.get(ticket_name(edition, row), 0.0), edition.tickets[row].points
        is_odd = is_far_from_path(printed, trains[row]) and (value > 0) == (printed > trains[row])
        return abs(value) > (AIM * margin if is_odd else margin)

    return frozenset(row for row in range(len(edition.tickets)) if is_doubtful(row))


@dataclass(frozen=True)
class _Found:
    points: list[int]
    expected: Floats  # excess of each ticket by re-scoring alone
    hopeless: frozenset[int]
    trials: frozenset[int]


@dataclass(frozen=True)
class Proposal:
    """Looks for points by re-scoring: the ones nearest to the present that bring a ticket well within the margin."""

    rescoring: Rescoring
    seen: Floats  # excess of each ticket, from as many games as there are
    again: Floats  # the same from the games that are scored again
    slopes: Floats
    now: list[int]
    margin: float

    def moved(self, edition: Edition, rows: Collection[int], tried: Collection[int] = ()) -> _Found:
        chosen = list(self.now)
        hopeless: set[int] = set()
        trials: set[int] = set()
        for _ in range(PASSES):
            hopeless, trials = set(), set()
            for row in sorted(rows, key=lambda row: (-abs(self.seen[row]), row)):
                best, excess = self.best(edition, chosen, row)
                if abs(excess) > self.margin:
                    best = self.now[row] if row in tried else self._trial(edition, row)
                    (hopeless if best == self.now[row] else trials).add(row)
                chosen[row] = best
        return _Found(chosen, self.rescoring.excess(chosen), frozenset(hopeless), frozenset(trials))

    def _trial(self, edition: Edition, row: int) -> int:
        """Return what to try where scoring again says that no points help: with more points a ticket may be kept that
        hardly ever was, and of that the log knows nothing."""
        if self.seen[row] > 0:
            return self.now[row]
        wanted = max(self.now[row] + TRIAL, int(np.nan_to_num(self.rescoring.trains[row])))
        return max(self.now[row], min(wanted, max(ticket.points for ticket in edition.tickets)))

    def best(self, edition: Edition, chosen: list[int], row: int) -> tuple[int, float]:
        """Return the points, and the excess expected with them: the first from the present ones on that are well within
        the margin, or within it and what the shortest path takes, else the nearest to 0. They stay within what the
        edition's tickets span."""
        span = [ticket.points for ticket in edition.tickets]
        best, least = chosen[row], self._expected(chosen, row, chosen[row])
        step = -1 if least > 0 else 1
        end = max(min(span), 1) - 1 if step < 0 else max(span) + 1
        for value in range(chosen[row], end, step):
            excess = least if value == chosen[row] else self._expected(chosen, row, value)
            if abs(excess) < abs(least):
                best, least = value, excess
            near = self.margin if value == self.rescoring.trains[row] else AIM * self.margin
            if abs(excess) <= near or excess * step > 0:
                break
        return best, least

    def _expected(self, chosen: list[int], row: int, value: int) -> float:
        excess = self.rescoring.excess([*chosen[:row], value, *chosen[row + 1 :]])[row]
        return float(self.seen[row] + self.slopes[row] * (excess - self.again[row]))


def _seen(edition: Edition, board: MeasuredBoard, rescoring: Rescoring, now: list[int]) -> Floats:
    """Return the excess of each ticket: as its target has it, or from the log where it has none."""
    known = {target.name: target.value for target in board.targets if target.measure == TICKET}
    scored = rescoring.excess(now)
    return np.array([known.get(ticket_name(edition, row), scored[row]) for row in range(len(scored))])


def _missed(edition: Edition, board: MeasuredBoard) -> set[int]:
    names = {target.name for target in board.missed if target.measure == TICKET}
    return {row for row in range(len(edition.tickets)) if ticket_name(edition, row) in names}


def _wrong(
    board: MeasuredBoard, edition: Edition, trains: Floats, seen: Floats, margin: float, most_edits: int
) -> set[int]:
    """Return the tickets to move: the worst missed ones there is room for, and edited ones not well within; at what the
    shortest path takes, an edited ticket stays unless it is missed."""
    now, missed = points_of(edition, board.edits), _missed(edition, board)
    edited = {edit.row for edit in board.edits if edit.heading == POINTS}
    restless = {row for row in edited if abs(seen[row]) > AGAIN * margin and now[row] != trains[row]}
    return restless | (edited & missed) | _worst(missed - edited, seen, most_edits - len(board.edits))


def _made_worse(before: Floats, after: Floats, old: list[int], new: list[int], margin: float) -> set[int]:
    """Return the moved tickets that are farther beyond the margin for it: more points may make a hard one be kept."""
    farther = np.abs(after) > np.maximum(np.abs(before), margin) + LEAST_STEP
    return {int(row) for row in np.flatnonzero(farther & (np.array(old) != np.array(new)))}


def _worst(rows: Collection[int], seen: Floats, room: int) -> set[int]:
    return set(sorted(rows, key=lambda row: (-abs(seen[row]), row))[: max(room, 0)])


def _correction(before: Floats, expected: Floats, after: Floats, old: list[int], new: list[int]) -> Floats:
    """Return what the slope of each moved ticket turned out to be, in parts of what re-scoring expected."""
    moved = np.array(old) != np.array(new)
    moved &= np.abs(expected - before) >= LEAST_STEP
    step = np.where(moved, expected - before, 1.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        slope = np.nan_to_num((after - before) / step, nan=1.0, posinf=1.0, neginf=1.0)
    corrected: Floats = np.where(moved, np.clip(slope, *SLOPES), 1.0)
    return corrected

"""Adjust ticket points by damped secant steps.

Re-scoring predicts, playing measures, and slopes are corrected by the gap. Then the points are tried among rivals.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ttr_sim.analysis.jackknife import Floats
from ttr_sim.analysis.tickets import ticket_facts
from ttr_sim.balance.edits import POINTS, Edit, points_of, with_points
from ttr_sim.balance.rescoring import Rescoring
from ttr_sim.edition.advice import is_far_from_path
from ttr_sim.edition.model import Edition
from ttr_sim.run.lineups import RIVAL_BOTS
from ttr_sim.run.study import FEWER

if TYPE_CHECKING:  # a report plays nothing, and starts faster without the engine
    from ttr_sim.balance.evaluate import Evaluator, MeasuredBoard, Sample

ROUNDS = 3
AIM = 0.5  # of the margin: near enough, so that chance does not carry it out again
AGAIN = 0.75  # an edited ticket beyond this part of the margin is moved again
TRIAL = 4  # points, at least, where re-scoring cannot predict the effect of more points
LEAST_STEP = 0.01  # of a win: a smaller predicted step says nothing about the slope
PASSES = 2  # over the tickets: the points of one move the mean of all
SLOPES = (0.5, 2.0)  # bounds of the correction of a slope in one round


@dataclass(frozen=True)
class ProposedPoints:
    """Points of all tickets, the excess predicted for them, and tickets that need more than re-scoring."""

    points: list[int]
    expected: Floats
    hopeless: frozenset[int]
    trials: frozenset[int]


@dataclass(frozen=True)
class PointsFinder:
    """Find points predicted to bring tickets within the margin."""

    rescoring: Rescoring
    measured: Floats  # excess of each ticket, from as many games as there are
    rescored: Floats  # the same from the games that are re-scored
    slopes: Floats
    now: list[int]
    margin: float

    def propose(self, edition: Edition, rows: Collection[int], tried: Collection[int] = ()) -> ProposedPoints:
        chosen = list(self.now)
        for _ in range(PASSES):
            hopeless, trials = set[int](), set[int]()
            for row in sorted(rows, key=lambda row: (-abs(self.measured[row]), row)):
                best, excess = self.best(edition, chosen, row)
                if abs(excess) > self.margin:
                    best = self.now[row] if row in tried else self._trial(edition, row)
                    (hopeless if best == self.now[row] else trials).add(row)
                chosen[row] = best
        return ProposedPoints(chosen, self.rescoring.excess(chosen), frozenset(hopeless), frozenset(trials))

    def best(self, edition: Edition, chosen: list[int], row: int) -> tuple[int, float]:
        """Find the best points of a ticket and the excess predicted with them, within the span of the edition.

        That is the first value that is well within the margin, or within it and equal to the trains of the shortest
        path; else the one predicted nearest to 0.
        """
        # Points that no ticket of the edition has would look odd on a card.
        span = [ticket.points for ticket in edition.tickets]
        best, least = chosen[row], self._predict(chosen, row, chosen[row])
        step = -1 if least > 0 else 1
        end = max(min(span), 1) - 1 if step < 0 else max(span) + 1
        for value in range(chosen[row], end, step):
            excess = self._predict(chosen, row, value)
            if abs(excess) < abs(least):
                best, least = value, excess
            near = self.margin if value == self.rescoring.trains[row] else AIM * self.margin
            if abs(excess) <= near or excess * step > 0:
                break
        return best, least

    def _predict(self, chosen: list[int], row: int, value: int) -> float:
        excess = self.rescoring.excess([*chosen[:row], value, *chosen[row + 1 :]])[row]
        return float(self.measured[row] + self.slopes[row] * (excess - self.rescored[row]))

    def _trial(self, edition: Edition, row: int) -> int:
        """Trial points for a stingy ticket."""
        # With more points a ticket may be kept that hardly ever was, which no log shows.
        if self.measured[row] > 0:
            return self.now[row]
        wanted = max(self.now[row] + TRIAL, int(np.nan_to_num(self.rescoring.trains[row])))
        return max(self.now[row], min(wanted, max(ticket.points for ticket in edition.tickets)))


def fix_tickets(
    evaluator: Evaluator, board: MeasuredBoard, sample: Sample, most_edits: int
) -> tuple[MeasuredBoard, frozenset[int]]:
    """Move points of missed tickets over a few rounds.

    The second value is the rows of tickets that no points fix.
    """
    edition, margin = evaluator.original, evaluator.wanted.margin / 100
    if edition.is_race:
        return board, frozenset(board.missed_tickets)
    slopes = np.ones(len(edition.tickets))
    hopeless, tried = set[int](), set[int]()
    for number in range(ROUNDS):
        finder = _finder(edition, board, slopes, margin)
        wrong = _to_move(board, finder, most_edits) - hopeless
        proposed = _propose(edition, board, finder, wrong, tried, most_edits)
        hopeless |= proposed.hopeless & wrong
        tried |= proposed.trials
        if proposed.points == finder.now:
            break
        # Players react to new points, so the prediction is measured before it counts.
        edits = with_points(edition, board.edits, proposed.points)
        after = evaluator.evaluate(edits, sample, f"points, round {number + 1}")
        played = Rescoring(after.runs).excess(proposed.points)
        slopes *= slope_correction(finder.rescored, proposed.expected, played, finder.now, proposed.points)
        # Points that did harm are taken back at once: a ticket may be kept more often for them and fail.
        if worse := made_worse(finder.rescored, played, finder.now, proposed.points, margin):
            hopeless |= worse
            kept = [finder.now[row] if row in worse else value for row, value in enumerate(proposed.points)]
            edits = with_points(edition, board.edits, kept)
            after = evaluator.evaluate(edits, sample, "without points that did harm")
        board = after
    return board, frozenset(hopeless)


def _finder(edition: Edition, board: MeasuredBoard, slopes: Floats, margin: float) -> PointsFinder:
    """Score the games of a board again, from the points that it has."""
    rescoring, now = Rescoring(board.runs), points_of(edition, board.edits)
    rescored, values = rescoring.excess(now), board.ticket_values
    measured = np.array([values.get(row, excess) for row, excess in enumerate(rescored)])
    return PointsFinder(rescoring, measured, rescored, slopes, now, margin)


def _propose(
    edition: Edition,
    board: MeasuredBoard,
    finder: PointsFinder,
    wrong: set[int],
    tried: Collection[int],
    most_edits: int,
) -> ProposedPoints:
    """Propose points of wrong tickets, on an unedited board also of doubtful ones."""
    proposed = finder.propose(edition, wrong, tried)
    if proposed.points == finder.now or board.edits:
        return proposed
    # Doubtful tickets are moved along with surely missed ones, while there is room for their edits.
    room = most_edits - sum(old != new for old, new in zip(finder.now, proposed.points, strict=True))
    doubtful = _worst(doubtful_tickets(board, finder.margin), finder.measured, room)
    return finder.propose(edition, wrong | doubtful, tried)


def _to_move(board: MeasuredBoard, finder: PointsFinder, most_edits: int) -> set[int]:
    """Pick the worst missed tickets there is room for, and edited ones that are not well within the margin."""
    now, measured, trains = finder.now, finder.measured, finder.rescoring.trains
    missed = set(board.missed_tickets)
    edited = {edit.row for edit in board.edits if edit.heading == POINTS}
    # At the trains of the shortest path, the value that needs no explaining, an edited ticket stays unless missed.
    restless = {row for row in edited if abs(measured[row]) > AGAIN * finder.margin and now[row] != trains[row]}
    return restless | (edited & missed) | _worst(missed - edited, measured, most_edits - len(board.edits))


def _worst(rows: Collection[int], measured: Floats, room: int) -> set[int]:
    return set(sorted(rows, key=lambda row: (-abs(measured[row]), row))[: max(room, 0)])


def doubtful_tickets(board: MeasuredBoard, margin: float) -> frozenset[int]:
    """Find tickets whose estimate exceeds the margin, surely or not.

    Half the margin is enough where the points are also far from the shortest path, in the same direction.
    """
    edition = board.runs[0].edition
    trains = ticket_facts(edition)["trains"]
    values, doubtful = board.ticket_values, set()
    for row, ticket in enumerate(edition.tickets):
        value = values.get(row, 0.0)
        is_odd = is_far_from_path(ticket.points, trains[row]) and (value > 0) == (ticket.points > trains[row])
        if abs(value) > (AIM * margin if is_odd else margin):
            doubtful.add(row)
    return frozenset(doubtful)


def made_worse(before: Floats, after: Floats, old: list[int], new: list[int], margin: float) -> set[int]:
    """Find moved tickets that drifted farther from the margin."""
    # More points may make a hard ticket be kept, and fail.
    farther = np.abs(after) > np.maximum(np.abs(before), margin) + LEAST_STEP
    return {int(row) for row in np.flatnonzero(farther & (np.array(old) != np.array(new)))}


def slope_correction(before: Floats, expected: Floats, after: Floats, old: list[int], new: list[int]) -> Floats:
    """Ratio of the played to the predicted step of each moved ticket, within bounds."""
    moved = (np.array(old) != np.array(new)) & (np.abs(expected - before) >= LEAST_STEP)
    step = np.where(moved, expected - before, 1.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        # A ticket that moved alone has no slope to learn from, as its class moved with it.
        slope = np.nan_to_num((after - before) / step, nan=1.0, posinf=1.0, neginf=1.0)
    return np.asarray(np.where(moved, np.clip(slope, *SLOPES), 1.0))


def play_among_rivals(
    evaluator: Evaluator, edits: tuple[Edit, ...], sample: Sample, title: str
) -> MeasuredBoard | None:
    """Play the board with these edits by rivals of several styles, if any points are edited."""
    if all(edit.heading != POINTS for edit in edits):
        return None
    fewer = replace(sample, bots=RIVAL_BOTS, games=-(-sample.games // FEWER))
    return evaluator.evaluate(edits, fewer, title)


def reversed_edits(edition: Edition, board: MeasuredBoard | None) -> tuple[Edit, ...]:
    """Find edits that overshoot among rivals."""
    if board is None:
        return ()
    missed, found = board.missed_tickets, []
    for edit in board.edits:
        value = missed.get(edit.row) if edit.heading == POINTS else None
        if value is not None and (value > 0) == (int(edit.value) > edition.tickets[edit.row].points):
            found.append(edit)
    return tuple(found)


def soften(edition: Edition, board: MeasuredBoard, margin: float) -> tuple[Edit, ...]:
    """Undo overshooting edits step by step."""
    points, rescoring = points_of(edition, board.edits), Rescoring(board.runs)
    for edit in reversed_edits(edition, board):
        printed, row = edition.tickets[edit.row].points, edit.row
        back = 1 if printed > points[row] else -1
        points[row] += back
        while points[row] != printed and rescoring.excess(points)[row] * back < -margin:
            points[row] += back
    return tuple(sorted(with_points(edition, board.edits, points)))

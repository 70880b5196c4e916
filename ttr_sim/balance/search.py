"""Search for the fewest edits that meet the targets: points of tickets first, then routes, then without idle ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from ttr_sim.analysis.jackknife import Floats
from ttr_sim.analysis.tickets import ticket_facts
from ttr_sim.balance.edits import POINTS, ROUTES, Edit, describe_edit, points_of, with_points
from ttr_sim.balance.evaluate import (
    Evaluator,
    MeasuredBoard,
    Sample,
    derived_seed,
    estimates,
    gain,
    measure_board,
)
from ttr_sim.balance.points import AIM, PointsFinder, ProposedPoints, Rescoring
from ttr_sim.balance.routes import COLORS, DOUBLES, LENGTHS, Allowed, candidates, race
from ttr_sim.balance.targets import CLAIMED, FOUGHT_OVER, LOCKED_OUT, SEAT, TICKET
from ttr_sim.edition.advice import is_far_from_path
from ttr_sim.edition.model import Edition
from ttr_sim.run.lineups import RIVAL_BOTS
from ttr_sim.run.study import FEWER

TICKETS_KIND = "tickets"
KINDS = (TICKETS_KIND, LENGTHS, COLORS, DOUBLES)
GAMES = 4_000  # for each player count, at the usual margin
USUAL_MARGIN = 5.0
MOST_GAMES = 24_000
MORE = 1.1  # games beyond the number that the first look asks for
FURTHER = 3  # times the games of the sample, for a closer look at the original
FRUITLESS = 2  # races without a winner after which no other candidates are tried
ROUNDS = 3  # of moving points
AGAIN = 0.75  # an edited ticket beyond this part of the margin is moved again
LEAST_STEP = 0.01  # of a win: a smaller predicted step says nothing about the slope
SLOPES = (0.5, 2.0)  # bounds of the correction of a slope in one round

MEASURED = {
    TICKET: "wins that a ticket gives or costs beyond its class",
    CLAIMED: "connections hardly claimed",
    FOUGHT_OVER: "connections fought over",
    LOCKED_OUT: "routes that lock others out",
    SEAT: "wins of seats",
}


@dataclass(frozen=True)
class Goal:
    """Edits that are allowed, how many of them, and the seed of the deals."""

    allowed: Allowed
    most_edits: int
    seed: int


@dataclass(frozen=True)
class SearchResult:
    """The original board, the boards of 1, 2, 3 ... edits, and the rows of tickets that no points fix."""

    sample: Sample
    path: tuple[MeasuredBoard, ...]
    hopeless: frozenset[int]


def search(evaluator: Evaluator, goal: Goal) -> SearchResult:
    """Find the edits, and the path of 1, 2, 3 ... of them."""
    evaluator.ahead = ROUNDS + goal.most_edits + 5
    base, sample = first_look(evaluator, goal.seed)
    counts = Counter(MEASURED[target.measure] for target in base.missed)
    missed = ", ".join(f"{kind} {count}" for kind, count in counts.items())
    nothing = "nothing is surely missed on the board as it is"
    evaluator.watch.note(f"missed on the board as it is: {missed}" if missed else nothing)
    board, hopeless = base, frozenset[int]()
    if TICKETS_KIND in goal.allowed.kinds:
        board, hopeless = fix_tickets(evaluator, base, sample, goal.most_edits)
    board = _fix_routes(evaluator, board, sample, goal)
    board = _prune(evaluator, base, board, sample)
    # Edits of points must not go too far among rivals of several styles.
    rivals = play_among_rivals(evaluator, board.edits, sample, "the edited board among rivals")
    edits = soften(evaluator.original, rivals, evaluator.wanted.margin / 100) if rivals else board.edits
    if edits != board.edits:
        board = evaluator.evaluate(edits, sample, "without what rivals turn around")
    # The path shows a designer how much the first few edits buy.
    order = _most_useful_first(base, board)
    evaluator.ahead = len(order) + 3
    path = [base]
    for number in range(1, len(order)):
        title = f"the first {number} of {len(order)} edits"
        path.append(evaluator.evaluate(order[:number], sample, title))
    if board.edits:
        path.append(board)
    return SearchResult(sample, cut_where_fewest_missed(tuple(path)), hopeless)


def first_look(evaluator: Evaluator, seed: int) -> tuple[MeasuredBoard, Sample]:
    """Measure the original with enough games for the margin."""
    margin = evaluator.wanted.margin
    # An interval half as wide needs four times the games.
    usual = int(GAMES * (USUAL_MARGIN / margin) ** 2)
    sample = Sample(min(max(usual, GAMES), MOST_GAMES), seed)
    board = evaluator.evaluate((), sample, "the board as it is")
    tickets = [target for target in board.targets if target.measure == TICKET]
    widest = max(((target.high - target.low) / 2 for target in tickets), default=0.0)
    needed = MORE * sample.games * (widest / (margin / 200)) ** 2
    if needed > MORE * sample.games and sample.games < MOST_GAMES:
        sample = replace(sample, games=min(-(-int(needed) // 1_000) * 1_000, MOST_GAMES))
        board = evaluator.evaluate((), sample, "the board as it is, with more games")
    if any(target.met is None for target in board.targets if target.measure == TICKET):
        # Open tickets are judged by further deals too; the search itself stays with the deals of the sample.
        further = replace(sample, games=FURTHER * sample.games, seed=derived_seed(seed, "a closer look"))
        runs = (*board.runs, *evaluator.play((), further, "the board as it is, a closer look"))
        board = replace(board, targets=measure_board((), runs, evaluator.wanted).targets)
    return board, sample


def fix_tickets(
    evaluator: Evaluator, board: MeasuredBoard, sample: Sample, most_edits: int
) -> tuple[MeasuredBoard, frozenset[int]]:
    """Move points of missed tickets by damped secant steps, over a few rounds.

    The second value is the rows of tickets that no points fix.
    """
    edition, margin = evaluator.original, evaluator.wanted.margin / 100
    if edition.is_race:
        return board, frozenset(board.missed_tickets)
    slopes = np.ones(len(edition.tickets))
    hopeless, tried = set[int](), set[int]()
    for number in range(1, ROUNDS + 1):
        rescoring, now, values = Rescoring(board.runs), points_of(edition, board.edits), board.ticket_values
        measured = np.array([values.get(row, excess) for row, excess in enumerate(rescoring.excess(now))])
        finder = PointsFinder(edition, rescoring, measured, now, margin, slopes)
        proposed = _propose(board, finder, hopeless, tried, most_edits)
        hopeless |= proposed.hopeless
        tried |= proposed.trials
        if proposed.points == now:
            break
        # Players react to new points, so the prediction is measured before it counts.
        edits = with_points(edition, board.edits, proposed.points)
        board = evaluator.evaluate(edits, sample, f"points, round {number}")
        played = Rescoring(board.runs).excess(proposed.points)
        slopes *= slope_correction(finder.rescored, proposed.expected, played, now, proposed.points)
        # Points that did harm are taken back at once: a ticket may be kept more often for them and fail.
        if worse := made_worse(finder.rescored, played, now, proposed.points, margin):
            hopeless |= worse
            points = [now[row] if row in worse else value for row, value in enumerate(proposed.points)]
            edits = with_points(edition, edits, points)
            board = evaluator.evaluate(edits, sample, "without points that did harm")
    return board, frozenset(hopeless)


def _propose(
    board: MeasuredBoard, finder: PointsFinder, hopeless: set[int], tried: Collection[int], most_edits: int
) -> ProposedPoints:
    """Propose points of the worst missed tickets there is room for, and of edited ones not well within the margin."""
    now, measured, trains = finder.now, finder.measured, finder.rescoring.trains
    missed = set(board.missed_tickets)
    edited = {edit.row for edit in board.edits if edit.heading == POINTS}
    # At the trains of the shortest path, the value that needs no explaining, an edited ticket stays unless missed.
    restless = {row for row in edited if abs(measured[row]) > AGAIN * finder.margin and now[row] != trains[row]}
    wrong = restless | (edited & missed) | _worst(missed - edited, measured, most_edits - len(board.edits))
    wrong -= hopeless
    proposed = finder.propose(wrong, tried)
    if proposed.points != now and not board.edits:
        # Doubtful tickets are moved along with surely missed ones, while there is room for their edits.
        room = most_edits - sum(old != new for old, new in zip(now, proposed.points, strict=True))
        doubtful = _worst(doubtful_tickets(board, finder.margin), measured, room)
        proposed = finder.propose(wrong | doubtful, tried)
    return replace(proposed, hopeless=proposed.hopeless & wrong)


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


def _fix_routes(evaluator: Evaluator, board: MeasuredBoard, sample: Sample, goal: Goal) -> MeasuredBoard:
    """Race route edits and keep winners."""
    tried = set[Edit]()
    fruitless = 0
    while board.missed and len(board.edits) < goal.most_edits and fruitless < FRUITLESS:
        found = candidates(evaluator.original, board.missed, [*board.edits, *tried], goal.allowed)
        if not found:
            break
        evaluator.ahead = 3 * len(found) + 4
        winner = race(evaluator, board, found, sample)
        if winner is None:
            # None of them surely helps now, and none will after the next race.
            tried |= set(found)
            fruitless += 1
            continue
        tried.add(winner)
        title = describe_edit(evaluator.original, winner)
        after = evaluator.evaluate((*board.edits, winner), sample, title)
        if (len(after.missed), after.beyond) >= (len(board.missed), board.beyond):
            fruitless += 1
            continue
        board = after
        if TICKETS_KIND in goal.allowed.kinds:
            board, _ = fix_tickets(evaluator, board, sample, goal.most_edits)
    return board


def _prune(evaluator: Evaluator, base: MeasuredBoard, board: MeasuredBoard, sample: Sample) -> MeasuredBoard:
    """Drop edits that do not clearly help, least useful first."""
    original, margin = evaluator.original, evaluator.wanted.margin / 100
    doubtful = doubtful_tickets(base, margin)
    for edit in reversed(_most_useful_first(base, board)):
        less = tuple(other for other in board.edits if other != edit)
        if edit.heading == POINTS:
            # No game needs to be played where re-scoring has the ticket beyond the margin at its printed points.
            excess = Rescoring(board.runs).excess(points_of(original, less))
            if edit.row in doubtful or abs(excess[edit.row]) > margin:
                continue
        title = f"without {describe_edit(original, edit)}"
        without = evaluator.evaluate(less, sample, title) if less else base
        if len(without.missed) > len(board.missed):
            continue
        before, after = (estimates(each.runs, board.targets) for each in (without, board))
        low, _ = gain(before, after, board.targets).interval()
        if not low[0] > 0:  # violations do not surely grow without it
            board = without
    return board


def _most_useful_first(base: MeasuredBoard, board: MeasuredBoard) -> list[Edit]:
    """Sort edits by the violation that they fix, routes last."""
    beyond = {target.ticket: target.beyond for target in base.targets if target.ticket is not None}

    def rank(edit: Edit) -> tuple[bool, float, Edit]:
        is_route = edit.file == ROUTES
        return is_route, 0.0 if is_route else -beyond.get(edit.row, 0.0), edit

    return sorted(board.edits, key=rank)


def cut_where_fewest_missed(path: tuple[MeasuredBoard, ...]) -> tuple[MeasuredBoard, ...]:
    """Cut the path at its fewest missed targets."""
    # The original was played on more deals, so its count is no yardstick.
    missed = [len(board.missed) for board in path]
    fewest = min(missed[1:], default=missed[-1])
    return path if missed[-1] <= fewest else path[: missed.index(fewest, 1) + 1]


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

"""Search for the fewest edits that meet the targets: points of tickets first, then routes, then without idle ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ttr_sim.analysis.targets import CLAIMED, FOUGHT_OVER, LOCKED_OUT, SEAT, TICKET
from ttr_sim.analysis.tickets import yardstick_of
from ttr_sim.balance.edits import POINTS, ROUTES, Edit, describe_edit, points_of, with_points
from ttr_sim.balance.evaluate import Evaluator, MeasuredBoard, Sample, estimates, gain, measure_board
from ttr_sim.balance.remedies import RemedyFinder
from ttr_sim.balance.routes import COLORS, DOUBLES, LENGTHS, Allowed, candidates, race
from ttr_sim.edition.model import Edition
from ttr_sim.run.lineups import RIVAL_BOTS
from ttr_sim.run.read import Run
from ttr_sim.run.study import FEWER

TICKETS_KIND = "tickets"
KINDS = (TICKETS_KIND, LENGTHS, COLORS, DOUBLES)
GAMES = 4_000  # for each player count, at the usual margin
USUAL_MARGIN = 5.0
MOST_GAMES = 24_000
FRUITLESS = 2  # races without a winner after which no other candidates are tried
ROUNDS = 2  # of points: those of one ticket move others

MEASURED = {
    TICKET: "tickets",
    CLAIMED: "routes hardly claimed",
    FOUGHT_OVER: "routes fought over",
    LOCKED_OUT: "routes that block rivals",
    SEAT: "seats",
}


@dataclass(frozen=True)
class Goal:
    """Edits that are allowed, how many of them, and the seed of the deals."""

    allowed: Allowed
    most_edits: int
    seed: int


@dataclass(frozen=True)
class SearchResult:
    """The original board, the boards of 1, 2, 3 ... edits, and the points tried on tickets that none fix."""

    sample: Sample
    path: tuple[MeasuredBoard, ...]
    hopeless: dict[int, tuple[int, int]]


def search(evaluator: Evaluator, goal: Goal, study: Sequence[Run]) -> SearchResult:
    """Find the edits, and the boards with the first 1, 2, 3 ..."""
    base = measure_board((), study, evaluator.wanted)
    evaluator.yardstick = yardstick_of(evaluator.original, base.ticket_value)
    counts = Counter(MEASURED[target.measure] for target in base.missed)
    missed = ", ".join(f"{count} {kind}" for kind, count in counts.items())
    evaluator.watch.note(f"to fix: {missed}" if missed else "nothing is surely missed on the board as it is")
    # An interval half as wide needs four times the games.
    usual = int(GAMES * (USUAL_MARGIN / evaluator.wanted.margin) ** 2)
    sample = Sample(min(max(usual, GAMES), MOST_GAMES), goal.seed)
    if not base.missed:
        return SearchResult(sample, (base,), {})
    evaluator.ahead = 10 * min(len(base.missed_tickets), goal.most_edits) + goal.most_edits
    # The search compares boards on fewer deals than the study had, whose targets stay those of the original.
    original = replace(evaluator.evaluate((), sample, "the board as it is"), targets=base.targets)
    board, hopeless = original, dict[int, tuple[int, int]]()
    if TICKETS_KIND in goal.allowed.kinds:
        board, hopeless = fix_tickets(evaluator, original, sample, goal.most_edits)
    board = prune(evaluator, original, fix_routes(evaluator, board, sample, goal), sample)
    # The path shows a designer how much the first few edits buy.
    order = _most_useful_first(base, board)
    evaluator.ahead = len(order) + 3
    path = [base]
    for number in range(1, len(order)):
        path.append(evaluator.evaluate(order[:number], sample, f"the first {number} of {len(order)} edits"))
    if board.edits:
        path.append(board)
    return SearchResult(sample, cut_where_fewest_missed(tuple(path)), hopeless)


def fix_tickets(
    evaluator: Evaluator, board: MeasuredBoard, sample: Sample, most_edits: int
) -> tuple[MeasuredBoard, dict[int, tuple[int, int]]]:
    """Set replayed points on missed tickets, and list ranges without success."""
    hopeless: dict[int, tuple[int, int]] = {}
    for number in range(1, ROUNDS + 1):
        room = most_edits - len(board.edits)
        found = RemedyFinder(evaluator, board.targets, sample.seed, board.edits).find(room) if room else None
        if found is None:
            break
        hopeless |= {remedy.ticket: remedy.tried for remedy in found.each if remedy.points is None}
        points = points_of(evaluator.original, board.edits)
        for remedy in found.each:
            points[remedy.ticket] = remedy.points or points[remedy.ticket]
        edits = with_points(evaluator.original, board.edits, points)
        if tuple(sorted(edits)) == board.edits:
            break
        after = evaluator.evaluate(edits, sample, f"points, round {number}")
        if len(after.missed) >= len(board.missed):
            break
        board = after
    return board, hopeless


def fix_routes(evaluator: Evaluator, board: MeasuredBoard, sample: Sample, goal: Goal) -> MeasuredBoard:
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


def prune(evaluator: Evaluator, base: MeasuredBoard, board: MeasuredBoard, sample: Sample) -> MeasuredBoard:
    """Drop edits that do not clearly help, and points that rivals reverse."""
    for edit in reversed(_most_useful_first(base, board)):
        less = tuple(other for other in board.edits if other != edit)
        title = f"without {describe_edit(evaluator.original, edit)}"
        without = evaluator.evaluate(less, sample, title) if less else base
        if len(without.missed) > len(board.missed):
            continue
        before, after = (estimates(each.runs, board.targets, evaluator.yardstick) for each in (without, board))
        low, _ = gain(before, after, board.targets).interval()
        if not low[0] > 0:  # violations do not surely grow without it
            board = without
    rivals = play_among_rivals(evaluator, board.edits, sample, "the edited board among rivals")
    dropped = reversed_edits(evaluator.original, rivals)
    if dropped:
        kept = [edit for edit in board.edits if edit not in dropped]
        board = evaluator.evaluate(kept, sample, "without what rivals turn around")
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
    """Play the board by rivals of several styles, if points are edited."""
    if all(edit.heading != POINTS for edit in edits):
        return None
    fewer = replace(sample, bots=RIVAL_BOTS, games=-(-sample.games // FEWER))
    return evaluator.evaluate(edits, fewer, title)


def reversed_edits(edition: Edition, board: MeasuredBoard | None) -> tuple[Edit, ...]:
    if board is None:
        return ()
    missed, found = board.missed_tickets, []
    for edit in board.edits:
        value = missed.get(edit.row) if edit.heading == POINTS else None
        if value is not None and (value > 0) == (int(edit.value) > edition.tickets[edit.row].points):
            found.append(edit)
    return tuple(found)

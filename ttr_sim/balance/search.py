"""Search for the fewest edits that meet the targets."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from ttr_sim.balance.edits import POINTS, ROUTES, Edit, describe_edit, points_of
from ttr_sim.balance.evaluate import (
    Evaluator,
    MeasuredBoard,
    Sample,
    derived_seed,
    estimates,
    gain,
    measure_board,
)
from ttr_sim.balance.points import ROUNDS, doubtful_tickets, fix_tickets, play_among_rivals, soften
from ttr_sim.balance.rescoring import Rescoring
from ttr_sim.balance.routes import COLORS, DOUBLES, LENGTHS, Allowed, candidates, race
from ttr_sim.balance.targets import CLAIMED, FOUGHT_OVER, LOCKED_OUT, SEAT, TICKET

TICKETS_KIND = "tickets"
KINDS = (TICKETS_KIND, LENGTHS, COLORS, DOUBLES)
GAMES = 4_000  # for each player count, at the usual margin
USUAL_MARGIN = 5.0
MOST_GAMES = 24_000
MORE = 1.1  # games beyond the number that the first look asks for
FURTHER = 3  # times the games of the sample, for a closer look at the original
FRUITLESS = 2  # races without a winner after which no other candidates are tried

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
    evaluator.watch.note(describe_missed(base))
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


def describe_missed(board: MeasuredBoard) -> str:
    """Count the missed targets by kind."""
    counts = Counter(MEASURED[target.measure] for target in board.missed)
    if not counts:
        return "nothing is surely missed on the board as it is"
    return "missed on the board as it is: " + ", ".join(f"{kind} {count}" for kind, count in counts.items())


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
        if not _is_clearly_worse(without, board):
            board = without
    return board


def _is_clearly_worse(without: MeasuredBoard, board: MeasuredBoard) -> bool:
    """Check for more missed targets, or for violations that surely grow on the same deals."""
    if len(without.missed) > len(board.missed):
        return True
    before, after = (estimates(each.runs, board.targets) for each in (without, board))
    low, _ = gain(before, after, board.targets).interval()
    return bool(low[0] > 0)


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

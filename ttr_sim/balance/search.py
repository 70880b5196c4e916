"""The fewest edits that meet the targets: points first, then routes; then whatever is not needed goes again."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ttr_sim.balance.bench import STRONG, Bench, Sample, derived_seed
from ttr_sim.balance.candidates import Allowed, candidates
from ttr_sim.balance.edits import POINTS, ROUTES, Edit, points_of, words
from ttr_sim.balance.measure import MeasuredBoard, measure_board
from ttr_sim.balance.points import ROUNDS, mend_tickets
from ttr_sim.balance.race import race
from ttr_sim.balance.rescoring import Rescoring
from ttr_sim.balance.targets import TICKET, ticket_name

TICKETS_KIND = "tickets"
KINDS = (TICKETS_KIND, "lengths", "colors", "doubles")
GAMES = 4_000  # for each player count, at the usual margin
USUAL_MARGIN = 5.0
MOST_GAMES = 24_000
MORE = 1.1  # games beyond what the first look says are needed
FURTHER = 3  # times the games of the sample, for a closer look at the original
MOST_ROUTES = 3  # races, each won by one edit of a route


@dataclass(frozen=True)
class Goal:
    """What may be changed, and how much of it."""

    allowed: Allowed
    most_edits: int
    seed: int


@dataclass(frozen=True)
class SearchResult:
    """The boards that the search went through: the original, those on the path, the last one."""

    sample: Sample
    path: tuple[MeasuredBoard, ...]  # by number of edits, from none on
    hopeless: frozenset[int]  # rows of tickets that no points mend


def search(bench: Bench, goal: Goal) -> SearchResult:
    """Find the edits, and the path of 1, 2, 3 ... of them."""
    bench.ahead = ROUNDS + goal.most_edits + 4
    base, sample = first_look(bench, goal.seed)
    board, hopeless = base, frozenset[int]()
    if TICKETS_KIND in goal.allowed.kinds:
        mended = mend_tickets(bench, base, sample, goal.most_edits)
        board, hopeless = mended.board, mended.hopeless
    board = _mend_routes(bench, board, sample, goal)
    board = _pruned(bench, base, board, sample)
    return SearchResult(
        sample, (base, *_steps(bench, base, board, sample), *([board] if board.edits else [])), hopeless
    )


def first_look(bench: Bench, seed: int) -> tuple[MeasuredBoard, Sample]:
    """Play the original; with more games when its tickets cannot be told well enough from their limits."""
    usual = int(GAMES * (USUAL_MARGIN / bench.wanted.margin) ** 2)
    sample = Sample(min(max(usual, GAMES), MOST_GAMES), seed)
    board = bench.board((), sample, "the board as it is")
    widths = [(target.high - target.low) / 2 for target in board.targets if target.measure == TICKET]
    needed = MORE * sample.games * (max(widths, default=0.0) / (bench.wanted.margin / 200)) ** 2
    if needed > MORE * sample.games and sample.games < MOST_GAMES:
        sample = replace(sample, games=min(-(-int(needed) // 1_000) * 1_000, MOST_GAMES))
        board = bench.board((), sample, "the board as it is, with more games")
    return _closer_look(bench, board, sample), sample


def _closer_look(bench: Bench, board: MeasuredBoard, sample: Sample) -> MeasuredBoard:
    """Judge open tickets of the original by further deals too; the search itself stays with those of the sample."""
    if all(target.met is not None for target in board.targets if target.measure == TICKET):
        return board
    further = replace(sample, games=FURTHER * sample.games, seed=derived_seed(sample.seed, "a closer look"))
    runs = (*board.runs, *bench.play((), further, "the board as it is, a closer look"))
    return replace(board, targets=measure_board((), runs, bench.wanted, STRONG).targets)


def _mend_routes(bench: Bench, board: MeasuredBoard, sample: Sample, goal: Goal) -> MeasuredBoard:
    """Race edits of routes for the targets that are still missed; the winner stays when it makes none worse."""
    tried: set[Edit] = set()
    for _ in range(MOST_ROUTES):
        missed = board.missed
        found = candidates(bench.original, missed, [*board.edits, *tried], goal.allowed)
        if not missed or not found or len(board.edits) >= goal.most_edits:
            break
        bench.ahead = 3 * len(found) + 4
        winner = race(bench, board, found, sample)
        tried |= set(found) if winner is None else {winner}
        if winner is None:
            continue
        after = bench.board((*board.edits, winner), sample, words(bench.original, winner))
        if is_better(after, board):
            board = after
            if TICKETS_KIND in goal.allowed.kinds:
                board = mend_tickets(bench, board, sample, goal.most_edits).board
    return board


def is_better(after: MeasuredBoard, before: MeasuredBoard) -> bool:
    """Return whether fewer targets are missed, or as many and the worst by less."""
    return (len(after.missed), after.worst) < (len(before.missed), before.worst)


def _pruned(bench: Bench, base: MeasuredBoard, board: MeasuredBoard, sample: Sample) -> MeasuredBoard:
    """Take away each edit without which no more targets are missed; those that bought least are tried first."""
    for edit in reversed(_in_order(bench, base, board)):
        less = tuple(other for other in board.edits if other != edit)
        if _is_surely_needed(bench, board, edit):
            continue
        without = bench.board(less, sample, f"without {words(bench.original, edit)}") if less else base
        if len(without.missed) <= len(board.missed):
            board = without
    return board


def _is_surely_needed(bench: Bench, board: MeasuredBoard, edit: Edit) -> bool:
    """Return whether the log itself says that a ticket would be beyond the margin at its printed points."""
    if edit.heading != POINTS:
        return False
    less = points_of(bench.original, [other for other in board.edits if other != edit])
    return bool(abs(Rescoring(board.runs).excess(less)[edit.row]) > bench.wanted.margin / 100)


def _steps(bench: Bench, base: MeasuredBoard, board: MeasuredBoard, sample: Sample) -> list[MeasuredBoard]:
    """Play the path to the board: 1, 2, 3 ... of its edits, those that buy most first."""
    order = _in_order(bench, base, board)
    bench.ahead = len(order) + 3
    return [
        bench.board(order[:number], sample, f"the first {number} of {len(order)} edits")
        for number in range(1, len(order))
    ]


def _in_order(bench: Bench, base: MeasuredBoard, board: MeasuredBoard) -> list[Edit]:
    """Return the edits by how far what they mend was beyond its limit; routes, which are found later, last."""
    beyond = {target.name: target.beyond for target in base.targets if target.measure == TICKET}

    def rank(edit: Edit) -> tuple[bool, float, Edit]:
        ticket = "" if edit.file == ROUTES else ticket_name(bench.original, edit.row)
        return edit.file == ROUTES, -beyond.get(ticket, 0.0), edit

    return sorted(board.edits, key=rank)

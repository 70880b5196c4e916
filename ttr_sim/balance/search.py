"""The fewest edits that meet the targets: points first, then routes; then whatever is not needed goes again."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from ttr_sim.balance.bench import STRONG_BOTS, Bench, Sample, derived_seed
from ttr_sim.balance.candidates import Allowed, candidates
from ttr_sim.balance.edits import POINTS, ROUTES, Edit, points_of, words
from ttr_sim.balance.measure import MeasuredBoard, estimates, gain, measure_board
from ttr_sim.balance.points import ROUNDS, doubtful_tickets, mend_tickets
from ttr_sim.balance.race import race
from ttr_sim.balance.rescoring import Rescoring
from ttr_sim.balance.rivals import among_rivals, softened
from ttr_sim.balance.targets import CLAIMED, FOUGHT_OVER, LOCKED_OUT, SEAT, TICKET, ticket_name

TICKETS_KIND = "tickets"
KINDS = (TICKETS_KIND, "lengths", "colors", "doubles")
GAMES = 4_000  # for each player count, at the usual margin
USUAL_MARGIN = 5.0
MOST_GAMES = 24_000
MORE = 1.1  # games beyond what the first look says are needed
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
    bench.ahead = ROUNDS + goal.most_edits + 5
    base, sample = first_look(bench, goal.seed)
    bench.watch.note(missed_words(base))
    board, hopeless = base, frozenset[int]()
    if TICKETS_KIND in goal.allowed.kinds:
        mended = mend_tickets(bench, base, sample, goal.most_edits)
        board, hopeless = mended.board, mended.hopeless
    board = _mend_routes(bench, board, sample, goal)
    board = _held_among_rivals(bench, _pruned(bench, base, board, sample), sample)
    path = (base, *_steps(bench, base, board, sample), *([board] if board.edits else []))
    return SearchResult(sample, _without_harm(path), hopeless)


def _without_harm(path: tuple[MeasuredBoard, ...]) -> tuple[MeasuredBoard, ...]:
    """Leave out the last edits where fewer of them miss fewer targets; the original was played more, and counts not."""
    fewest = min((len(board.missed) for board in path[1:]), default=len(path[-1].missed))
    if len(path[-1].missed) <= fewest:
        return path
    return path[: 2 + next(place for place, board in enumerate(path[1:]) if len(board.missed) == fewest)]


def missed_words(board: MeasuredBoard) -> str:
    """Return how many targets the board misses, by kind."""
    counts = Counter(MEASURED[target.measure] for target in board.missed)
    if not counts:
        return "nothing is surely missed on the board as it is"
    return "missed on the board as it is: " + ", ".join(f"{kind} {count}" for kind, count in counts.items())


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
    return replace(board, targets=measure_board((), runs, bench.wanted, STRONG_BOTS).targets)


def _mend_routes(bench: Bench, board: MeasuredBoard, sample: Sample, goal: Goal) -> MeasuredBoard:
    """Race edits of routes for the targets that are still missed; a winner stays when the board is better for it."""
    tried: set[Edit] = set()
    fruitless = 0
    while board.missed and len(board.edits) < goal.most_edits and fruitless < FRUITLESS:
        found = candidates(bench.original, board.missed, [*board.edits, *tried], goal.allowed)
        if not found:
            break
        bench.ahead = 3 * len(found) + 4
        winner = race(bench, board, found, sample)
        tried |= set(found) if winner is None else {winner}
        after = board if winner is None else bench.board((*board.edits, winner), sample, words(bench.original, winner))
        if not is_better(after, board):
            fruitless += 1
            continue
        board = after
        if TICKETS_KIND in goal.allowed.kinds:
            board = mend_tickets(bench, board, sample, goal.most_edits).board
    return board


def is_better(after: MeasuredBoard, before: MeasuredBoard) -> bool:
    """Return whether fewer targets are missed, or as many and all together they are less beyond their limits."""
    return (len(after.missed), after.beyond) < (len(before.missed), before.beyond)


def _pruned(bench: Bench, base: MeasuredBoard, board: MeasuredBoard, sample: Sample) -> MeasuredBoard:
    """Take away each edit whose removal is not clearly worse; those that bought least are tried first."""
    doubtful = doubtful_tickets(base, bench.wanted.margin / 100)
    for edit in reversed(_in_order(bench, base, board)):
        if edit.heading == POINTS and (edit.row in doubtful or _is_surely_needed(bench, board, edit)):
            continue
        less = tuple(other for other in board.edits if other != edit)
        without = bench.board(less, sample, f"without {words(bench.original, edit)}") if less else base
        if not _is_clearly_worse(without, board):
            board = without
    return board


def _is_clearly_worse(without: MeasuredBoard, board: MeasuredBoard) -> bool:
    """Return whether more targets are missed without the edit, or all together are surely farther beyond their limits
    on the same deals."""
    if len(without.missed) > len(board.missed):
        return True
    before, after = (estimates(each.runs, board.targets) for each in (without, board))
    return bool(gain(before, after, board.targets).interval()[0][0] > 0)


def _is_surely_needed(bench: Bench, board: MeasuredBoard, edit: Edit) -> bool:
    """Return whether the log itself says that a ticket would be beyond the margin at its printed points."""
    less = points_of(bench.original, [other for other in board.edits if other != edit])
    return bool(abs(Rescoring(board.runs).excess(less)[edit.row]) > bench.wanted.margin / 100)


def _held_among_rivals(bench: Bench, board: MeasuredBoard, sample: Sample) -> MeasuredBoard:
    """Take back what goes too far among rivals of several styles."""
    rivals = among_rivals(bench, board.edits, sample, "the edited board among rivals")
    edits = softened(bench.original, rivals, bench.wanted.margin / 100) if rivals else board.edits
    return board if edits == board.edits else bench.board(edits, sample, "without what rivals turn around")


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

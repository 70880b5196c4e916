"""Proof on fresh deals: each target before and after the edits, what no edit mends, and what rivals make of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ttr_sim.balance.bench import RIVALS, Bench, Sample, derived_seed
from ttr_sim.balance.edits import POINTS, Edit
from ttr_sim.balance.measure import MeasuredBoard
from ttr_sim.balance.search import SearchResult
from ttr_sim.balance.targets import TICKET, Target, ticket_name
from ttr_sim.edition.model import Edition

FEWER = 2  # rivals play one game for so many of the strong field


@dataclass(frozen=True, slots=True)
class BeforeAfter:
    """A target on the original and on the edited board; None where one of them lacks the route."""

    before: Target | None
    after: Target

    @property
    def worse(self) -> bool:
        """Return whether it is missed now and was not before."""
        return self.after.met is False and (self.before is None or self.before.met is not False)


@dataclass(frozen=True, slots=True)
class Unmended:
    name: str
    why: str


@dataclass(frozen=True)
class Proof:
    sample: Sample
    before: MeasuredBoard
    after: MeasuredBoard
    pairs: tuple[BeforeAfter, ...]
    reversed: tuple[Edit, ...]  # edited tickets that are beyond the other limit among rivals

    @property
    def missed(self) -> list[BeforeAfter]:
        return [pair for pair in self.pairs if pair.after.met is False]


def prove(bench: Bench, found: SearchResult) -> Proof:
    """Play original and edited board on deals that the search has not seen, and edited points among rivals."""
    sample = replace(found.sample, seed=derived_seed(found.sample.seed, "the proof"))
    last = found.path[-1]
    bench.ahead = 3 if last.edits else 1
    before = bench.board((), sample, "proof: the board as it is")
    after = bench.board(last.edits, sample, "proof: the edited board") if last.edits else before
    old = before.by_key()
    pairs = tuple(BeforeAfter(old.get(target.key), target) for target in after.targets)
    return Proof(sample, before, after, pairs, _reversed(bench, last.edits, sample))


def _reversed(bench: Bench, edits: tuple[Edit, ...], sample: Sample) -> tuple[Edit, ...]:
    """Return the edits of points that overshoot among rivals: the ticket is then beyond the other limit."""
    chosen = [edit for edit in edits if edit.heading == POINTS]
    if not chosen:
        return ()
    rivals = replace(sample, bots=RIVALS, games=-(-sample.games // FEWER))
    board = bench.board(edits, rivals, "proof: the edited board among rivals")
    among = {target.name: target for target in board.targets if target.measure == TICKET}
    return tuple(edit for edit in chosen if _overshoots(bench.original, edit, among))


def _overshoots(edition: Edition, edit: Edit, among: dict[str, Target]) -> bool:
    target = among.get(ticket_name(edition, edit.row))
    raised = int(edit.value) > edition.tickets[edit.row].points
    return target is not None and target.met is False and (target.value > 0) == raised


def unmended(edition: Edition, found: SearchResult, proof: Proof, may_move_points: bool) -> list[Unmended]:
    """Return what is missed on fresh deals, and why no edit was made for it or none held."""
    edited = {edit.row for edit in found.path[-1].edits if edit.heading == POINTS}
    rows = {ticket_name(edition, row): row for row in range(len(edition.tickets))}
    reasons = [Unmended(pair.after.name, _why(pair, rows, found, edited, may_move_points)) for pair in proof.missed]
    return reasons + [Unmended(ticket_name(edition, edit.row), AMONG_RIVALS) for edit in proof.reversed]


AMONG_RIVALS = "its edit works among strong players, but among rivals of several styles it goes too far the other way"


def _why(
    pair: BeforeAfter, rows: dict[str, int], found: SearchResult, edited: Iterable[int], may_move_points: bool
) -> str:
    name = pair.after.name.split(" ", 1)[1]
    row = rows.get(pair.after.name)
    if pair.worse:
        return f"the edits made {name} worse"
    if row is None:
        return f"no allowed edit clearly brings {name} nearer to its limit"
    if row in edited:
        return f"{name} is nearer to its limit, but still beyond it on fresh deals"
    if row in found.hopeless:
        return f"no change of its points fixes {name}: change the routes there"
    if may_move_points:
        return f"{name} was not clearly beyond its limit where the edits were sought, or no edit was left for it"
    return f"points may not be changed, and no allowed edit of a route clearly fixes {name}"

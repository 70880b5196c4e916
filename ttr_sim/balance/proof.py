"""Proof on fresh deals: each target before and after the edits, what no edit mends, and what rivals make of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ttr_sim.balance.bench import Bench, Sample, derived_seed
from ttr_sim.balance.edits import POINTS, Edit
from ttr_sim.balance.measure import MeasuredBoard
from ttr_sim.balance.rivals import among_rivals, reversed_edits
from ttr_sim.balance.search import SearchResult
from ttr_sim.balance.spot_check import SpotCheck, spot_check
from ttr_sim.balance.targets import STYLE, TICKET, Target, ticket_name
from ttr_sim.edition.model import Edition


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
    reversed: tuple[Edit, ...]  # edits of points that go too far among rivals
    spot_check: SpotCheck | None = None

    @property
    def missed(self) -> list[BeforeAfter]:
        return [pair for pair in self.pairs if pair.after.met is False]


def prove(bench: Bench, found: SearchResult) -> Proof:
    """Play original and edited board on deals that the search has not seen, then edited points among rivals and, few
    times, among players that search."""
    sample = replace(found.sample, seed=derived_seed(found.sample.seed, "the proof"))
    edits = found.path[-1].edits
    bench.ahead = 7 if edits else 2
    before = bench.board_with_styles((), sample, "proof: the board as it is")
    after = bench.board_with_styles(edits, sample, "proof: the edited board") if edits else before
    old = before.by_key()
    pairs = tuple(BeforeAfter(old.get(target.key), target) for target in after.targets)
    rivals = among_rivals(bench, edits, sample, "proof: the edited board among rivals")
    spot = spot_check(bench, edits, _mended(bench.original, edits, pairs), sample.seed) if edits else None
    return Proof(sample, before, after, pairs, reversed_edits(bench.original, rivals), spot)


def _mended(edition: Edition, edits: Iterable[Edit], pairs: Iterable[BeforeAfter]) -> dict[int, float]:
    """Return the rows of the tickets that the edits are for, and what each gave before: tickets with other points, and
    those missed before."""
    edited = {edit.row for edit in edits if edit.heading == POINTS}
    old = {pair.after.name: pair.before for pair in pairs if pair.before and pair.after.measure == TICKET}
    named = ((row, old.get(ticket_name(edition, row))) for row in range(len(edition.tickets)))
    return {row: target.value for row, target in named if target and (row in edited or target.met is False)}


def unmended(edition: Edition, found: SearchResult, proof: Proof, may_move_points: bool) -> list[Unmended]:
    """Return what is missed on fresh deals, and why no edit was made for it or none held."""
    edited = {edit.row for edit in found.path[-1].edits if edit.heading == POINTS}
    rows = {ticket_name(edition, row): row for row in range(len(edition.tickets))}
    reasons = [Unmended(pair.after.name, _why(pair, rows, found, edited, may_move_points)) for pair in proof.missed]
    return reasons + [Unmended(ticket_name(edition, edit.row), AMONG_RIVALS) for edit in proof.reversed]


NO_EDIT_OF_STYLES = (
    "one player of this style wins clearly more than its share among strong ones; no edit is sought for it"
)
AMONG_RIVALS = "its edit works among strong players, but among rivals of several styles it goes too far the other way"


def _why(
    pair: BeforeAfter, rows: dict[str, int], found: SearchResult, edited: Iterable[int], may_move_points: bool
) -> str:
    name = pair.after.name.split(" ", 1)[1]
    row = rows.get(pair.after.name)
    if pair.worse:
        return f"{name} is clearly beyond its limit with the edits, and was not clearly so before them"
    if row is None:
        is_style = pair.after.measure == STYLE
        return NO_EDIT_OF_STYLES if is_style else f"no allowed edit clearly brings {name} nearer to its limit"
    if row in edited:
        return f"{name} is nearer to its limit, but still beyond it on fresh deals"
    if row in found.hopeless:
        return f"no change of its points fixes {name}: change the routes there"
    if may_move_points:
        return f"{name} was not clearly beyond its limit where the edits were sought, or no edit was left for it"
    return f"points may not be changed, and no allowed edit of a route clearly fixes {name}"

"""Proof on fresh deals: targets before and after the edits, targets that stay missed, and a spot check by searchers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from ttr_sim.analysis import tickets
from ttr_sim.analysis.db import Database
from ttr_sim.analysis.jackknife import derive
from ttr_sim.analysis.text import decimal
from ttr_sim.balance.edits import POINTS, Edit
from ttr_sim.balance.evaluate import Evaluator, MeasuredBoard, Sample, derived_seed
from ttr_sim.balance.points import play_among_rivals, reversed_edits
from ttr_sim.balance.search import SearchResult
from ttr_sim.balance.targets import STYLE, Target, ticket_name
from ttr_sim.edition.model import Edition

SEARCHER = "search:budget=8"
SPOT_CHECK_GAMES = 100
SPOT_CHECK_PLAYERS = 2  # where the board is for two
NO_EDIT_OF_STYLES = (
    "one player of this style wins clearly more than its share among strong ones; no edit is sought for it"
)
AMONG_RIVALS = "its edit works among strong players, but among rivals of several styles it goes too far the other way"


@dataclass(frozen=True, slots=True)
class BeforeAfter:
    """A target on the original and on the edited board."""

    before: Target | None  # None where the original lacks the route
    after: Target

    @property
    def worse(self) -> bool:
        """Missed now, and not before."""
        return self.after.met is False and (self.before is None or self.before.met is not False)


@dataclass(frozen=True, slots=True)
class Unfixed:
    """A target that is missed in spite of the edits, and why."""

    name: str
    why: str


@dataclass(frozen=True, slots=True)
class SpotCheck:
    """Mean effect of edited tickets among searching bots.

    In shares of a win beyond the class, with its 95 % interval. Plus is the side where the ticket was before the edits.
    Searchers are stronger than the planner and far slower, so their games are few, and decide nothing.
    """

    games: int
    players: int
    tickets: int
    value: float
    low: float
    high: float

    @property
    def sentence(self) -> str:
        value, low, high = (decimal(100 * share, 1, "+") for share in (self.value, self.low, self.high))
        which = "the ticket" if self.tickets == 1 else f"one of the {self.tickets} tickets"
        return (
            f"A spot check, {self.games} games of {self.players} players that search ({SEARCHER}) on the edited board: "
            f"being dealt {which} that the edits are for gives {value} ({low} to {high}) wins in 100 beyond its class, "
            "with a plus on the side where it was before. So few games decide nothing."
        )


@dataclass(frozen=True)
class Proof:
    """Both boards on fresh deals."""

    sample: Sample
    before: MeasuredBoard
    after: MeasuredBoard
    pairs: tuple[BeforeAfter, ...]
    reversed: tuple[Edit, ...]  # edits of points that go too far among rivals
    spot_check: SpotCheck | None = None

    @property
    def missed(self) -> list[BeforeAfter]:
        return [pair for pair in self.pairs if pair.after.met is False]


def prove(evaluator: Evaluator, found: SearchResult) -> Proof:
    """Measure both boards on fresh deals."""
    # Fresh deals: edits chosen on the deals of the search look better there than they are.
    sample = replace(found.sample, seed=derived_seed(found.sample.seed, "the proof"))
    edits = found.path[-1].edits
    evaluator.ahead = 6 if edits else 2
    after = before = evaluator.evaluate((), sample, "proof: the board as it is", with_styles=True)
    if edits:
        after = evaluator.evaluate(edits, sample, "proof: the edited board", with_styles=True)
    old = {target.key: target for target in before.targets}
    pairs = tuple(BeforeAfter(old.get(target.key), target) for target in after.targets)
    rivals = play_among_rivals(evaluator, edits, sample, "proof: the edited board among rivals")
    checked = None
    if edits:
        aims = _tickets_edited_or_missed(edits, pairs)
        checked = spot_check(evaluator, edits, aims, sample.seed)
    return Proof(sample, before, after, pairs, reversed_edits(evaluator.original, rivals), checked)


def _tickets_edited_or_missed(edits: Iterable[Edit], pairs: Iterable[BeforeAfter]) -> dict[int, float]:
    """Value before the edits, by row, of the tickets that the edits are for."""
    edited = {edit.row for edit in edits if edit.heading == POINTS}
    found = {}
    for pair in pairs:
        target = pair.before
        if target and target.ticket is not None and (target.ticket in edited or target.met is False):
            found[target.ticket] = target.value
    return dict(sorted(found.items()))


def spot_check(
    evaluator: Evaluator, edits: tuple[Edit, ...], before: Mapping[int, float], seed: int
) -> SpotCheck | None:
    """Play the edited board by searching players. `before` has the values of tickets on the original."""
    if not before:
        return None
    players = min(evaluator.players, key=lambda count: abs(count - SPOT_CHECK_PLAYERS))
    sample = Sample(SPOT_CHECK_GAMES, seed, (SEARCHER,), part_size=None)
    title = f"proof: a spot check with {players} players that search"
    runs = evaluator.play(edits, sample, title, (players,))
    with Database(runs) as games:
        excess = tickets.excess(tickets.Deals(games))
    # With so few games a ticket may have been dealt to nobody.
    dealt = [row for row in before if np.isfinite(excess.error[row])]
    if not dealt:
        return None
    # A plus is the side where the ticket was, so that fixed tickets come out near zero together.
    signs = np.sign([before[row] for row in dealt])
    each = [excess.pick(np.array([row])) for row in dealt]
    mean = derive(lambda *values: np.tensordot(signs, values, 1) / len(signs), *each)
    low, high = mean.interval()
    return SpotCheck(SPOT_CHECK_GAMES, players, len(dealt), float(mean.value[0]), float(low[0]), float(high[0]))


def list_unfixed(edition: Edition, found: SearchResult, proof: Proof, may_move_points: bool) -> list[Unfixed]:
    """List targets missed on fresh deals, with the reason why no edit was made or none held."""
    edited = {edit.row for edit in found.path[-1].edits if edit.heading == POINTS}
    unfixed = []
    for pair in proof.missed:
        why = _why_missed(pair, edited, found.hopeless, may_move_points)
        unfixed.append(Unfixed(pair.after.name, why))
    return unfixed + [Unfixed(ticket_name(edition, edit.row), AMONG_RIVALS) for edit in proof.reversed]


def _why_missed(pair: BeforeAfter, edited: Collection[int], hopeless: Collection[int], may_move_points: bool) -> str:
    row, name = pair.after.ticket, pair.after.name.split(" ", 1)[1]
    if pair.worse:
        return f"{name} is clearly beyond its limit with the edits, and was not clearly so before them"
    if row is None:
        is_style = pair.after.measure == STYLE
        return NO_EDIT_OF_STYLES if is_style else f"no allowed edit clearly brings {name} nearer to its limit"
    if row in edited:
        return f"{name} is nearer to its limit, but still beyond it on fresh deals"
    if row in hopeless:
        return f"no change of its points fixes {name}: change the routes there"
    if may_move_points:
        return f"{name} was not clearly beyond its limit where the edits were sought, or no edit was left for it"
    return f"points may not be changed, and no allowed edit of a route clearly fixes {name}"

"""Search, prove on fresh deals, and write one balanced board."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ttr_sim.analysis import tickets
from ttr_sim.analysis.db import Database
from ttr_sim.analysis.jackknife import derive
from ttr_sim.analysis.targets import MISSED, SEAT, STYLE, Target, ticket_name
from ttr_sim.analysis.text import decimal
from ttr_sim.balance.edits import POINTS, Edit, edited
from ttr_sim.balance.evaluate import BOARDS, RUN_NAME, STRONG_BOTS, Evaluator, MeasuredBoard, Sample, derived_seed
from ttr_sim.balance.routes import Allowed
from ttr_sim.balance.search import KINDS, TICKETS_KIND, Goal, SearchResult, play_among_rivals, reversed_edits, search
from ttr_sim.edition import edition_names, find_folder
from ttr_sim.edition.canonical import locked
from ttr_sim.edition.model import Edition, Targets
from ttr_sim.errors import UserError
from ttr_sim.run.plan import Request, check_request
from ttr_sim.run.study import STUDY_GAMES, Study, play_study
from ttr_sim.run.workers import ProgressListener, Workers

EDITED = "edited"  # the folder of the result until it is whole
SEARCHER = "search:budget=8"
SPOT_CHECK_GAMES = 100
SPOT_CHECK_PLAYERS = 2  # where the board is for two
AMONG_RIVALS = "its edit works among strong players, but among rivals of several styles it goes too far the other way"
# Of what no edit is sought for.
LEFT_ALONE = {
    SEAT: "turn order is shown, and no edit is sought for it",
    STYLE: "no edit is sought for a way to play that wins too much",
}


@dataclass(frozen=True, slots=True)
class Order:
    edition: Edition
    players: tuple[int, ...]
    kinds: frozenset[str]
    locks: tuple[str, ...]
    most_edits: int
    margin: float | None
    seed: int
    out: Path
    games: int = STUDY_GAMES  # of the board as it is, for each player count

    @property
    def wanted(self) -> Targets:
        """The designer's targets, with the margin and the locks of this order."""
        targets = self.edition.targets
        margin = targets.margin if self.margin is None else self.margin
        return replace(targets, margin=margin, locked=(*targets.locked, *self.locks))

    @property
    def work_folder(self) -> Path:
        """Where games are kept until all is done."""
        return self.out.with_name(f"{self.out.name}-games")

    def check(self) -> None:
        # One game is as good as any to find out whether the board can be played.
        check_request(Request(self.edition, self.players, STRONG_BOTS, 1, self.seed))
        locked(self.edition, self.wanted.locked)
        if self.out.exists() or self.out.is_symlink():
            raise UserError(f"{self.out} already exists and is not overwritten; choose another folder with --out")
        work = self.work_folder
        names = [entry.name for entry in work.iterdir()] if work.is_dir() else []
        strange = [name for name in names if name != BOARDS and name[0] != "." and not RUN_NAME.fullmatch(name)]
        # The folder is removed at the end, and no file of the user's may go with it.
        if strange or (work.exists() and not work.is_dir()):
            raise UserError(
                f"{work} holds something else than games of a balance, which would be kept there; "
                "choose another folder with --out"
            )


@dataclass(frozen=True, slots=True)
class BeforeAfter:
    before: Target | None  # None where the original lacks the route
    after: Target

    @property
    def worse(self) -> bool:
        return self.after.state == MISSED and (self.before is None or self.before.state != MISSED)


@dataclass(frozen=True, slots=True)
class Unfixed:
    name: str
    why: str
    target: Target | None = None


@dataclass(frozen=True, slots=True)
class SpotCheck:
    """Mean effect of edited tickets among searching bots.

    In shares of a win beyond tickets as long, with its 95 % interval. Plus is the side where the ticket was before.
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
            f"being dealt {which} that the edits are for gives {value} ({low} to {high}) wins per 100 games beyond "
            "tickets as long, with a plus on the side where it was before. So few games decide nothing."
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
        return [pair for pair in self.pairs if pair.after.state == MISSED]

    def fixes(self, missed: Collection[Target]) -> bool:
        """Whether a missed target is brought within its limit."""
        sought = {target.key for target in missed}
        for pair in self.pairs:
            before, after = pair.before, pair.after
            if before is None or after.state == MISSED:
                continue
            if before.state == MISSED or (after.key in sought and before.beyond > after.beyond):
                return True
        return False


@dataclass(frozen=True)
class BalanceOutcome:
    order: Order
    found: SearchResult
    proof: Proof
    unfixed: tuple[Unfixed, ...]
    out: Path | None  # None where nothing was to be changed

    @property
    def edits(self) -> tuple[Edit, ...]:
        return self.found.path[-1].edits

    @property
    def met(self) -> bool:
        return not self.proof.missed


def default_out(named: str) -> Path:
    """Folder next to the original, or in the working directory for an official edition."""
    if named in edition_names():
        return Path(f"{named}-balanced")
    folder = find_folder(named)
    if folder.name in ("", ".."):
        folder = folder.resolve()
    return folder.with_name(f"{folder.name}-balanced")


def balance(order: Order, workers: Workers, watch: ProgressListener, command: str) -> BalanceOutcome:
    """Search, prove, and write the edited edition. The order has passed its check."""
    edition = order.edition
    evaluator = Evaluator(edition, order.wanted, order.players, order.work_folder, workers, watch, command)
    _, locked_routes = locked(edition, order.wanted.locked)
    study = Study(edition, order.players, order.games, order.seed, quick=True)
    *_, runs = play_study(study, workers, watch, command)
    found = search(evaluator, Goal(Allowed(order.kinds, locked_routes), order.most_edits, order.seed), runs)
    proof = prove(evaluator, found)
    edits, rejected = found.path[-1].edits, ()
    if edits and not proof.fixes(found.path[0].missed):
        # A list of edits that fixes nothing is worth no folder.
        edits, rejected = (), edits
        found = replace(found, path=found.path[:1])
    if not edits:
        # The verdict is that of the study, whose games are more. Only the proof plays styles.
        styles = [target for target in proof.before.targets if target.measure == STYLE]
        board = replace(found.path[0], targets=(*found.path[0].targets, *styles))
        pairs = tuple(BeforeAfter(target, target) for target in board.targets)
        proof = Proof(Sample(order.games, order.seed), board, board, pairs, ())
    unfixed = list_unfixed(edition, found, proof, TICKETS_KIND in order.kinds, rejected)
    if edits:
        # Renamed when it is whole: half a folder would make the same command refuse its own --out.
        staged = order.work_folder / BOARDS / EDITED
        edited(edition, edits, staged)
        staged.rename(order.out)
    # Only here: after an interruption the same command goes on with the games.
    shutil.rmtree(order.work_folder, ignore_errors=True)
    return BalanceOutcome(order, found, proof, tuple(unfixed), order.out if edits else None)


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
        # The tickets that the edits are for, with their values before.
        rows, aims = {edit.row for edit in edits if edit.heading == POINTS}, {}
        for pair in pairs:
            target = pair.before
            if target and target.ticket is not None and (target.ticket in rows or target.state == MISSED):
                aims[target.ticket] = target.value
        checked = spot_check(evaluator, edits, dict(sorted(aims.items())), sample.seed)
    return Proof(sample, before, after, pairs, reversed_edits(evaluator.original, rivals), checked)


def spot_check(
    evaluator: Evaluator, edits: tuple[Edit, ...], before: Mapping[int, float], seed: int
) -> SpotCheck | None:
    """Play the edited board by searching players."""
    if not before:
        return None
    players = min(evaluator.players, key=lambda count: abs(count - SPOT_CHECK_PLAYERS))
    sample = Sample(SPOT_CHECK_GAMES, seed, (SEARCHER,), part_size=None)
    title = f"proof: a spot check with {players} players that search"
    runs = evaluator.play(edits, sample, title, (players,))
    with Database(runs) as games:
        excess = tickets.excess(tickets.Deals(games), evaluator.yardstick)
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


def list_unfixed(
    edition: Edition, found: SearchResult, proof: Proof, may_move_points: bool, rejected: Collection[Edit] = ()
) -> list[Unfixed]:
    """List targets missed on fresh deals, with the reason."""
    edited, tried = (
        {edit.row for edit in edits if edit.heading == POINTS} for edits in (found.path[-1].edits, rejected)
    )
    unfixed = []
    for pair in proof.missed:
        target, row = pair.after, pair.after.ticket
        if pair.worse:
            why = "beyond its limit with the edits, and not clearly so before them"
        elif row is None:
            why = LEFT_ALONE.get(target.measure, "no allowed edit clearly brings it nearer to its limit")
        elif row in edited:
            why = "nearer to its limit, but still beyond it on fresh deals"
        elif row in tried:
            why = "the points that were found for it did not help on fresh deals"
        elif row in found.hopeless:
            least, most = found.hopeless[row]
            why = f"no points from {least} to {most} fix it: change the routes there"
        elif may_move_points:
            why = "not clearly beyond its limit where the edits were sought, or no edit was left for it"
        else:
            why = "points may not be changed, and no allowed edit of a route clearly fixes it"
        unfixed.append(Unfixed(target.name, why, target))
    of_tickets = {pair.after.ticket: pair.after for pair in proof.pairs}
    for edit in proof.reversed:
        unfixed.append(Unfixed(ticket_name(edition, edit.row), AMONG_RIVALS, of_tickets.get(edit.row)))
    return unfixed


def kinds_of(written: str) -> frozenset[str]:
    """Parse a list of kinds of edits such as `tickets,lengths`."""
    kinds = [kind.strip() for kind in written.split(",")]
    for kind in kinds:
        if kind not in KINDS:
            raise UserError(f'--allow knows {", ".join(KINDS)}, not "{kind}"')
    return frozenset(kinds)

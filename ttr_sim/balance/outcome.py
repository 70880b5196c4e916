"""Search, prove and write one balanced board."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from ttr_sim.balance.edits import Edit, edited
from ttr_sim.balance.evaluate import BOARDS, RUN_NAME, STRONG_BOTS, Evaluator
from ttr_sim.balance.proof import Proof, Unfixed, list_unfixed, prove
from ttr_sim.balance.routes import Allowed
from ttr_sim.balance.search import KINDS, TICKETS_KIND, Goal, SearchResult, search
from ttr_sim.edition import edition_names, find_folder
from ttr_sim.edition.canonical import locked
from ttr_sim.edition.model import Edition, Targets
from ttr_sim.errors import UserError
from ttr_sim.run.plan import Request, check_request
from ttr_sim.run.workers import ProgressListener, Workers

EDITED = "edited"  # the folder of the result until it is whole


@dataclass(frozen=True, slots=True)
class Order:
    """The options of a `balance` command."""

    edition: Edition
    players: tuple[int, ...]
    kinds: frozenset[str]
    locks: tuple[str, ...]
    most_edits: int
    margin: float | None
    seed: int
    out: Path

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
        """Reject impossible orders before playing."""
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


@dataclass(frozen=True)
class BalanceOutcome:
    """The result of an order."""

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
        """No target is missed on fresh deals."""
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
    found = search(evaluator, Goal(Allowed(order.kinds, locked_routes), order.most_edits, order.seed))
    proof = prove(evaluator, found)
    unfixed = list_unfixed(edition, found, proof, TICKETS_KIND in order.kinds)
    edits = found.path[-1].edits
    if edits:
        # Renamed when it is whole: half a folder would make the same command refuse its own --out.
        staged = order.work_folder / BOARDS / EDITED
        edited(edition, edits, staged)
        staged.rename(order.out)
    evaluator.clear()  # only here: after an interruption the same command goes on with the games
    return BalanceOutcome(order, found, proof, tuple(unfixed), order.out if edits else None)


def kinds_of(written: str) -> frozenset[str]:
    """Parse a list of kinds of edits such as `tickets,lengths`."""
    kinds = [kind.strip() for kind in written.split(",")]
    for kind in kinds:
        if kind not in KINDS:
            raise UserError(f'--allow knows {", ".join(KINDS)}, not "{kind}"')
    return frozenset(kinds)

"""One balance from beginning to end: what is asked, what was found, what was proven, and the folder that holds it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path

from ttr_sim.balance.bench import Bench, holds_something_else
from ttr_sim.balance.candidates import Allowed
from ttr_sim.balance.edits import Edit, edited
from ttr_sim.balance.proof import Proof, Unmended, prove, unmended
from ttr_sim.balance.search import TICKETS_KIND, Goal, SearchResult, search
from ttr_sim.edition import edition_names, find_folder
from ttr_sim.edition.locks import locked
from ttr_sim.edition.model import Edition, Targets
from ttr_sim.errors import UserError
from ttr_sim.run.backends import Workers
from ttr_sim.run.control import Watch
from ttr_sim.run.plan import Request, check_request


@dataclass(frozen=True, slots=True)
class Order:
    """What a user asks for."""

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
        """Return the designer's targets, with the margin and the locks of this order."""
        targets = self.edition.targets
        margin = targets.margin if self.margin is None else self.margin
        return replace(targets, margin=margin, locked=(*targets.locked, *self.locks))

    @property
    def work_folder(self) -> Path:
        """Return where games are kept until all is done."""
        return self.out.with_name(f"{self.out.name}-games")

    def check(self) -> None:
        """Refuse what cannot be done, before anything is played."""
        check_request(Request(self.edition, self.players, ("planner",), 1, self.seed))
        locked(self.edition, self.wanted.locked)
        if self.out.exists() or self.out.is_symlink():
            raise UserError(f"{self.out} already exists and is not overwritten; choose another folder with --out")
        if holds_something_else(self.work_folder):
            raise UserError(
                f"{self.work_folder} holds something else than games of a balance, which would be kept there; "
                "choose another folder with --out"
            )


@dataclass(frozen=True)
class BalanceOutcome:
    """What came of an order; `out` is None where nothing was to be changed."""

    order: Order
    found: SearchResult
    proof: Proof
    unmended: tuple[Unmended, ...]
    out: Path | None

    @property
    def edits(self) -> tuple[Edit, ...]:
        return self.found.path[-1].edits

    @property
    def met(self) -> bool:
        """Return whether no target is missed on fresh deals."""
        return not self.proof.missed


def default_out(named: str) -> Path:
    """Return the folder beside the original; for an official edition, in the working directory."""
    if named in edition_names():
        return Path(f"{named}-balanced")
    folder = find_folder(named)
    beside = folder if folder.name not in ("", "..") else folder.resolve()
    return beside.with_name(f"{beside.name}-balanced")


def balance(order: Order, workers: Workers, watch: Watch, command: str) -> BalanceOutcome:
    """Search, prove, and write the edited edition; what was played is removed at the end, and kept when interrupted."""
    order.check()
    bench = Bench(order.edition, order.wanted, order.players, order.work_folder, workers, watch, command)
    _, locked_routes = locked(order.edition, order.wanted.locked)
    found = search(bench, Goal(Allowed(order.kinds, locked_routes), order.most_edits, order.seed))
    proof = prove(bench, found)
    edits = found.path[-1].edits
    if edits:
        edited(order.edition, edits, order.out)
    bench.clear()
    reasons = unmended(order.edition, found, proof, TICKETS_KIND in order.kinds)
    return BalanceOutcome(order, found, proof, tuple(reasons), order.out if edits else None)


def kinds_of(written: str, known: Collection[str]) -> frozenset[str]:
    """Return the kinds of edits in a list such as `tickets,lengths`."""
    kinds = [kind.strip() for kind in written.split(",")]
    for kind in kinds:
        if kind not in known:
            raise UserError(f'--allow knows {", ".join(known)}, not "{kind}"')
    return frozenset(kinds)

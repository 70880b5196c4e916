"""What the games of one board say about its targets, and what one board gains over another on the same deals."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ttr_sim.analysis import contention, rewards, seats, tickets
from ttr_sim.analysis.analysis import Analysis
from ttr_sim.analysis.jackknife import Estimate, Floats, derive
from ttr_sim.analysis.source import Source, sources_of
from ttr_sim.analysis.tables import TABLES
from ttr_sim.balance.edits import Edit
from ttr_sim.balance.targets import (
    CLAIMED,
    FOUGHT_OVER,
    LOCKED_OUT,
    TICKET,
    Key,
    Limit,
    Target,
    beyond,
    find_targets,
    route_name,
    ticket_name,
)
from ttr_sim.edition.model import Edition, Targets
from ttr_sim.run.opened import Run


@dataclass(frozen=True)
class MeasuredBoard:
    """The original with some edits, what was played on it, and what that says of its targets."""

    edits: tuple[Edit, ...]
    runs: tuple[Run, ...]
    targets: tuple[Target, ...]

    @property
    def missed(self) -> list[Target]:
        return [target for target in self.targets if target.met is False]

    @property
    def worst(self) -> float:
        """Return how far the worst missed target is beyond its limit, as a part of it."""
        return max((target.beyond for target in self.missed), default=0.0)

    @property
    def beyond(self) -> float:
        """Return how far all targets together are beyond their limits, in parts of them."""
        return sum(target.beyond for target in self.targets)

    def by_key(self) -> dict[Key, Target]:
        return {target.key: target for target in self.targets}


def measure_board(
    edits: Iterable[Edit], runs: Sequence[Run], wanted: Targets, bots: Collection[str], styles: Sequence[Run] = ()
) -> MeasuredBoard:
    """Measure what the targets ask for, by these bots, and no other table of an analysis; `styles` are runs with one
    seat that plays differently."""
    sources = sources_of(runs)
    deals = [tickets.Deals(source).of(bots) for source in sources]
    tables = {name: pd.DataFrame(columns=table.column_names) for name, table in TABLES.items()}
    tables |= {"ticket_value": tickets.ticket_value(deals), "seats": seats.seats(sources)}
    if claims := [contention.Claims(source) for source in sources if source.has_turns]:
        tables |= {"routes": contention.routes(claims), "connections": contention.connections(claims)}
    if styles:
        tables["rewards"] = rewards.rewards(styles)
    analysis = Analysis(runs[0].edition, (), tables, {}, ())
    return MeasuredBoard(tuple(sorted(edits)), tuple(runs), tuple(find_targets(analysis, wanted)))


Estimates = dict[Key, Estimate]


def estimates(runs: Sequence[Run], targets: Iterable[Target]) -> Estimates:
    """Return what can be set beside another board's, block by block, of these targets where the board has them."""
    sources = sources_of(runs)
    edition = runs[0].edition
    deals = [tickets.Deals(source) for source in sources]
    value = tickets.measure_values(deals).estimates["excess"]
    found = {(ticket_name(edition, row), TICKET, 0): _one(value, row) for row in range(len(edition.tickets))}
    for source in sources:
        found |= _of_routes(edition, source)
    return {key: found[known] for key, known in ((t.key, _known(t)) for t in targets) if known in found}


def gain(before: Estimates, after: Estimates, targets: Iterable[Target]) -> Estimate:
    """Return how much less the targets are beyond their limits on the second board, all together and in parts of those
    limits; what is within its limit on both adds nothing."""
    both = [(target.key, target.limit) for target in targets]
    gains = [
        derive(_less_beyond(limit), before[key], after[key]) for key, limit in both if key in before and key in after
    ]
    return derive(lambda *parts: np.sum(parts, axis=0), *gains)


def _less_beyond(limit: Limit) -> Callable[[Floats, Floats], Floats]:
    return lambda old, new: beyond(old, limit) - beyond(new, limit)


def _known(target: Target) -> Key:
    return target.name, target.measure, target.players


def _of_routes(edition: Edition, source: Source) -> Estimates:
    claims = contention.Claims(source)
    connections, routes = contention.measure_connections(claims), contention.measure_routes(claims)
    groups = [route.group for route in edition.routes]
    found = {}
    for place, group in enumerate(connections.keys["group"]):
        name = route_name(edition, groups.index(group))
        for measure, column in ((CLAIMED, "claims"), (FOUGHT_OVER, "contention")):
            found[name, measure, source.players] = _one(connections.estimates[column], place)
    for row in range(len(edition.routes)):
        found[route_name(edition, row), LOCKED_OUT, source.players] = _one(routes.estimates["denial"], row)
    return found


def _one(estimate: Estimate, place: int) -> Estimate:
    return estimate.pick(np.array([place]))

"""Targets of a board and their limits.

There is one target for each ticket, connection, route, seat and style in the tables of an analysis of the strong field,
without those that the designer locked. Limits are the designer's (`[targets]` in edition.toml), else those of the
official boards.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import pandas as pd
from scipy import special

from ttr_sim.analysis.jackknife import Floats
from ttr_sim.analysis.routes import route_facts
from ttr_sim.analysis.thresholds import CLEAR_MARGIN, LEVEL
from ttr_sim.edition.canonical import locked, route_keys
from ttr_sim.edition.model import Edition, Targets

if TYPE_CHECKING:
    from ttr_sim.analysis.analysis import Analysis

Limit = tuple[float | None, float | None]
Numbers = TypeVar("Numbers", np.float64, Floats)
Key = tuple[str, str, int]

TICKET, CLAIMED, FOUGHT_OVER, LOCKED_OUT = "win_effect", "claims", "contention", "denial"
SEAT, STYLE = "seat", "style"
ANY_COUNT = -1
# The most that any connection is fought over, and any route locks out, on an official board among strong players, by
# player count; rounded up.
OFFICIAL = {
    FOUGHT_OVER: {2: 0.77, 3: 0.94, 4: 0.98, 5: 1.18},
    LOCKED_OUT: {2: 0.77, 3: 0.94, 4: 0.98, 5: 1.0},
}


@dataclass(frozen=True, slots=True)
class Target:
    """One measured number with its limit, as shares of 1.

    `low` to `high` is the 95 % interval, corrected for the number of targets of its kind. An end of `limit` is None
    where it is open.
    """

    name: str  # `ticket A–B deck`, `route A–B color copy`, `seat N`, `style NAME`
    measure: str
    players: int  # 0: all player counts together
    value: float
    low: float
    high: float
    limit: Limit
    ticket: int | None = None  # its row in tickets.csv, which no edit changes; None where no ticket is measured

    @property
    def key(self) -> Key:
        """Identity of the target across edited boards."""
        # Claims are judged at the player count that has most of them, which an edit may change.
        return self.name, self.measure, ANY_COUNT if self.measure == CLAIMED else self.players

    @property
    def interval(self) -> Limit:
        """Low and high ends for JSON, which has no NaN."""
        return None if math.isnan(self.low) else self.low, None if math.isnan(self.high) else self.high

    @property
    def met(self) -> bool | None:
        """True when met, False when missed, None while open."""
        floor, ceiling = self.limit
        low_end, high_end = -math.inf if floor is None else floor, math.inf if ceiling is None else ceiling
        if self.high < low_end or self.low > high_end:
            return False
        one_sided = None in self.limit
        if one_sided and low_end <= self.low and self.high <= high_end:
            return True
        # Within the limit is not enough: the half-width must be at most half of the room there is.
        room = min(abs(low_end), abs(high_end)) if one_sided else (high_end - low_end) / 2
        is_sharp = (self.high - self.low) / 2 <= room / 2
        return True if low_end <= self.value <= high_end and is_sharp else None

    @property
    def beyond(self) -> float:
        """Distance of the value beyond the limit, relative to it (0 within)."""
        return float(beyond(np.float64(self.value), self.limit))


def beyond(values: Numbers, limit: Limit) -> Numbers:
    """Distance of values beyond a limit, relative to it (0 within)."""
    floor, ceiling = limit
    parts = [values * 0.0]
    if floor is not None:
        parts.append((floor - values) / (abs(floor) or 1.0))
    if ceiling is not None:
        parts.append((values - ceiling) / (abs(ceiling) or 1.0))
    return reduce(np.maximum, parts)


def find_targets(analysis: Analysis, wanted: Targets | None = None) -> list[Target]:
    """List all targets that are not locked, by default with the designer's limits."""
    wanted = wanted or analysis.edition.targets
    tickets, routes = locked(analysis.edition, wanted.locked)
    families = (
        _tickets(analysis, wanted, tickets),
        _routes(analysis, wanted, routes),
        _seats(analysis, wanted),
        _styles(analysis),
    )
    return [target for family in families for target in _corrected(list(family))]


def as_rows(targets: list[Target]) -> list[dict[str, Any]]:
    """Targets as `study --json` prints them."""
    rows = []
    for target in targets:
        row: dict[str, Any] = {"name": target.name, "measure": target.measure, "players": target.players}
        row["value"], (row["low"], row["high"]) = target.value, target.interval
        rows.append({**row, "limit": list(target.limit), "met": target.met})
    return rows


def ticket_name(edition: Edition, row: int) -> str:
    ticket = edition.tickets[row]
    number = f" {ticket.copy}" if ticket.copy else ""
    return f"ticket {ticket.a}–{ticket.b} {edition.decks[ticket.deck].name}{number}"


def route_names(edition: Edition) -> list[str]:
    names = []
    for route, (*_, color, copy) in zip(edition.routes, route_keys(edition), strict=True):
        names.append(f"route {edition.cities[route.a].name}–{edition.cities[route.b].name} {color} {copy}")
    return names


def _tickets(analysis: Analysis, wanted: Targets, held: frozenset[int]) -> Iterator[Target]:
    """Each ticket's wins beyond its class, all player counts together."""
    table, margin = analysis.tables["ticket_value"], wanted.margin / 100
    together = table[(table["players"] == table["players"].min()) & ~table["ticket"].isin(held)]
    for _, row in together.iterrows():
        ticket = int(row["ticket"])
        target = _target(ticket_name(analysis.edition, ticket), TICKET, row, "excess", (-margin, margin))
        yield replace(target, players=0, ticket=ticket)


def _routes(analysis: Analysis, wanted: Targets, held: frozenset[int]) -> Iterator[Target]:
    """Claims of each connection where they are most, how often it is fought over, and lockouts of each route."""
    edition, tables = analysis.edition, analysis.tables
    groups, names = [route.group for route in edition.routes], route_names(edition)
    locked_groups = {groups[row] for row in held}
    connections = tables["connections"][~tables["connections"]["group"].isin(locked_groups)]
    # A connection is dead only if it is hardly claimed at any player count.
    busiest = connections.sort_values("claims").drop_duplicates("group", keep="last").sort_index()
    for _, row in busiest.iterrows():
        name = names[groups.index(row["group"])]
        yield _target(name, CLAIMED, row, "claims", (wanted.claimed / 100, None))
    for _, row in connections.iterrows():
        limit = _most(FOUGHT_OVER, wanted.fought_over, row["players"])
        yield _target(names[groups.index(row["group"])], FOUGHT_OVER, row, "contention", (None, limit))
    # Identical parallel routes share their numbers, so the first stands for all.
    twins = list(route_facts(edition)["twins"])
    for _, row in tables["routes"].iterrows():
        if row["route"] == twins[row["route"]] and row["group"] not in locked_groups:
            limit = _most(LOCKED_OUT, wanted.locked_out, row["players"])
            yield _target(names[row["route"]], LOCKED_OUT, row, "denial", (None, limit))


def _most(measure: str, wanted: float | None, players: int) -> float:
    """Designer's limit, or the official maximum."""
    official = OFFICIAL[measure]
    return official[min(players, max(official))] if wanted is None else wanted / 100


def _seats(analysis: Analysis, wanted: Targets) -> Iterator[Target]:
    """Win share of each seat, limited only on request."""
    for _, row in analysis.tables["seats"].iterrows():
        off = None if wanted.seats is None else wanted.seats / 100
        limit = (None, None) if off is None else (row["fair"] - off, row["fair"] + off)
        yield _target(f"seat {row['seat']:.0f}", SEAT, row, "win_share", limit)


def _styles(analysis: Analysis) -> Iterator[Target]:
    """Wins of a single seat that plays differently among strong ones."""
    for _, row in analysis.tables["rewards"].iterrows():
        yield _target(f"style {row['variant']}", STYLE, row, "win_share", (None, row["fair"] + CLEAR_MARGIN))


def _target(name: str, measure: str, row: pd.Series, column: str, limit: Limit) -> Target:
    value, low, high = (float(row[f"{column}{end}"]) for end in ("", "_low", "_high"))
    return Target(name, measure, int(row["players"]), value, low, high, limit)


def _corrected(targets: list[Target]) -> list[Target]:
    """Widen the intervals of a family so that all hold the truth in 95 of 100 studies (Bonferroni)."""
    tail = (1 - LEVEL) / 2
    wider = special.ndtri(tail / max(len(targets), 1)) / special.ndtri(tail)
    return [
        replace(
            target,
            low=target.value - (target.value - target.low) * wider,
            high=target.value + (target.high - target.value) * wider,
        )
        for target in targets
        if not math.isnan(target.value)
    ]

"""Targets: what is asked of a board, and whether the games show that it is so.

`find_targets(analysis)` returns one Target for each ticket, connection, route, seat and style, from the tables of an
analysis of the strong field, without what the designer locked. The limits are the designer's (`[targets]` in
edition.toml), else what the official boards show.
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

from ttr_sim.analysis.facts import route_facts
from ttr_sim.analysis.jackknife import Floats
from ttr_sim.analysis.thresholds import CLEAR_MARGIN, LEVEL
from ttr_sim.edition.canonical import route_keys
from ttr_sim.edition.locks import locked
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
    """One thing asked of the board. Shares are of 1, and `low` to `high` is the 95 % interval, corrected for the number
    of targets of its kind; an end of `limit` is None where it is open."""

    name: str  # `ticket A–B deck`, `route A–B color copy`, `seat N`, `style NAME`
    measure: str
    players: int  # 0: all player counts together
    value: float
    low: float
    high: float
    limit: Limit

    @property
    def key(self) -> Key:
        """Return what finds the same target on an edited board; claims are judged at the count that has most."""
        return self.name, self.measure, ANY_COUNT if self.measure == CLAIMED else self.players

    @property
    def met(self) -> bool | None:
        """Return False when the interval lies wholly beyond the limit; True when the value is within it and known
        to half of it, or when all of the interval is within a limit that is open on one side; else None, for open."""
        floor, ceiling = (end if end is not None else math.copysign(math.inf, side) for end, side in self._ends)
        if self.high < floor or self.low > ceiling:
            return False
        half_width = (self.high - self.low) / 2
        one_sided = None in self.limit
        room = min(abs(floor), abs(ceiling)) if one_sided else (ceiling - floor) / 2
        if one_sided and floor <= self.low and self.high <= ceiling:
            return True
        return True if floor <= self.value <= ceiling and half_width <= room / 2 else None

    @property
    def beyond(self) -> float:
        """Return how far the value is beyond the limit, as a part of it; 0 within."""
        return float(beyond(np.float64(self.value), self.limit))

    @property
    def _ends(self) -> tuple[tuple[float | None, int], tuple[float | None, int]]:
        return (self.limit[0], -1), (self.limit[1], 1)


def beyond(values: Numbers, limit: Limit) -> Numbers:
    """Return how far values are beyond a limit, in parts of it; 0 within."""
    parts = [
        sign * (values - end) / (abs(end) or 1.0) for sign, end in zip((-1, 1), limit, strict=True) if end is not None
    ]
    return reduce(np.maximum, parts, values * 0.0)


def find_targets(analysis: Analysis, wanted: Targets | None = None) -> list[Target]:
    """Return all targets of the analyzed edition but those that are locked; by default what its designer wants."""
    edition = analysis.edition
    wanted = wanted or edition.targets
    tickets, routes = locked(edition, wanted.locked)
    families = (
        _tickets(analysis, wanted, tickets),
        _routes(analysis, wanted, routes),
        _seats(analysis, wanted),
        _styles(analysis),
    )
    return [target for family in families for target in _corrected(list(family))]


def as_rows(targets: list[Target]) -> list[dict[str, Any]]:
    """Return the targets as `study --json` prints them; `met` is true, false, or null while open."""
    return [
        {
            "name": target.name,
            "players": target.players,
            "value": target.value,
            "low": target.low,
            "high": target.high,
            "limit": list(target.limit),
            "met": target.met,
        }
        for target in targets
    ]


def ticket_name(edition: Edition, row: int) -> str:
    ticket = edition.tickets[row]
    number = f" {ticket.copy}" if ticket.copy else ""
    return f"ticket {ticket.a}–{ticket.b} {edition.decks[ticket.deck].name}{number}"


def route_name(edition: Edition, row: int) -> str:
    route = edition.routes[row]
    names = edition.cities[route.a].name, edition.cities[route.b].name
    *_, color, copy = route_keys(edition)[row]
    return f"route {'–'.join(names)} {color} {copy}"


def _tickets(analysis: Analysis, wanted: Targets, held: frozenset[int]) -> Iterator[Target]:
    """Yield each ticket's wins beyond its class, all player counts together."""
    table, margin = analysis.tables["ticket_value"], wanted.margin / 100
    together = table[(table["players"] == table["players"].min()) & ~table["ticket"].isin(held)]
    several = table["players"].nunique() > 1
    for _, row in together.iterrows():
        name = ticket_name(analysis.edition, int(row["ticket"]))
        yield _target(name, TICKET, row, "excess", (-margin, margin), int(row["players"]) if several else 0)


def _routes(analysis: Analysis, wanted: Targets, held: frozenset[int]) -> Iterator[Target]:
    """Yield the claims of each connection where they are most, how often it is fought over, and how often each of its
    routes locks somebody out."""
    edition, tables = analysis.edition, analysis.tables
    groups = [route.group for route in edition.routes]
    locked_groups = {groups[row] for row in held}
    connections = tables["connections"][~tables["connections"]["group"].isin(locked_groups)]
    for _, row in connections.sort_values("claims").drop_duplicates("group", keep="last").sort_index().iterrows():
        name = route_name(edition, groups.index(row["group"]))
        yield _target(name, CLAIMED, row, "claims", (wanted.claimed / 100, None))
    for _, row in connections.iterrows():
        limit = most(FOUGHT_OVER, wanted.fought_over, row["players"])
        yield _target(route_name(edition, groups.index(row["group"])), FOUGHT_OVER, row, "contention", (None, limit))
    looks = list(route_facts(edition)["twins"])
    for _, row in tables["routes"].iterrows():
        if row["route"] == looks[row["route"]] and row["group"] not in locked_groups:
            limit = most(LOCKED_OUT, wanted.locked_out, row["players"])
            yield _target(route_name(edition, row["route"]), LOCKED_OUT, row, "denial", (None, limit))


def most(measure: str, wanted: float | None, players: int) -> float:
    """Return the most that is wanted of a measure, by default what is seen on the official boards."""
    official = OFFICIAL[measure]
    return official[min(players, max(official))] if wanted is None else wanted / 100


def _seats(analysis: Analysis, wanted: Targets) -> Iterator[Target]:
    """Yield the wins of each seat: shown, and limited only where the designer says so."""
    for _, row in analysis.tables["seats"].iterrows():
        off = None if wanted.seats is None else wanted.seats / 100
        limit = (None, None) if off is None else (row["fair"] - off, row["fair"] + off)
        yield _target(f"seat {row['seat']:.0f}", SEAT, row, "win_share", limit)


def _styles(analysis: Analysis) -> Iterator[Target]:
    """Yield the wins of one seat among strong ones that plays differently."""
    for _, row in analysis.tables["rewards"].iterrows():
        yield _target(f"style {row['variant']}", STYLE, row, "win_share", (None, row["fair"] + CLEAR_MARGIN))


def _target(name: str, measure: str, row: pd.Series, column: str, limit: Limit, players: int | None = None) -> Target:
    value, low, high = (float(row[f"{column}{end}"]) for end in ("", "_low", "_high"))
    return Target(name, measure, int(row["players"]) if players is None else players, value, low, high, limit)


def _corrected(targets: list[Target]) -> list[Target]:
    """Widen the intervals of a family so that all of them hold the truth in 95 of 100 studies (Bonferroni)."""
    quantile = special.ndtri((1 - LEVEL) / 2 / max(len(targets), 1)) / special.ndtri((1 - LEVEL) / 2)
    return [
        replace(
            target,
            low=target.value - (target.value - target.low) * quantile,
            high=target.value + (target.high - target.value) * quantile,
        )
        for target in targets
        if not math.isnan(target.value)
    ]

"""Targets of a board: limits for its tickets, routes, turn order and styles, and whether they are met.

Everything that judges a board asks these targets. Limits are the designer's (`[targets]` in edition.toml), else the
official boards'. Intervals are corrected within each kind of target (Bonferroni).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, TypeVar

import numpy as np
import pandas as pd
from scipy import special

from ttr_sim.analysis.jackknife import Floats
from ttr_sim.analysis.official import FIERCEST, FIRST_SEAT, LOCKED_OUT_MOST, official_most
from ttr_sim.analysis.routes import route_facts
from ttr_sim.analysis.thresholds import CLEAR_MARGIN, LEVEL, SEAT_ROOM
from ttr_sim.edition.canonical import locked, route_keys
from ttr_sim.edition.model import Edition, Targets

Tables = Mapping[str, pd.DataFrame]
Limit = tuple[float | None, float | None]
Numbers = TypeVar("Numbers", np.float64, Floats)
Key = tuple[str, str, int]

MET, OPEN, MISSED = "met", "open", "missed"
GENEROUS, STINGY = "generous", "stingy"
# Measures, and the topic that each belongs to.
TICKET, CLAIMED, FOUGHT_OVER, LOCKED_OUT, SEAT, STYLE = "excess", "claims", "contention", "denial", "seat", "style"
TICKETS, ROUTES, TURN_ORDER, STRATEGY = "tickets", "routes", "turn order", "strategy"
TOPICS = {TICKET: TICKETS, CLAIMED: ROUTES, FOUGHT_OVER: ROUTES, LOCKED_OUT: ROUTES, SEAT: TURN_ORDER, STYLE: STRATEGY}
ANY_COUNT = -1
MOST_TIMES = 100  # as many games as there are, at most, are named to settle a target


@dataclass(frozen=True, slots=True)
class Target:
    """One measured number with its limit, as shares of 1.

    `low` to `high` is the 95 % interval, corrected for the number of targets of its kind. An end of `limit` is None
    where it is open.
    """

    name: str  # `ticket A–B deck`, `route A–B color copy`, `seat N`, `style NAME`
    measure: str
    players: int  # 0: all player counts together
    value: float  # NaN: not measured
    low: float
    high: float
    limit: Limit
    row: int | None = None  # of tickets.csv or routes.csv, which no edit changes

    @property
    def topic(self) -> str:
        return TOPICS[self.measure]

    @property
    def ticket(self) -> int | None:
        return self.row if self.measure == TICKET else None

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
    def state(self) -> str | None:
        """Met, open or missed, or None where nothing was measured."""
        if math.isnan(self.value):
            return None
        floor, ceiling = self.limit
        low_end, high_end = -math.inf if floor is None else floor, math.inf if ceiling is None else ceiling
        if self.high < low_end or self.low > high_end:
            return MISSED
        one_sided = None in self.limit
        if one_sided and low_end <= self.low and self.high <= high_end:
            return MET
        # Within the limit is not enough: the half-width must be at most half of the room there is.
        room = min(abs(low_end), abs(high_end)) if one_sided else (high_end - low_end) / 2
        is_sharp = (self.high - self.low) / 2 <= room / 2
        return MET if low_end <= self.value <= high_end and is_sharp else OPEN

    @property
    def side(self) -> str:
        """Generous or stingy, for a ticket beyond its limit."""
        if self.measure != TICKET or self.state not in (OPEN, MISSED) or not self.beyond:
            return ""
        return GENEROUS if self.value > 0 else STINGY

    @property
    def beyond(self) -> float:
        return 0.0 if math.isnan(self.value) else float(beyond(np.float64(self.value), self.limit))

    def games_to_settle(self, games: int) -> int:
        """Estimate the games per player count that settle an open target."""
        ends = [end for end in self.limit if end is not None]
        needed = min(abs(self.value - end) for end in ends)
        if not self.beyond:
            # Half of the room, as the state asks; an interval wholly on one side of the limit is as good.
            needed = (ends[1] - ends[0]) / 4 if len(ends) == 2 else max(needed, abs(ends[0]) / 2)
        factor = ((self.high - self.low) / 2 / needed) ** 2 if needed else math.inf
        if math.isnan(factor):  # a single block has no interval
            factor = MOST_TIMES
        needed_games = games * min(max(factor, 1.0), MOST_TIMES)
        step: int = 10 ** max(len(str(int(needed_games))) - 2, 0)  # two digits are enough
        return math.ceil(needed_games / step) * step


def beyond(values: Numbers, limit: Limit) -> Numbers:
    """Distance of values beyond a limit, relative to it (0 within)."""
    floor, ceiling = limit
    parts = [values * 0.0]
    if floor is not None:
        parts.append((floor - values) / (abs(floor) or 1.0))
    if ceiling is not None:
        parts.append((values - ceiling) / (abs(ceiling) or 1.0))
    return reduce(np.maximum, parts)


def find_targets(edition: Edition, tables: Tables, wanted: Targets | None = None) -> list[Target]:
    """List all targets that are not locked, by default with the designer's limits."""
    wanted = wanted or edition.targets
    tickets, routes = locked(edition, wanted.locked)
    families = (
        targets_of_tickets(edition, tables["ticket_value"], wanted, tickets),
        targets_of_routes(edition, tables, wanted, routes),
        targets_of_seats(tables["seats"], wanted),
        targets_of_styles(tables["rewards"]),
    )
    found, tail = [], (1 - LEVEL) / 2
    for family in families:
        # Intervals of a kind become so wide that all hold the truth in 95 of 100 studies (Bonferroni).
        known = [target for target in family if target.measure == TICKET or not math.isnan(target.value)]
        wider = special.ndtri(tail / max(len(known), 1)) / special.ndtri(tail)
        for target in known:
            low = target.value - (target.value - target.low) * wider
            high = target.value + (target.high - target.value) * wider
            found.append(replace(target, low=low, high=high))
    return found


def targets_of_tickets(
    edition: Edition, ticket_value: pd.DataFrame, wanted: Targets, held: frozenset[int]
) -> Iterator[Target]:
    """Each ticket's wins beyond tickets of its length, all player counts together."""
    margin = wanted.margin / 100
    together = ticket_value[ticket_value["players"] == ticket_value["players"].min()]
    for _, row in together[~together["ticket"].isin(held)].iterrows():
        ticket = int(row["ticket"])
        target = _target(ticket_name(edition, ticket), TICKET, row, "excess", (-margin, margin), ticket)
        yield replace(target, players=0)


def targets_of_routes(edition: Edition, tables: Tables, wanted: Targets, held: frozenset[int]) -> Iterator[Target]:
    """Claims and fights of each connection, and lockouts of each route."""
    groups, names = [route.group for route in edition.routes], route_names(edition)
    locked_groups = {groups[row] for row in held}
    connections = tables["connections"][~tables["connections"]["group"].isin(locked_groups)]
    # A connection is dead only if it is hardly claimed at any player count.
    busiest = connections.sort_values("claims").drop_duplicates("group", keep="last").sort_index()
    for _, row in busiest.iterrows():
        first = groups.index(row["group"])
        yield _target(names[first], CLAIMED, row, "claims", (wanted.claimed / 100, None), first)
    for _, row in connections.iterrows():
        first = groups.index(row["group"])
        limit = official_most(FIERCEST, row["players"]) if wanted.fought_over is None else wanted.fought_over / 100
        yield _target(names[first], FOUGHT_OVER, row, "contention", (None, limit), first)
    # Identical parallel routes share their numbers, so the first stands for all.
    twins = list(route_facts(edition)["twins"])
    for _, row in tables["routes"].iterrows():
        route = int(row["route"])
        if route == twins[route] and row["group"] not in locked_groups:
            limit = official_most(LOCKED_OUT_MOST, row["players"])
            limit = limit if wanted.locked_out is None else wanted.locked_out / 100
            yield _target(names[route], LOCKED_OUT, row, "denial", (None, limit), route)


def targets_of_seats(seats: pd.DataFrame, wanted: Targets) -> Iterator[Target]:
    """The largest win share at each player count, or every seat's on request."""
    if wanted.seats is not None:
        off = wanted.seats / 100
        for _, row in seats.iterrows():
            yield _target(f"seat {row['seat']:.0f}", SEAT, row, "win_share", (row["fair"] - off, row["fair"] + off))
        return
    largest = seats.sort_values(["players", "win_share"]).drop_duplicates("players", keep="last")
    for _, row in largest.iterrows():
        limit = official_most(FIRST_SEAT, row["players"]) + SEAT_ROOM
        yield _target(f"seat {row['seat']:.0f}", SEAT, row, "win_share", (None, limit))


def targets_of_styles(rewards: pd.DataFrame) -> Iterator[Target]:
    """Wins of a single seat that plays differently among strong ones."""
    for _, row in rewards.iterrows():
        yield _target(f"style {row['variant']}", STYLE, row, "win_share", (None, row["fair"] + CLEAR_MARGIN))


def _target(name: str, measure: str, numbers: pd.Series, column: str, limit: Limit, row: int | None = None) -> Target:
    value, low, high = (float(numbers[f"{column}{end}"]) for end in ("", "_low", "_high"))
    return Target(name, measure, int(numbers["players"]), value, low, high, limit, row)


def as_rows(targets: Sequence[Target]) -> list[dict[str, Any]]:
    """Targets as `study --json` prints them."""
    rows = []
    for target in targets:
        row: dict[str, Any] = {"name": target.name, "measure": target.measure, "players": target.players}
        row["value"] = None if math.isnan(target.value) else target.value
        row["low"], row["high"] = target.interval
        rows.append({**row, "limit": list(target.limit), "state": target.state})
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

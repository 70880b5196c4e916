"""Which routes do players fight over, who is locked out, and what is never used?

Wants are the plans that bots published, so contention is measured. A seat whose bot publishes none never counts as
wanting.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_

import numpy as np
import pandas as pd

from ttr_sim.analysis.columns import Ints
from ttr_sim.analysis.expectation import Expectation, expect
from ttr_sim.analysis.facts import city_facts, route_facts
from ttr_sim.analysis.jackknife import Estimate, derive, divide, ratio
from ttr_sim.analysis.rows import Rows, Table
from ttr_sim.analysis.source import Question, Source
from ttr_sim.analysis.sums import Measured, Sums, every, stack, tally
from ttr_sim.analysis.tables import CITIES, CONNECTIONS, ROUTES
from ttr_sim.analysis.thresholds import LEAST_SEATS
from ttr_sim.edition.model import Edition

LONGEST = 1 << 16  # turns of a game and more


@dataclass(frozen=True)
class Lanes:
    """By route: its group of parallel routes, and how many they are."""

    group: Ints
    ways: Ints

    @classmethod
    def of(cls, edition: Edition) -> Lanes:
        group = np.array([route.group for route in edition.routes])
        return cls(group, np.bincount(group)[group])


def contested(rows: Rows) -> Table:
    """Return the claims of routes that others wanted: `rivals` is a mask of their seats, `own` says whether the claimer
    wanted it, too, and `place` is where the claim stands among all."""
    claims = rows.claims
    wanted, own = claims["wanted_by"], np.uint8(1) << claims["seat"].astype(np.uint8)
    place = np.flatnonzero(claims["claimed"] & ((wanted & ~own) != 0))
    wanted, own = wanted[place].astype(np.int64), own[place].astype(np.int64)
    found = {name: claims[name][place] for name in ("game", "seat", "route")}
    return Table({**found, "rivals": wanted & ~own, "own": (wanted & own) != 0, "place": place}, claims.groups)


def by_route(rows: Rows) -> Sums:
    """Add up claims, their rounds and the wins of who claimed, tries, and games in which the route was contested."""
    tries, keys = rows.claims, every(route=range(len(rows.edition.routes)))
    claims, taken = tries.where(tries["claimed"]), contested(rows)
    winners = rows.games["winners"]
    share = 1 / np.maximum(np.bitwise_count(winners), 1)
    has_won = (winners[claims.game] >> claims["seat"].astype(np.uint8)) & 1
    wins = has_won * share[claims.game]
    rounds = claims["turn"] // rows.players + 1
    return (
        tally(keys, claims.grp, claims["route"], claims=None, round=rounds, wins=wins)
        | tally(keys, tries.grp, tries["route"], tries=None)
        | tally(keys, taken.grp, taken["route"], contested=None)
    )


@dataclass(frozen=True)
class ByRival:
    """Adds up the games in which a route's claim denied it to somebody; and what is left of the outcomes of those who
    were denied it, and of those who got it before a rival."""

    expectation: Expectation

    def __call__(self, rows: Rows) -> Sums:
        left, taken, keys = self.expectation.left(rows), contested(rows), every(route=range(len(rows.edition.routes)))
        denied = denials(rows, taken)
        seat = np.arange(rows.players)
        at, out = np.nonzero((denied["denied"][:, None] >> seat) & 1)
        loser = rows.row_of_seat(denied.game[at], out)
        got = taken.where(taken["own"])
        winner = rows.row_of_seat(got.game, got["seat"])
        of_losers = {"denied_win": left.win[loser], "denied_points": left.points[loser]}
        of_winners = {"got_win": left.win[winner], "got_points": left.points[winner]}
        return (
            tally(keys, denied.grp, denied["route"], denials=None)
            | tally(keys, denied.grp[at], denied["route"][at], denied_n=None, **of_losers)
            | tally(keys, got.grp, got["route"], got_n=None, **of_winners)
        )


def denials(rows: Rows, taken: Table) -> Table:
    """Return the contested claims that left rivals (`denied`) no parallel route: there is none, or all are closed with
    the claim, or the claim took the last one. A rival that owns one of them already has what it wanted."""
    lanes = Lanes.of(rows.edition)
    others = lanes.ways[taken["route"]] - 1
    if rows.players <= rows.edition.closed_up_to_players:
        others[:] = 0
    before, owners = _earlier(rows, lanes) if others.any() else np.zeros((2, len(rows.claims.game)), np.int64)
    is_last = (others == 0) | (before[taken["place"]] == others)
    denied = np.where(is_last, taken["rivals"] & ~np.where(others > 0, owners[taken["place"]], 0), 0)
    return Table({**taken.columns, "denied": denied}, taken.groups).where(denied != 0)


def _earlier(rows: Rows, lanes: Lanes) -> tuple[Ints, Ints]:
    """Return for each claim how many claims of parallel routes came before it, and a mask of who made them."""
    claims = rows.claims
    at = np.flatnonzero(claims["claimed"] & (lanes.ways > 1)[claims["route"]])
    connection = claims.game[at] * len(lanes.group) + lanes.group[claims["route"][at]]
    order = np.argsort(connection * LONGEST + claims["turn"][at])
    at, connection = at[order], connection[order]
    owner = 1 << claims["seat"][at].astype(np.int64)
    before, owners = np.zeros((2, len(claims.game)), np.int64)
    for distance in range(1, int(lanes.ways.max())):
        is_same = connection[distance:] == connection[:-distance]
        before[at[distance:]] += is_same
        owners[at[distance:]] |= np.where(is_same, owner[:-distance], 0)
    return before, owners


def by_city(rows: Rows) -> Sums:
    stations = rows.stations
    return tally(every(city=range(len(rows.edition.cities))), stations.grp, stations["city"], stations=None)


class Claims:
    """All sums over claims of one player count, each for all routes.

    Identical parallel routes share their numbers: which of them a bot takes means nothing.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.routes = route_facts(source.edition)
        source.answer(_questions_of_routes(source))
        found = [source.take(question).spread_over(self.routes[["route"]]) for question in _questions_of_routes(source)]
        self.sums = reduce(or_, found).shared_among(self.routes["twins"].to_numpy())


def questions_of_claims(source: Source) -> list[Question[Sums]]:
    """Return all that is asked of the turns of claims and stations."""
    return [*_questions_of_routes(source), *([by_city] if source.edition.stations else [])]


def _questions_of_routes(source: Source) -> tuple[Question[Sums], Question[Sums]]:
    return by_route, ByRival(expect(source, by_mix=False))


def routes(claims: Sequence[Claims]) -> pd.DataFrame:
    """Measure claims, contention and denial of each route, per game.

    What denied seats ended with is compared with the mean of the same bot in the same seat (taken as known), and set
    beside seats that got the route they and a rival wanted. Both are descriptions: being denied is no matter of chance
    alone, so the gap between them is not an effect.
    """
    return stack(ROUTES, [measure_routes(part) for part in claims])


def connections(claims: Sequence[Claims]) -> pd.DataFrame:
    """Measure the same with parallel routes added up."""
    return stack(CONNECTIONS, [measure_connections(part) for part in claims])


def cities(claims: Sequence[Claims]) -> pd.DataFrame:
    """Count claims of routes that end in a city, and stations built there, per game."""
    return stack(CITIES, [measure_cities(part) for part in claims])


def measure_routes(claims: Claims) -> Measured:
    sums, source = claims.sums, claims.source
    is_tunnel = (claims.routes["kind"] == "tunnel").to_numpy()
    estimates = {
        "claimed": source.per_game(sums["claims"]),
        "round": sums.mean("round", of="claims"),
        "claimer_win_share": sums.mean("wins", of="claims"),
        "given_up": ratio((sums["tries"] - sums["claims"]) * is_tunnel, sums["tries"] * is_tunnel),
    }
    if source.planning:
        estimates |= {
            "contention": source.per_game(sums["contested"]),
            "denial": source.per_game(sums["denials"]),
            "denied_points": _of_enough(sums.mean("denied_points", of="denied_n")),
            "denied_win": _of_enough(sums.mean("denied_win", of="denied_n")),
            "got_points": _of_enough(sums.mean("got_points", of="got_n")),
            "got_win": _of_enough(sums.mean("got_win", of="got_n")),
        }
    keys = claims.routes.assign(
        players=source.players, n=source.games, denied_n=sums.total("denied_n").round().astype(np.int64)
    )
    return Measured(keys, estimates, source.blocks)


def _of_enough(mean: Estimate) -> Estimate:
    """Leave out the interval of a mean of so few seats that it would be too sure of itself."""
    return replace(mean, groups=np.where(mean.trials < LEAST_SEATS, 1, mean.groups))


def measure_connections(claims: Claims) -> Measured:
    source, routes = claims.source, claims.routes
    sums, _ = claims.sums.by(routes["group"].to_numpy())
    estimates = {"claims": source.per_game(sums["claims"])}
    if source.planning:
        estimates |= {
            "contention": source.per_game(sums["contested"]),
            "denial": source.per_game(sums["denials"]),
        }
    ends = routes.drop_duplicates("group").sort_values("group").reset_index(drop=True)
    keys = ends.assign(players=source.players, routes=ends["ways"], n=source.games)
    most = keys["routes"].to_numpy(float)
    return Measured(keys, estimates, source.blocks, dict.fromkeys(estimates, (0.0, most)))


def measure_cities(claims: Claims) -> Measured:
    source = claims.source
    facts = city_facts(source.edition)
    ends = np.zeros((len(claims.routes), len(facts)))
    for number, route in enumerate(source.edition.routes):
        ends[number, [route.a, route.b]] = 1
    claims_per_game = source.per_game(claims.sums["claims"] @ ends)
    estimates = {
        "claims": claims_per_game,
        "used": derive(lambda count: divide(count, ends.sum(axis=0)), claims_per_game),
    }
    if source.edition.stations:
        stations = source.ask(by_city).spread_over(facts[["city"]])
        estimates["stations"] = source.per_game(stations["stations"])
    bounds = {"claims": (0.0, ends.sum(axis=0)), "stations": (0.0, 1.0)}
    return Measured(facts.assign(players=source.players, n=source.games), estimates, source.blocks, bounds)

"""Claims, contention and lockouts of routes, and load of cities.

Wants are the plans that bots published, so a seat of a bot that publishes none never counts as wanting.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from ttr_sim.analysis.db import Database, Sums, product
from ttr_sim.analysis.jackknife import Estimate, Floats, derive, divide, ratio
from ttr_sim.analysis.tables import TABLES, Measured
from ttr_sim.analysis.thresholds import CONTESTED, HARDLY_FOUGHT, LEAST_SEATS
from ttr_sim.edition.model import Edition
from ttr_sim.edition.statics import statics

CROWDED, QUIET = "crowded on paper, hardly fought over", "quiet on paper, fought over"

BY_ROUTE = """
SELECT claim.grp, claim.players, route, count(*) AS tries, count(*) FILTER (claimed) AS claims,
    sum(turn // claim.players + 1) FILTER (claimed) AS round, sum(win_share) FILTER (claimed) AS wins,
    count(*) FILTER (claimed AND rivals <> 0) AS contested,
    count(*) FILTER (claimed AND rivals <> 0 AND wanted) AS got_n,
    sum(win) FILTER (claimed AND rivals <> 0 AND wanted) AS got_win,
    sum(points) FILTER (claimed AND rivals <> 0 AND wanted) AS got_points
FROM claim JOIN seat USING (run, game, seat) GROUP BY ALL"""
DENIALS = "SELECT grp, players, route, count(*) AS denials FROM denial GROUP BY ALL"
DENIED = """
SELECT denial.grp, denial.players, route, count(*) AS denied_n, sum(win) AS denied_win, sum(points) AS denied_points
FROM denial JOIN seat USING (run, game) WHERE (locked_out >> seat) & 1 = 1 GROUP BY ALL"""
BY_STATION = """
SELECT grp, players, city, count(*) AS stations FROM turns JOIN game USING (run, game) WHERE city IS NOT NULL
GROUP BY ALL"""


def route_facts(edition: Edition) -> pd.DataFrame:
    """One row per route. Identical parallel routes share `twins`."""
    names = [city.name for city in edition.cities]
    groups = [route.group for route in edition.routes]
    looks = [(r.group, r.length, r.color, r.kind, r.locomotives, r.merchandise) for r in edition.routes]
    rows = []
    for row, route in enumerate(edition.routes):
        color = "gray" if route.color is None else edition.colors[route.color].name
        ways, twins = groups.count(route.group), looks.index(looks[row])
        facts = route.length, color, route.kind, route.group, route.copy, ways, twins
        rows.append((row, names[route.a], names[route.b], *facts))
    headings = ["route", "from", "to", "length", "color", "kind", "group", "copy", "ways", "twins"]
    return pd.DataFrame(rows, columns=headings)


class Claims:
    """Sums over the claims of all routes, by player count and route.

    Identical parallel routes share their numbers: a bot that always takes the first of them means nothing by it.
    """

    def __init__(self, games: Database) -> None:
        self.games = games
        facts = route_facts(games.edition)
        keys = product(players=games.counts_with_turns, route=facts["route"])
        self.routes = keys.merge(facts, on="route")
        measures: dict[str, Floats] = {}
        for question in (BY_ROUTE, DENIALS, DENIED):
            measures |= games.sums(question, "players", "route").reindex(keys).arrays
        of_twins, twins = Sums(keys, measures).by(
            players=keys["players"].to_numpy(), twins=self.routes["twins"].to_numpy()
        )
        sizes = np.bincount(twins)[twins]
        self.sums = Sums(keys, {name: array[:, twins] / sizes for name, array in of_twins.arrays.items()})

    def planned_per_game(self, counts: Floats, keys: pd.DataFrame) -> Estimate:
        """Divide by games, without the player counts at which no bot published any wants."""
        known = keys["players"].isin(list(self.games.planning)).to_numpy()
        every = self.games.per_game(counts, keys)
        return replace(
            every, value=np.where(known, every.value, np.nan), deleted=np.where(known, every.deleted, np.nan)
        )


def measure_routes(claims: Claims) -> Measured:
    """Claims, contention and denial of each route, per game.

    Denied seats, and seats that got a route wanted by a rival too, are compared with the mean of the same bot in the
    same seat. Both are descriptions, not effects: luck alone does not decide about a denial.
    """
    sums, games, routes = claims.sums, claims.games, claims.routes
    is_tunnel = (routes["kind"] == "tunnel").to_numpy()
    estimates = {
        "claimed": games.per_game(sums["claims"], routes),
        "round": sums.mean("round", of="claims"),
        "claimer_win_share": sums.mean("wins", of="claims"),
        "given_up": ratio((sums["tries"] - sums["claims"]) * is_tunnel, sums["tries"] * is_tunnel),
        "contention": claims.planned_per_game(sums["contested"], routes),
        "denial": claims.planned_per_game(sums["denials"], routes),
    }
    for who in ("denied", "got"):
        for outcome in ("points", "win"):
            mean = sums.mean(f"{who}_{outcome}", of=f"{who}_n")
            # Of fewer seats the interval would be too narrow.
            estimates[f"{who}_{outcome}"] = replace(mean, groups=np.where(mean.trials < LEAST_SEATS, 1, mean.groups))
    denied = sums.total("denied_n").round().astype(np.int64)
    keys = routes.assign(n=games.games(routes), denied_n=denied)
    return Measured(keys, estimates, games.blocks(keys))


def measure_connections(claims: Claims) -> Measured:
    routes, games = claims.routes, claims.games
    sums, _ = claims.sums.by(players=routes["players"].to_numpy(), group=routes["group"].to_numpy())
    ends = routes.drop_duplicates(["players", "group"])
    keys = sums.keys.merge(ends.assign(routes=ends["ways"]), on=["players", "group"])
    keys = keys.assign(n=games.games(keys))
    estimates = {
        "claims": games.per_game(sums["claims"], keys),
        "contention": claims.planned_per_game(sums["contested"], keys),
        "denial": claims.planned_per_game(sums["denials"], keys),
    }
    most = keys["routes"].to_numpy(float)
    return Measured(keys, estimates, games.blocks(keys), dict.fromkeys(estimates, (0.0, most)))


def measure_cities(claims: Claims) -> Measured:
    """Claims of routes that end in a city, and stations built there, per game."""
    games, edition = claims.games, claims.games.edition
    facts = []
    for city, each in enumerate(edition.cities):
        of_tickets = sum(city in (*ticket.a_cities, *ticket.b_cities) for ticket in edition.tickets)
        ways = sum(city in (route.a, route.b) for route in edition.routes)
        facts.append((city, each.name, of_tickets, ways))
    keys = product(players=games.counts_with_turns, city=range(len(facts)))
    ends = np.zeros((len(claims.routes), len(keys)))
    for number, (players, route) in enumerate(zip(claims.routes["players"], claims.routes["route"], strict=True)):
        first = games.counts_with_turns.index(players) * len(facts)
        cities = edition.routes[route]
        ends[number, [first + cities.a, first + cities.b]] = 1
    claims_per_game = games.per_game(claims.sums["claims"] @ ends, keys)
    estimates = {
        "claims": claims_per_game,
        "used": derive(lambda count: divide(count, ends.sum(axis=0)), claims_per_game),
    }
    if edition.stations:
        stations = games.sums(BY_STATION, "players", "city").reindex(keys)
        estimates["stations"] = games.per_game(stations["stations"], keys)
    bounds = {"claims": (0.0, ends.sum(axis=0)), "stations": (0.0, 1.0)}
    named = keys.merge(pd.DataFrame(facts, columns=["city", "name", "tickets", "ways"]), on="city")
    return Measured(named.assign(n=games.games(named)), estimates, games.blocks(keys), bounds)


def of_board(games: Database) -> dict[str, pd.DataFrame]:
    if not games.counts_with_turns:
        return {}
    claims = Claims(games)
    return {
        "routes": measure_routes(claims).table("routes"),
        "connections": measure_connections(claims).table("connections"),
        "cities": measure_cities(claims).table("cities"),
    }


def loads(edition: Edition, connections: pd.DataFrame) -> pd.DataFrame:
    """Each connection's load on the empty board, and its contention in play."""
    by_group = [(group, load.per_lane, load.crowded) for group, load in enumerate(statics(edition).loads)]
    table = connections.merge(pd.DataFrame(by_group, columns=["group", "load", "crowded"]), on="group")
    is_calm = table["crowded"] & (table["contention_high"] < HARDLY_FOUGHT)
    is_lively = (table["load"] < table["load"].mean()) & (table["contention_low"] >= CONTESTED)
    stands_out = np.select([is_calm, is_lively], [CROWDED, QUIET], "")
    return table.assign(stands_out=stands_out)[TABLES["shape_loads"].column_names]

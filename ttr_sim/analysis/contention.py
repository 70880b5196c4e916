"""Which routes do players fight over, who is locked out, and what is never used?

Wants are the plans that bots published, so contention is measured. A seat whose bot publishes none never counts as
wanting.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from ttr_sim.analysis.facts import city_facts, route_facts
from ttr_sim.analysis.jackknife import Estimate, derive, divide, ratio
from ttr_sim.analysis.source import Source
from ttr_sim.analysis.sums import Measured, stack
from ttr_sim.analysis.tables import CITIES, CONNECTIONS, ROUTES
from ttr_sim.analysis.thresholds import LEAST_SEATS

CLAIMS = """
    CREATE OR REPLACE TEMP TABLE claims AS
    SELECT game, turn, seat, route, claimed, wanted_by FROM turns WHERE route IS NOT NULL
"""
CONTESTED = """
    CREATE OR REPLACE TEMP TABLE contested AS
    SELECT game, turn, seat, route, parallel, ways, wanted_by::INT & ~(1 << seat) AS rivals,
        (wanted_by >> seat) & 1 = 1 AS own
    FROM claims JOIN lanes USING (route) WHERE claimed AND rivals <> 0
"""
# A rival is denied when no parallel route is left to it: there is none, or all are closed with the claim, or the claim
# took the last one. A rival that owns one of them already has what it wanted.
DENIALS = """
    CREATE OR REPLACE TEMP TABLE denials AS
    SELECT game, route, rivals AS denied FROM contested WHERE ways = 1 OR {closed}
    UNION ALL
    SELECT game, last.route, any_value(rivals) & ~bit_or(1 << earlier.seat) AS denied
    FROM (FROM contested WHERE ways > 1 AND NOT {closed}) last
        JOIN (SELECT game, turn, seat, parallel FROM claims JOIN lanes USING (route) WHERE claimed AND ways > 1) earlier
        USING (game, parallel)
    WHERE earlier.turn < last.turn
    GROUP BY game, last.route HAVING count(*) = any_value(ways) - 1 AND denied <> 0
"""
BY_ROUTE = """
    SELECT grp, route, count_if(claimed) AS claims, sum(turn // {players} + 1) FILTER (claimed) AS round,
        sum(share) FILTER (claimed AND (winners >> seat) & 1 = 1) AS wins,
        count(*) AS tries, count_if(NOT claimed) AS given_up
    FROM claims JOIN (SELECT game, grp, winners, share FROM played) USING (game) GROUP BY ALL
"""
BY_CONTESTED = "SELECT grp, route, count(*) AS games FROM contested JOIN played USING (game) GROUP BY ALL"
BY_DENIAL = "SELECT grp, route, count(*) AS games FROM denials JOIN played USING (game) GROUP BY ALL"
BY_DENIED = """
    SELECT grp, route, count(*) AS n, sum(win) AS win, sum(points) AS points
    FROM (SELECT game, route, unnest(range({players})) AS seat, denied FROM denials) JOIN valued USING (game, seat)
    WHERE (denied >> seat) & 1 = 1 GROUP BY ALL
"""
BY_GOT = """
    SELECT grp, route, count(*) AS n, sum(win) AS win, sum(points) AS points
    FROM contested JOIN valued USING (game, seat) WHERE own GROUP BY ALL
"""
BY_STATION = (
    "SELECT grp, city, count(*) AS stations FROM turns JOIN played USING (game) WHERE city IS NOT NULL GROUP BY ALL"
)


class Claims:
    """All sums over claims of one player count, each for all routes.

    Identical parallel routes share their numbers: which of them a bot takes means nothing.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.routes = route_facts(source.edition)
        lanes = self.routes[["route", "group", "ways"]].rename(columns={"group": "parallel"})
        source.add_table("lanes", lanes)
        facts = {"players": source.players, "closed": source.players <= source.edition.closed_up_to_players}
        queries = [sql.format(**facts) for sql in (BY_ROUTE, BY_CONTESTED, BY_DENIAL, BY_DENIED, BY_GOT)]
        tables = [sql.format(**facts) for sql in (CLAIMS, CONTESTED, DENIALS)]
        sums = source.several_sums(
            {query: ["route"] for query in queries}, [*source.expect(by_mix=False).statements, *tables]
        )
        self.claims, self.contested, self.denials, self.denied, self.got = (
            part.spread_over(self.routes[["route"]]).shared_among(self.routes["twins"]) for part in sums
        )


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
    taken, source = claims.claims, claims.source
    is_tunnel = (claims.routes["kind"] == "tunnel").to_numpy()
    estimates = {
        "claimed": source.per_game(taken["claims"]),
        "round": taken.mean("round", of="claims"),
        "claimer_win_share": taken.mean("wins", of="claims"),
        "given_up": ratio(taken["given_up"] * is_tunnel, taken["tries"] * is_tunnel),
    }
    if source.planning:
        estimates |= {
            "contention": source.per_game(claims.contested["games"]),
            "denial": source.per_game(claims.denials["games"]),
            "denied_points": _of_enough(claims.denied.mean("points")),
            "denied_win": _of_enough(claims.denied.mean("win")),
            "got_points": _of_enough(claims.got.mean("points")),
            "got_win": _of_enough(claims.got.mean("win")),
        }
    keys = claims.routes.assign(
        players=source.players, n=source.games, denied_n=claims.denied.total("n").round().astype(np.int64)
    )
    return Measured(keys, estimates, source.blocks)


def _of_enough(mean: Estimate) -> Estimate:
    """Leave out the interval of a mean of so few seats that it would be too sure of itself."""
    return replace(mean, groups=np.where(mean.trials < LEAST_SEATS, 1, mean.groups))


def measure_connections(claims: Claims) -> Measured:
    source, routes = claims.source, claims.routes
    taken, _ = claims.claims.by(routes["group"])
    contested, _ = claims.contested.by(routes["group"])
    denials, _ = claims.denials.by(routes["group"])
    estimates = {"claims": source.per_game(taken["claims"])}
    if source.planning:
        estimates |= {
            "contention": source.per_game(contested["games"]),
            "denial": source.per_game(denials["games"]),
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
    claims_per_game = source.per_game(claims.claims["claims"] @ ends)
    estimates = {
        "claims": claims_per_game,
        "used": derive(lambda count: divide(count, ends.sum(axis=0)), claims_per_game),
    }
    if source.edition.stations:
        stations = source.sums(BY_STATION, ["city"]).spread_over(facts[["city"]])
        estimates["stations"] = source.per_game(stations["stations"])
    bounds = {"claims": (0.0, ends.sum(axis=0)), "stations": (0.0, 1.0)}
    return Measured(facts.assign(players=source.players, n=source.games), estimates, source.blocks, bounds)

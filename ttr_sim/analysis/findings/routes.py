"""Routes: where do players get in each other's way, and what does nobody use?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pandas as pd

from ttr_sim.analysis.findings.finding import Finding, leaders, notable, nothing
from ttr_sim.analysis.findings.words import ends, listed, number, of_those, per_hundred, percent, points, with_players
from ttr_sim.analysis.thresholds import CONTESTED, DENIED, MOST_NAMED, RARELY_CLAIMED, RARELY_VISITED
from ttr_sim.edition.model import Edition


def find(_edition: Edition, tables: Mapping[str, pd.DataFrame]) -> Iterator[Finding]:
    if tables["routes"].empty:
        return
    found = [*_contested(tables["connections"]), *_denied(tables["routes"]), *_dead(tables)]
    quiet = "No connection is fought for often, and no route or city lies dead."
    yield from found or [nothing("routes", "routes", quiet)]


def _contested(connections: pd.DataFrame) -> Iterator[Finding]:
    fought_for = connections[connections["contention_low"] >= CONTESTED]
    for row, counts in leaders(fought_for, "contention", "group"):
        sentence = (
            f"{ends(row)} is fought for most {with_players(counts)}: {of_those(counts, row['players'])}"
            f"{per_hundred(row, 'contention')} it is claimed while another planning seat wants it."
        )
        others = fought_for[(fought_for["players"] == row["players"]) & (fought_for["group"] != row["group"])]
        yield notable("contested_connection", "connections", row, "contention", sentence + _runners_up(others))


def _runners_up(others: pd.DataFrame) -> str:
    names = [ends(row) for _, row in others.sort_values("contention", ascending=False)[: MOST_NAMED - 1].iterrows()]
    if not names:
        return ""
    return f" Next {'comes' if len(names) == 1 else 'come'} {listed(names)}."


def _denied(routes: pd.DataFrame) -> Iterator[Finding]:
    for row, counts in leaders(routes[routes["denial_low"] >= DENIED], "denial", "route"):
        sentence = (
            f"{ends(row)} shuts others out most {with_players(counts)}: {of_those(counts, row['players'])}in "
            f"{percent(row, 'denial')} of the games its claim leaves a planning seat that wanted it no way there. "
            f"Compared with the mean of their bot and seat, those seats end at "
            f"{number(row, 'denied_points', 'points')}, and seats that got it before a rival at "
            f"{points(row['got_points'])} (a description: who is shut out is no matter of chance alone)."
        )
        yield notable("denied_route", "routes", row, "denial", sentence)


def _dead(tables: Mapping[str, pd.DataFrame]) -> Iterator[Finding]:
    """Dead at every player count; the number is from the count with most claims. Parallel routes are judged together,
    as it may be a bot's habit to take the first."""
    yield from _unused(tables, "connections", "group", RARELY_CLAIMED, "dead_connection")
    yield from _unused(tables, "cities", "city", RARELY_VISITED, "dead_city")


def _unused(tables: Mapping[str, pd.DataFrame], name: str, key: str, limit: float, rule: str) -> Iterator[Finding]:
    most = tables[name].sort_values("claims", ascending=False).drop_duplicates(key)
    dead = most[most["claims_high"] < limit].sort_values("claims")
    if dead.empty:
        return
    names = [str(row["name"]) if key == "city" else ends(row) for _, row in dead.iterrows()]
    are, of_first = ("is", ":") if len(dead) == 1 else ("are", f"; {names[0]}")
    sentence = (
        f"{listed(names, MOST_NAMED)} {are} hardly ever used, less than {limit * 100:.0f} times in 100 games at any "
        f"player count{of_first} {per_hundred(dead.iloc[0], 'claims')}."
    )
    yield notable(rule, name, dead.iloc[0], "claims", sentence)

"""What stands out about the board: tickets worth too much or too little, routes fought over or never used."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from ttr_sim.analysis.findings.finding import Finding, Tables, bottom, leaders, notable, nothing, top
from ttr_sim.analysis.ranking import ranked
from ttr_sim.analysis.thresholds import (
    CONTESTED,
    DENIED,
    MOST_NAMED,
    RARELY_CLAIMED,
    RARELY_COMPLETED,
    RARELY_KEPT,
    RARELY_VISITED,
)
from ttr_sim.analysis.words import (
    change,
    ends,
    listed,
    number,
    of_those,
    per_hundred,
    percent,
    points,
    rate,
    with_players,
)


def tickets(tables: Tables, is_race: bool) -> Iterator[Finding]:
    value, tickets = (_named(tables[name], is_race) for name in ("ticket_value", "tickets"))
    value = value[value["players"] == value["players"].min()]  # all together where there are several player counts
    found = [
        *_mispriced(value, "overpriced", is_race),
        *_mispriced(value, "underpriced", is_race),
        *_misleading(value),
    ]
    if not found:
        found = [nothing("tickets", "ticket_value", _ticket_bound(value, is_race))]
    yield from found
    yield from _neglected(tickets, "dealt_kept", RARELY_KEPT, "kept when dealt", "ticket_rarely_kept")
    yield from _neglected(tickets, "completed", RARELY_COMPLETED, "completed when kept", "ticket_rarely_completed")


def _named(tickets: pd.DataFrame, is_race: bool) -> pd.DataFrame:
    """Add a `name`: the ends, and the points where they count."""
    names = tickets["from"] + "–" + tickets["to"]
    return tickets.assign(name=names if is_race else names + " (" + tickets["points"].astype(str) + ")")


def _mispriced(value: pd.DataFrame, verdict: str, is_race: bool) -> Iterator[Finding]:
    rows = value[value["verdict"] == verdict]
    if rows.empty:
        return
    column = "win_effect" if is_race else "points_effect"
    rows = ranked(rows.assign(size=rows[column].abs()), "size")
    row = rows.iloc[0]
    than = "more" if verdict == "overpriced" else "less"
    sentence = (
        f"{_count(len(rows), 'ticket gives', 'tickets give')} clearly {than} than the mean of "
        f"{'its deck' if len(rows) == 1 else 'their deck'}: {listed(rows['name'], MOST_NAMED)}. "
        f"Being dealt {row['name']} changes {_effect(row, is_race)}{_but(row)}."
    )
    yield notable(f"ticket_{verdict}", "ticket_value", row, column, sentence)


def _effect(row: pd.Series, is_race: bool) -> str:
    wins = f"the win share by {change(row, 'win_effect')}"
    if is_race:
        return wins
    effect = f"the final score by {number(row, 'points_effect', 'points')} and {wins}"
    if pd.isna(row["fair_points"]):
        return effect
    return f"{effect}; {number(row, 'fair_points', 'points')} would be its fair value, first-order"


def _but(row: pd.Series) -> str:
    contrary = int(row["contrary"])
    return f"; for {_count(contrary, 'style', 'styles')} it is clearly the other way round" if contrary else ""


def _misleading(value: pd.DataFrame) -> Iterator[Finding]:
    """Find tickets whose keepers win more though being dealt them hurts, or the other way round, both clearly."""
    flatters = (value["kept_win_gap_low"] > 0) & (value["win_effect_high"] < 0)
    slanders = (value["kept_win_gap_high"] < 0) & (value["win_effect_low"] > 0)
    rows = value[flatters | slanders]
    if rows.empty:
        return
    row = top(rows.assign(apart=(rows["kept_win_gap"] - rows["win_effect"]).abs()), "apart")
    than = "more" if row["kept_win_gap"] > 0 else "less"
    sentence = (
        f"Counting wins of those who keep it misleads about {_count(len(rows), 'ticket', 'tickets')}: keepers of "
        f"{row['name']} win {than} than other keepers, yet being dealt it changes the win share by "
        f"{change(row, 'win_effect')}."
    )
    yield notable("naive_misleads", "ticket_value", row, "win_effect", sentence)


def _neglected(tickets: pd.DataFrame, column: str, limit: float, what: str, rule: str) -> Iterator[Finding]:
    for players, rows in tickets[tickets[f"{column}_high"] < limit].groupby("players"):
        row = bottom(rows, column)
        sentence = (
            f"{_count(len(rows), 'ticket is', 'tickets are')} {what} less than {rate(limit)} of the time "
            f"{with_players([int(str(players))])}; least of all {row['name']}, {percent(row, column)}."
        )
        yield notable(rule, "tickets", row, column, sentence)


def _ticket_bound(value: pd.DataFrame, is_race: bool) -> str:
    column = "win_effect" if is_race else "points_effect"
    off = value[[f"{column}_low", f"{column}_high"]].abs().max(axis=1)
    if off.isna().all():
        return "What the tickets are worth cannot be estimated from so few blocks."
    bound = f"{off.max() * 100:.1f} percentage points of win share" if is_race else f"{points(off.max())} points"
    return f"No ticket clearly gives more or less than the mean of its deck; none by more than {bound} either way."


def _count(count: int, one: str, several: str) -> str:
    return f"{count} {one if count == 1 else several}"


def routes(tables: Tables) -> Iterator[Finding]:
    if tables["routes"].empty:
        return
    found = [*_contested(tables["connections"]), *_denied(tables["routes"]), *_dead(tables)]
    quiet = "No connection is fought over often, and no route or city lies dead."
    yield from found or [nothing("routes", "routes", quiet)]


def _contested(connections: pd.DataFrame) -> Iterator[Finding]:
    fought_for = connections[connections["contention_low"] >= CONTESTED]
    for row, counts in leaders(fought_for, "contention", "group"):
        sentence = (
            f"{ends(row)} is fought over most {with_players(counts)}: {of_those(counts, row['players'])}"
            f"{per_hundred(row, 'contention')} it is claimed while another planning seat wants it."
        )
        others = fought_for[(fought_for["players"] == row["players"]) & (fought_for["group"] != row["group"])]
        yield notable("contested_connection", "connections", row, "contention", sentence + _runners_up(others))


def _runners_up(others: pd.DataFrame) -> str:
    names = [ends(row) for _, row in ranked(others, "contention")[: MOST_NAMED - 1].iterrows()]
    if not names:
        return ""
    return f" Next {'comes' if len(names) == 1 else 'come'} {listed(names)}."


def _denied(routes: pd.DataFrame) -> Iterator[Finding]:
    for row, counts in leaders(routes[routes["denial_low"] >= DENIED], "denial", "route"):
        sentence = (
            f"{ends(row)} locks others out most {with_players(counts)}: {of_those(counts, row['players'])}in "
            f"{percent(row, 'denial')} of the games its claim leaves a planning seat that wanted it no other route. "
            f"Compared with the mean of their bot and seat, those seats end at "
            f"{number(row, 'denied_points', 'points')}, and seats that got it before a rival at "
            f"{points(row['got_points'])} (a description: luck alone does not decide who is locked out)."
        )
        yield notable("denied_route", "routes", row, "denial", sentence)


def _dead(tables: Tables) -> Iterator[Finding]:
    """Find what is dead at every player count; the number is from the count with most claims. Parallel routes are
    judged together, as it may be a bot's habit to take the first."""
    yield from _unused(tables, "connections", "group", RARELY_CLAIMED, "dead_connection")
    yield from _unused(tables, "cities", "city", RARELY_VISITED, "dead_city")


def _unused(tables: Tables, name: str, key: str, limit: float, rule: str) -> Iterator[Finding]:
    most = ranked(tables[name], "claims").drop_duplicates(key)
    dead = ranked(most[most["claims_high"] < limit], "claims", ascending=True)
    if dead.empty:
        return
    names = [str(row["name"]) if key == "city" else ends(row) for _, row in dead.iterrows()]
    are, of_first = ("is", ":") if len(dead) == 1 else ("are", f"; {names[0]}")
    sentence = (
        f"{listed(names, MOST_NAMED)} {are} hardly ever used, less than {limit * 100:.0f} times in 100 games at any "
        f"player count{of_first} {per_hundred(dead.iloc[0], 'claims')}."
    )
    yield notable(rule, name, dead.iloc[0], "claims", sentence)

"""What stands out about the board: turn order, routes fought over, what is never used, how games go."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ttr_sim.analysis.findings.finding import Finding, leaders, notable, nothing, top
from ttr_sim.analysis.robustness import Tables, TablesByField, robustness
from ttr_sim.analysis.seats import clearly_off
from ttr_sim.analysis.text import (
    ORDINALS,
    decimal,
    ends,
    listed,
    of_those,
    per_hundred,
    percent,
    ranked,
    wins,
    with_players,
)
from ttr_sim.analysis.thresholds import (
    CONTESTED,
    DECIDED_EARLY,
    DENIED,
    HIDDEN_WINNER,
    MOST_NAMED,
    RARELY_CLAIMED,
    RARELY_VISITED,
    SHARED_WINS,
)

if TYPE_CHECKING:
    from ttr_sim.analysis.text import Row


def turn_order(tables: Tables, others: TablesByField) -> Iterator[Finding]:
    """Describe turn order as a gradient, for the player counts where a seat is clearly off its share."""
    seats = tables["seats"]
    seats = seats.assign(gap=(seats["win_share"] - seats["fair"]).abs().round(9))
    clear = seats[clearly_off(seats)]
    if clear.empty:
        yield nothing("seats", "seats", _seat_bound(seats))
        return
    row = top(clear, "gap")
    gradients = [_gradient(seats[seats["players"] == players]) for players in sorted(set(clear["players"]))]
    is_ahead = bool(row["win_share"] > row["fair"])
    holds = robustness(others, "seats", row, "win_share", float(row["fair"]), is_ahead, _seat_wins)
    sentence = f"Turn order matters. Wins from the first player to the last: {'; '.join(gradients)}."
    yield notable("turn_order", "seats", row, "win_share", sentence, set(clear["players"]), holds)


def _seat_wins(row: Row, column: str) -> str:
    return f"the {ORDINALS[int(row['seat'])]} player wins {percent(row, column)} {with_players([row['players']])}"


def _gradient(seats: pd.DataFrame) -> str:
    """Write `27.3, 25.3, 24.1 and 23.3 % (each ± 0.6) with 4 players, the earlier the better`."""
    in_order = seats.sort_values("seat")
    shares = in_order["win_share"].to_numpy(float)
    half = float((seats["win_share_high"] - seats["win_share_low"]).max()) * 50
    order = _best_of(in_order["win_share_high"].to_numpy(float) >= shares.max())
    if (np.diff(shares) < 0).all():
        order = ", the earlier the better"
    elif (np.diff(shares) > 0).all():
        order = ", the later the better"
    numbers = listed(decimal(share * 100) for share in shares)
    return f"{numbers} % (each ± {decimal(half)}) {with_players(seats['players'])}{order}"


def _best_of(may_be_best: np.ndarray) -> str:
    """Name the players of whom any may do best; nothing where that is all of them."""
    names = [ORDINALS[seat] for seat in np.flatnonzero(may_be_best)]
    if len(names) == len(may_be_best):
        return ""
    return f", the {listed(names)} {'player does' if len(names) == 1 else 'players do'} best"


def _seat_bound(seats: pd.DataFrame) -> str:
    """Say how far off a seat may still be: the farthest end of any interval."""
    ends = seats[["win_share_low", "win_share_high"]]
    if ends.isna().to_numpy().any():
        return "There are too few blocks to say whether turn order matters."
    off = float(ends.sub(seats["fair"], axis=0).abs().to_numpy().max())
    return f"No seat is clearly off its fair share; none is off by more than {off * 100:.1f} percentage points."


def routes(tables: Tables, others: TablesByField) -> Iterator[Finding]:
    if tables["routes"].empty:
        return
    found = [*_contested(tables["connections"], others), *_denied(tables["routes"], others)]
    quiet = "No connection is fought over often, and nobody is often locked out."
    yield from found or [nothing("routes", "routes", quiet)]


def _contested(connections: pd.DataFrame, others: TablesByField) -> Iterator[Finding]:
    fought_over = connections[connections["contention_low"] >= CONTESTED]
    for row, counts in leaders(fought_over, "contention", "group"):
        rows = ranked(fought_over[fought_over["players"] == row["players"]], "contention")
        first, next_ones = _split(rows, "contention")
        sentence = (
            f"{listed(first, MOST_NAMED)} {_are(first)} fought over most {with_players(counts)}: "
            f"{of_those(counts, row['players'])}{per_hundred(row, 'contention')} {_it(row, first)} is claimed while "
            f"a rival wants it.{_runners_up(next_ones) if len(first) == 1 else ''}"
        )
        holds = robustness(others, "connections", row, "contention", CONTESTED, True, per_hundred)
        yield notable("contested_connection", "connections", row, "contention", sentence, counts, holds)


def _it(row: pd.Series, first: list[str]) -> str:
    return "it" if len(first) == 1 else ends(row)


def _are(names: list[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _split(rows: pd.DataFrame, column: str) -> tuple[list[str], list[str]]:
    """Return the names that cannot be told from the first, and the others; rows stand largest first."""
    level = rows[f"{column}_high"] >= rows.iloc[0][f"{column}_low"]
    names = [ends(row) for _, row in rows.iterrows()]
    together = int(level.sum())
    return names[:together], names[together:]


def _runners_up(names: list[str]) -> str:
    if not names:
        return ""
    shown = names[: MOST_NAMED - 1]
    return f" Next {'comes' if len(shown) == 1 else 'come'} {listed(shown)}."


def _denied(routes: pd.DataFrame, others: TablesByField) -> Iterator[Finding]:
    locking = routes[routes["denial_low"] >= DENIED]
    for row, counts in leaders(locking, "denial", "route"):
        rows = ranked(locking[locking["players"] == row["players"]], "denial")
        first, _ = _split(rows, "denial")
        sentence = (
            f"{listed(dict.fromkeys(first), MOST_NAMED)} {'locks' if len(first) == 1 else 'lock'} others out most "
            f"{with_players(counts)}: {of_those(counts, row['players'])}in {percent(row, 'denial')} of the games a "
            f"claim of {ends(row)} leaves a rival who wanted it no parallel route. "
            f"Compared with the mean of their bot and seat, those rivals have {wins(row, 'denied_win')}"
            f"{_of_those_first(row)} (a description, not an effect: luck alone does not decide who is locked out)."
        )
        holds = robustness(others, "routes", row, "denial", DENIED, above=True)
        yield notable("denied_route", "routes", row, "denial", sentence, counts, holds)


def _of_those_first(row: pd.Series) -> str:
    """Return what players have who got the route before a rival; nothing where too few did."""
    return "" if np.isnan(row["got_win"]) else f", and players who got it before a rival have {wins(row, 'got_win')}"


def dead(tables: Tables, others: TablesByField) -> Iterator[Finding]:
    """Find what is dead at every player count; the number is from the count with most claims. Parallel routes are
    judged together, as it may be a bot's habit to take the first."""
    if tables["routes"].empty:
        return
    found = [
        *_unused(tables, others, "connections", "group", RARELY_CLAIMED, "dead_connection"),
        *_unused(tables, others, "cities", "city", RARELY_VISITED, "dead_city"),
    ]
    yield from found or [nothing("dead", "connections", "No connection or city is clearly dead.")]


def _unused(tables: Tables, others: TablesByField, name: str, key: str, limit: float, rule: str) -> Iterator[Finding]:
    every = ranked(tables[name], "claims_high").drop_duplicates(key)
    unused = ranked(every[every["claims_high"] < limit], "claims", ascending=True)
    if unused.empty:
        return
    row = unused.iloc[0]
    names = [str(row["name"]) if key == "city" else ends(row) for _, row in unused.iterrows()]
    are, of_first = ("is", ":") if len(unused) == 1 else ("are", f"; {names[0]}")
    sentence = (
        f"{listed(names, MOST_NAMED)} {are} hardly ever used, fewer than {limit * 100:.0f} times in 100 games at any "
        f"player count{of_first} {per_hundred(row, 'claims')}."
    )
    holds = robustness(others, name, row, "claims", limit, False, per_hundred)
    yield notable(rule, name, row, "claims", sentence, set(tables[name]["players"]), holds)


def shape(tables: Tables, others: TablesByField) -> Iterator[Finding]:
    pace = tables["pace"]
    limits = (("decided", DECIDED_EARLY, False), ("hidden", HIDDEN_WINNER, True), ("shared", SHARED_WINS, True))
    found = [finding for measure, limit, above in limits for finding in _beyond(pace, others, measure, limit, above)]
    quiet = " ".join(_unremarkable(pace, limits)) or "There are too few games to say how they are decided."
    yield from found or [nothing("shape", "pace", quiet)]


SHOWN = 0.0005  # a smaller share would read 0.0 %
USUAL = {
    "decided": "Games are not decided early: at the earliest, the winner leads alone from {share} of the game onward",
    "hidden": "In at most {share} of games, the winner is not ahead in open points at the end",
    "shared": "At most {share} of games end with several winners",
}


def _unremarkable(pace: pd.DataFrame, limits: Iterable[tuple[str, float, bool]]) -> Iterator[str]:
    """Say of each measure what it is where it comes closest to its limit; nothing of what hardly ever happens."""
    for measure, _, above in limits:
        known = pace[(pace["measure"] == measure) & (pace["mean"] >= SHOWN)].dropna(subset=["mean_low"])
        if len(known):
            row = ranked(known, "mean", ascending=not above).iloc[0]
            yield f"{USUAL[measure].format(share=percent(row, 'mean'))}, {with_players([row['players']])}."


RULES = {"decided": "early_decision", "hidden": "hidden_winner", "shared": "shared_wins"}


def _beyond(pace: pd.DataFrame, others: TablesByField, measure: str, limit: float, above: bool) -> Iterator[Finding]:
    """Make one finding for the player counts beyond the limit."""
    rows = pace[pace["measure"] == measure]
    beyond = rows[rows["mean_low"] > limit] if above else rows[rows["mean_high"] < limit]
    if beyond.empty:
        return
    row = ranked(beyond, "mean", ascending=not above).iloc[0]
    sentence = f"{with_players(beyond['players'])}, {_shape_words(pace, row, measure)}"
    if len(beyond) > 1:
        sentence += f" (with {row['players']:.0f}, where it is most marked)"
    holds = robustness(others, "pace", row, "mean", limit, above)
    yield notable(
        RULES[measure], "pace", row, "mean", f"{sentence[0].upper()}{sentence[1:]}.", beyond["players"], holds
    )


def _shape_words(pace: pd.DataFrame, row: pd.Series, measure: str) -> str:
    if measure == "hidden":
        return f"in {percent(row, 'mean')} of the games the winner is not ahead in open points at the end"
    if measure == "shared":
        return f"{percent(row, 'mean')} of the games end with several winners"
    games = float(pace.loc[pace["players"] == row["players"], "n"].max())
    return (
        f"in the {row['n'] / games * 100:.0f} % of games whose winner is ahead in open points at the end, the winner "
        f"has led alone from {percent(row, 'mean')} of the game onward, on average"
    )

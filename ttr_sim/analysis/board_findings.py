"""Notable things about the board: turn order, tickets, routes fought over, dead content, the shape of games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ttr_sim.analysis import thresholds
from ttr_sim.analysis.robustness import (
    DEPENDS,
    HOLDS_ALL,
    Finding,
    Robustness,
    Tables,
    TablesByField,
    notable,
    quiet_finding,
    robustness,
)
from ttr_sim.analysis.standings import clearly_off
from ttr_sim.analysis.text import (
    ORDINALS,
    decimal,
    ends,
    listed,
    number,
    of_those,
    per_hundred,
    percent,
    ranked,
    rate,
    wins,
    with_players,
)
from ttr_sim.analysis.thresholds import MOST_NAMED
from ttr_sim.analysis.tickets import GENEROUS, HIGH, SERIOUS_GRADE, STINGY

if TYPE_CHECKING:
    from ttr_sim.analysis.text import Row

NORMAL_QUANTILE = 1.96  # half an interval in standard errors
WORTH_A_WORD = 1.05  # exaggeration of the largest of a list
SHOWN = 0.0005  # a smaller share would read 0.0 %
# Rules on the shape of games: measure, rule, limit, whether beyond is above, and the words where it is not beyond.
SHAPES = (
    (
        "decided",
        "early_decision",
        thresholds.DECIDED_EARLY,
        False,
        "Games are not decided early: at the earliest, the winner leads alone from {share} of the game onward",
    ),
    (
        "hidden",
        "hidden_winner",
        thresholds.HIDDEN_WINNER,
        True,
        "In at most {share} of games, the winner is not ahead in open points at the end",
    ),
    ("shared", "shared_wins", thresholds.SHARED_WINS, True, "At most {share} of games end with several winners"),
)


def turn_order(tables: Tables, others: TablesByField) -> Iterator[Finding]:
    """Describe turn order as a gradient, for the player counts where a seat is clearly off its share."""
    seats = tables["seats"]
    seats = seats.assign(gap=(seats["win_share"] - seats["fair"]).abs().round(9))
    clear = seats[clearly_off(seats)]
    if clear.empty:
        interval_ends = seats[["win_share_low", "win_share_high"]]
        off = float(interval_ends.sub(seats["fair"], axis=0).abs().to_numpy().max())
        bound = f"No seat is clearly off its fair share; none is off by more than {off * 100:.1f} percentage points."
        if interval_ends.isna().to_numpy().any():
            bound = "There are too few blocks to say whether turn order matters."
        yield quiet_finding("seats", "seats", bound)
        return

    def write(row: Row, column: str) -> str:
        player = f"the {ORDINALS[int(row['seat'])]} player"
        return f"{player} wins {percent(row, column)} {with_players([row['players']])}"

    row = ranked(clear, "gap").iloc[0]
    gradients = [_gradient(seats[seats["players"] == players]) for players in sorted(set(clear["players"]))]
    is_ahead = bool(row["win_share"] > row["fair"])
    holds = robustness(others, "seats", row, "win_share", float(row["fair"]), is_ahead, write)
    sentence = f"Turn order matters. Wins from the first player to the last: {'; '.join(gradients)}."
    yield notable("turn_order", "seats", row, "win_share", sentence, set(clear["players"]), holds)


def _gradient(seats: pd.DataFrame) -> str:
    """Write `27.3, 25.3, 24.1 and 23.3 % (each ± 0.6) with 4 players, the earlier the better`."""
    in_order = seats.sort_values("seat")
    shares = in_order["win_share"].to_numpy(float)
    half = float((seats["win_share_high"] - seats["win_share_low"]).max()) * 50
    may_be_best = [ORDINALS[seat] for seat in np.flatnonzero(in_order["win_share_high"] >= shares.max())]
    if (np.diff(shares) < 0).all():
        order = ", the earlier the better"
    elif (np.diff(shares) > 0).all():
        order = ", the later the better"
    elif len(may_be_best) == len(seats):
        order = ""
    else:
        order = f", the {listed(may_be_best)} {'player does' if len(may_be_best) == 1 else 'players do'} best"
    numbers = listed(decimal(share * 100) for share in shares)
    return f"{numbers} % (each ± {decimal(half)}) {with_players(seats['players'])}{order}"


def tickets(tables: Tables, others: TablesByField, is_race: bool) -> Iterator[Finding]:
    """Classes worth more, tickets worth more or less than their class, neglected ones."""
    value, offered = tables["ticket_value"], tables["tickets"]
    counts = sorted(set(value["players"].astype(int)) - {0})
    value = value[value["players"] == value["players"].min()]  # all together where there are several player counts
    value, offered = (each.assign(name=_names(each, is_race)) for each in (value, offered))
    yield from _classes(value, others, is_race, counts)
    found = [
        finding for verdict in (GENEROUS, STINGY) for finding in _beyond_class(value, others, verdict, is_race, counts)
    ]
    if not found:
        off = value[["excess_low", "excess_high"]].abs().max(axis=1)
        bound = (
            f"No ticket clearly differs from its class by {thresholds.SLIGHT * 100:g} wins in 100; none differs by "
            f"more than {off.max() * 100:.1f}."
        )
        if off.isna().all() or off.max() >= 1:  # an effect of all wins or more says nothing
            bound = "There are too few blocks to estimate what the tickets are worth."
        found = [quiet_finding("tickets", "ticket_value", bound)]
    yield from found
    yield from _neglected(offered, others, "dealt_kept", "kept", "dealt", thresholds.RARELY_KEPT)
    yield from _neglected(offered, others, "completed", "completed", "kept", thresholds.RARELY_COMPLETED)


def _names(tickets: pd.DataFrame, is_race: bool) -> pd.Series:
    """Name tickets by their ends, and the points where they count."""
    names = tickets["from"] + "–" + tickets["to"]
    return names if is_race else names + " (" + tickets["points"].astype(str) + ")"


def _classes(value: pd.DataFrame, others: TablesByField, is_race: bool, counts: Iterable[int]) -> Iterator[Finding]:
    """Report the effect of the high tickets of a deck, before any single one is judged."""
    for deck, rows in value.groupby("deck"):
        high = rows[rows["class"] == HIGH]
        sure = high[(high["class_effect_low"] > 0) | (high["class_effect_high"] < 0)]
        if sure.empty:
            continue
        row = ranked(sure, "win_effect").iloc[0]  # of all with the class's number the one that is named first
        which = "long tickets" if is_race else f"tickets of {high['points'].min():.0f} points and more"
        where = f" of deck {deck}" if value["deck"].nunique() > 1 else ""
        best = ranked(rows[rows["win_effect_low"] > 0], "win_effect")[: MOST_NAMED - 1]
        names = [f"{ticket['name']} {wins(ticket, 'win_effect')}" for _, ticket in best.iterrows()]
        best_of_all = (
            f"Best of all to be dealt: {listed(names)}.{_caveat(rows, 'win_effect')}"
            if names
            else "No single ticket clearly gives wins."
        )
        sentence = (
            f"The {which}{where} give {wins(row, 'class_effect')} to whoever is dealt one, compared with the mean "
            f"ticket of the deck. {best_of_all} Each ticket is judged against its class."
        )
        holds = robustness(others, "ticket_value", row, "class_effect", 0.0, bool(row["class_effect"] > 0), wins)
        yield notable("ticket_class", "ticket_value", row, "class_effect", sentence, counts, holds)


def _beyond_class(
    value: pd.DataFrame, others: TablesByField, verdict: str, is_race: bool, counts: Iterable[int]
) -> Iterator[Finding]:
    """List the tickets of a verdict. Those that depend on who plays get a sentence of their own."""
    rows = value[value["verdict"] == verdict]
    rows = ranked(rows.assign(size=rows["excess"].abs()), "size")
    depends = rows["holds"] == DEPENDS
    for listed_rows in (rows[~depends], rows[depends]):
        if len(listed_rows):
            row = listed_rows.iloc[0]
            sentence = _verdict_sentence(listed_rows, verdict, is_race) + _caveat(value, "excess")
            hold = listed_rows["holds"] == HOLDS_ALL
            if hold.any() and not hold.all():
                rest = "other" if (~hold).sum() == 1 else "others"
                names = listed(listed_rows["name"][hold])
                sentence += f" For {names} this holds no matter who plays; for the {rest} it is not certain."
            instead = robustness(others, "ticket_value", row, "excess", 0.0, bool(row["excess"] > 0), wins)
            of_all = str(row["holds"]) if listed_rows["holds"].nunique() == 1 else None
            holds = Robustness(of_all, instead.contradiction)
            yield notable(f"ticket_{verdict}", "ticket_value", row, "excess", sentence, counts, holds)


def _verdict_sentence(rows: pd.DataFrame, verdict: str, is_race: bool) -> str:
    row = rows.iloc[0]
    serious = rows[rows["grade"] == SERIOUS_GRADE]
    than, adjective = ("more", "generous") if verdict == GENEROUS else ("less", "stingy")
    points = "" if is_race else f" and {number(row, 'points_effect', 'points')}"
    several, their = ("is", "its") if len(rows) == 1 else ("are", "their")
    of_class = f", {wins(row, 'excess')} compared with its class" if row["class_effect"] else ""
    measure = "class" if rows["class_effect"].any() else "deck's mean"  # a deck may be one class
    sentence = (
        f"{_tickets(rows)} {several} too {adjective}, giving {than} than {their} "
        f"{measure}: {listed(rows['name'], MOST_NAMED)}. Being dealt {row['name']} gives "
        f"{wins(row, 'win_effect')}{points} compared with the mean of its deck{of_class}."
    )
    return f"{sentence} Serious: {listed(serious['name'], MOST_NAMED)}." if len(serious) else sentence


def _caveat(rows: pd.DataFrame, column: str) -> str:
    """Write how far the first of a list is likely to be too large, where that is worth a word.

    The factor is the spread seen over the true one.
    """
    value = rows[column].to_numpy(float)
    error = (rows[f"{column}_high"] - rows[f"{column}_low"]).to_numpy(float) / (2 * NORMAL_QUANTILE)
    seen, noise = float(np.nanvar(value)), float(np.nanmean(error**2))
    exaggerated = seen / (seen - noise) if seen > noise else np.inf
    if exaggerated <= WORTH_A_WORD:
        return ""
    times = f"about {decimal(exaggerated)} times as large" if exaggerated < 3 else "by more than these games can tell"
    return f" The first of a list looks larger than it is, here {times}."


def _tickets(rows: pd.DataFrame) -> str:
    return f"{len(rows)} ticket{'' if len(rows) == 1 else 's'}"


def _neglected(
    tickets: pd.DataFrame, others: TablesByField, column: str, rare: str, when: str, limit: float
) -> Iterator[Finding]:
    for players, rows in tickets[tickets[f"{column}_high"] < limit].groupby("players"):
        row = ranked(rows, column, ascending=True).iloc[0]
        sentence = (
            f"{_tickets(rows)} {'is' if len(rows) == 1 else 'are'} {rare} less than {rate(limit)} of the "
            f"time when {when}, {with_players([int(str(players))])}; least often {row['name']}, {percent(row, column)}."
        )
        holds = robustness(others, "tickets", row, column, limit, above=False)
        yield notable(f"ticket_rarely_{rare}", "tickets", row, column, sentence, holds=holds)


def routes(tables: Tables, others: TablesByField) -> Iterator[Finding]:
    """Connections fought over most, and routes that lock others out most."""
    if tables["routes"].empty:
        return
    found = [*_contested(tables["connections"], others), *_denied(tables["routes"], others)]
    quiet = "No connection is fought over often, and nobody is often locked out."
    yield from found or [quiet_finding("routes", "routes", quiet)]


def _contested(connections: pd.DataFrame, others: TablesByField) -> Iterator[Finding]:
    fought_over = connections[connections["contention_low"] >= thresholds.CONTESTED]
    for row, counts in _leaders(fought_over, "contention", "group"):
        first, next_ones = _first_ones(fought_over, row, "contention")
        alone = len(first) == 1
        runners_up = next_ones[: MOST_NAMED - 1]
        following = f" Next {'comes' if len(runners_up) == 1 else 'come'} {listed(runners_up)}." if runners_up else ""
        sentence = (
            f"{listed(first, MOST_NAMED)} {'is' if alone else 'are'} fought over most {with_players(counts)}: "
            f"{of_those(counts, row['players'])}{per_hundred(row, 'contention')} {'it' if alone else ends(row)} is "
            f"claimed while a rival wants it.{following if alone else ''}"
        )
        holds = robustness(others, "connections", row, "contention", thresholds.CONTESTED, True, per_hundred)
        yield notable("contested_connection", "connections", row, "contention", sentence, counts, holds)


def _denied(routes: pd.DataFrame, others: TablesByField) -> Iterator[Finding]:
    locking = routes[routes["denial_low"] >= thresholds.DENIED]
    for row, counts in _leaders(locking, "denial", "route"):
        first, _ = _first_ones(locking, row, "denial")
        lucky = f", and players who got it before a rival have {wins(row, 'got_win')}"
        lucky = "" if np.isnan(row["got_win"]) else lucky
        sentence = (
            f"{listed(dict.fromkeys(first), MOST_NAMED)} {'locks' if len(first) == 1 else 'lock'} others out most "
            f"{with_players(counts)}: {of_those(counts, row['players'])}in {percent(row, 'denial')} of the games a "
            f"claim of {ends(row)} leaves a rival who wanted it no parallel route. "
            f"Compared with the mean of their bot and seat, those rivals have {wins(row, 'denied_win')}"
            f"{lucky} (a description, not an effect: luck alone does not decide who is locked out)."
        )
        holds = robustness(others, "routes", row, "denial", thresholds.DENIED, above=True)
        yield notable("denied_route", "routes", row, "denial", sentence, counts, holds)


def _leaders(rows: pd.DataFrame, column: str, key: str) -> Iterator[tuple[pd.Series, list[int]]]:
    """Yield each leader of any player count: its row where it is most marked, and the counts where it leads."""
    first = ranked(rows, column).drop_duplicates("players")
    for _, led in first.groupby(key, sort=False):
        yield ranked(led, column).iloc[0], [int(players) for players in led["players"]]


def _first_ones(rows: pd.DataFrame, first: pd.Series, column: str) -> tuple[list[str], list[str]]:
    """Names of the rows that are not surely below the first of its player count, and of the others."""
    rows = ranked(rows[rows["players"] == first["players"]], column)
    level = rows[f"{column}_high"] >= rows.iloc[0][f"{column}_low"]
    names = [ends(row) for _, row in rows.iterrows()]
    together = int(level.sum())
    return names[:together], names[together:]


def dead(tables: Tables, others: TablesByField) -> Iterator[Finding]:
    """Content that is dead at every player count. The number is from the count with most claims.

    Parallel routes are judged together, as it may be a bot's habit to take the first.
    """
    if tables["routes"].empty:
        return
    found = []
    for name, key, limit, rule in (
        ("connections", "group", thresholds.RARELY_CLAIMED, "dead_connection"),
        ("cities", "city", thresholds.RARELY_VISITED, "dead_city"),
    ):
        every = ranked(tables[name], "claims_high").drop_duplicates(key)
        unused = ranked(every[every["claims_high"] < limit], "claims", ascending=True)
        if unused.empty:
            continue
        row = unused.iloc[0]
        names = [str(row["name"]) if key == "city" else ends(row) for _, row in unused.iterrows()]
        are, of_first = ("is", ":") if len(unused) == 1 else ("are", f"; {names[0]}")
        sentence = (
            f"{listed(names, MOST_NAMED)} {are} hardly ever used, fewer than {limit * 100:.0f} times in 100 games at "
            f"any player count{of_first} {per_hundred(row, 'claims')}."
        )
        holds = robustness(others, name, row, "claims", limit, False, per_hundred)
        found.append(notable(rule, name, row, "claims", sentence, set(tables[name]["players"]), holds))
    yield from found or [quiet_finding("dead", "connections", "No connection or city is clearly dead.")]


def shape(tables: Tables, others: TablesByField) -> Iterator[Finding]:
    """Games decided early, won from behind, or shared, beyond a limit, or else the measures nearest to it."""
    pace, found, quiet = tables["pace"], [], []
    for measure, rule, limit, above, usual in SHAPES:
        rows = pace[pace["measure"] == measure]
        beyond = rows[rows["mean_low"] > limit] if above else rows[rows["mean_high"] < limit]
        if len(beyond):
            row = ranked(beyond, "mean", ascending=not above).iloc[0]
            sentence = f"{with_players(beyond['players'])}, {_shape_words(pace, row, measure)}"
            if len(beyond) > 1:
                sentence += f" (with {row['players']:.0f}, where it is most marked)"
            holds = robustness(others, "pace", row, "mean", limit, above)
            sentence = f"{sentence[0].upper()}{sentence[1:]}."
            found.append(notable(rule, "pace", row, "mean", sentence, beyond["players"], holds))
        known = rows[rows["mean"] >= SHOWN].dropna(subset=["mean_low"])
        if len(known):
            row = ranked(known, "mean", ascending=not above).iloc[0]
            quiet.append(f"{usual.format(share=percent(row, 'mean'))}, {with_players([row['players']])}.")
    words = " ".join(quiet) or "There are too few games to say how they are decided."
    yield from found or [quiet_finding("shape", "pace", words)]


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

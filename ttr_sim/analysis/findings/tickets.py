"""What stands out about tickets: classes worth more, tickets worth more or less than their class, neglected ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pandas as pd

from ttr_sim.analysis.findings.finding import Finding, bottom, exaggeration, notable, nothing
from ttr_sim.analysis.robustness import (
    DEPENDS,
    HOLDS_ALL,
    Robustness,
    Tables,
    TablesByField,
    contradiction,
    robustness,
)
from ttr_sim.analysis.text import decimal, listed, number, percent, ranked, rate, wins, with_players
from ttr_sim.analysis.thresholds import MOST_NAMED, RARELY_COMPLETED, RARELY_KEPT, SLIGHT
from ttr_sim.analysis.tickets import GENEROUS, HIGH, SERIOUS_GRADE, STINGY

NEGLECT = {"dealt_kept": ("kept", "dealt"), "completed": ("completed", "kept")}  # by column: what is rare, and when
WORTH_A_WORD = 1.05  # exaggeration of the largest of a list


def tickets(tables: Tables, others: TablesByField, is_race: bool) -> Iterator[Finding]:
    value, tickets = (_named(tables[name], is_race) for name in ("ticket_value", "tickets"))
    counts = sorted(set(value["players"].astype(int)) - {0})
    value = value[value["players"] == value["players"].min()]  # all together where there are several player counts
    yield from _classes(value, others, is_race, counts)
    found = [
        finding for verdict in (GENEROUS, STINGY) for finding in _beyond_class(value, others, verdict, is_race, counts)
    ]
    yield from found or [nothing("tickets", "ticket_value", _ticket_bound(value))]
    yield from _neglected(tickets, others, "dealt_kept", RARELY_KEPT)
    yield from _neglected(tickets, others, "completed", RARELY_COMPLETED)


def _named(tickets: pd.DataFrame, is_race: bool) -> pd.DataFrame:
    """Add a `name`: the ends, and the points where they count."""
    names = tickets["from"] + "–" + tickets["to"]
    return tickets.assign(name=names if is_race else names + " (" + tickets["points"].astype(str) + ")")


def _classes(value: pd.DataFrame, others: TablesByField, is_race: bool, counts: Iterable[int]) -> Iterator[Finding]:
    """Report what the high tickets of a deck give, and which tickets give most, before any single one is judged."""
    for deck, rows in value.groupby("deck"):
        high = rows[rows["class"] == HIGH]
        sure = high[(high["class_effect_low"] > 0) | (high["class_effect_high"] < 0)]
        if sure.empty:
            continue
        row = ranked(sure, "win_effect").iloc[0]  # of all with the class's number the one that is named first
        which = "long tickets" if is_race else f"tickets of {high['points'].min():.0f} points and more"
        where = f" of deck {deck}" if value["deck"].nunique() > 1 else ""
        sentence = (
            f"The {which}{where} give {wins(row, 'class_effect')} to whoever is dealt one, compared with the mean "
            f"ticket of the deck. {_best(rows)} Each ticket is judged against its class."
        )
        holds = robustness(others, "ticket_value", row, "class_effect", 0.0, bool(row["class_effect"] > 0), wins)
        yield notable("ticket_class", "ticket_value", row, "class_effect", sentence, counts, holds)


def _best(deck: pd.DataFrame) -> str:
    best = ranked(deck[deck["win_effect_low"] > 0], "win_effect")[: MOST_NAMED - 1]
    names = [f"{row['name']} {wins(row, 'win_effect')}" for _, row in best.iterrows()]
    if not names:
        return "No single ticket clearly gives wins."
    return f"Best of all to be dealt: {listed(names)}.{_caveat(exaggeration(deck, 'win_effect'))}"


def _beyond_class(
    value: pd.DataFrame, others: TablesByField, verdict: str, is_race: bool, counts: Iterable[int]
) -> Iterator[Finding]:
    """List the tickets of a verdict; those that depend on who plays get a sentence of their own."""
    rows = value[value["verdict"] == verdict]
    rows = ranked(rows.assign(size=rows["excess"].abs()), "size")
    depends = rows["holds"] == DEPENDS
    for told in (rows[~depends], rows[depends]):
        if len(told):
            row = told.iloc[0]
            sentence = _sentence(told, verdict, is_race, exaggeration(value, "excess"))
            sentence += _those_that_hold(told)
            instead = contradiction(others, "ticket_value", row, "excess", 0.0, bool(row["excess"] > 0), wins)
            holds = Robustness(str(row["holds"]) if told["holds"].nunique() == 1 else None, instead)
            yield notable(f"ticket_{verdict}", "ticket_value", row, "excess", sentence, counts, holds)


def _those_that_hold(rows: pd.DataFrame) -> str:
    """Name the tickets that hold no matter who plays, where others do not."""
    hold = rows["holds"] == HOLDS_ALL
    if hold.all() or not hold.any():
        return ""
    others = "other" if (~hold).sum() == 1 else "others"
    return f" For {listed(rows['name'][hold])} this holds no matter who plays; for the {others} it is not certain."


def _sentence(rows: pd.DataFrame, verdict: str, is_race: bool, exaggerated: float) -> str:
    row = rows.iloc[0]
    serious = rows[rows["grade"] == SERIOUS_GRADE]
    than, those = ("more", "generous") if verdict == GENEROUS else ("less", "stingy")
    points = "" if is_race else f" and {number(row, 'points_effect', 'points')}"
    several, whose = ("is", "its") if len(rows) == 1 else ("are", "their")
    beside = f", {wins(row, 'excess')} compared with its class" if row["class_effect"] else ""
    measure = "class" if rows["class_effect"].any() else "deck's mean"  # a deck may be one class
    sentence = (
        f"{_count(len(rows), 'ticket')} {several} too {those}, giving {than} than {whose} "
        f"{measure}: {listed(rows['name'], MOST_NAMED)}. Being dealt {row['name']} gives "
        f"{wins(row, 'win_effect')}{points} compared with the mean of its deck{beside}."
    )
    if len(serious):
        sentence += f" Serious: {listed(serious['name'], MOST_NAMED)}."
    return f"{sentence}{_caveat(exaggerated)}"


def _caveat(exaggerated: float) -> str:
    """Return a sentence on how far the first of a list is likely to be too large, where that is worth a word."""
    if exaggerated <= WORTH_A_WORD:
        return ""
    times = f"about {decimal(exaggerated)} times as large" if exaggerated < 3 else "by more than these games can tell"
    return f" The first of a list looks larger than it is, here {times}."


def _count(count: int, one: str) -> str:
    return f"{count} {one}{'' if count == 1 else 's'}"


def _neglected(tickets: pd.DataFrame, others: TablesByField, column: str, limit: float) -> Iterator[Finding]:
    what, when = NEGLECT[column]
    for players, rows in tickets[tickets[f"{column}_high"] < limit].groupby("players"):
        row = bottom(rows, column)
        sentence = (
            f"{_count(len(rows), 'ticket')} {'is' if len(rows) == 1 else 'are'} {what} less than {rate(limit)} of the "
            f"time when {when}, {with_players([int(str(players))])}; least often {row['name']}, {percent(row, column)}."
        )
        holds = robustness(others, "tickets", row, column, limit, above=False)
        yield notable(f"ticket_rarely_{what}", "tickets", row, column, sentence, holds=holds)


def _ticket_bound(value: pd.DataFrame) -> str:
    off = value[["excess_low", "excess_high"]].abs().max(axis=1)
    if off.isna().all() or off.max() >= 1:  # an effect of all wins or more says nothing
        return "There are too few blocks to estimate what the tickets are worth."
    return (
        f"No ticket clearly differs from its class by {SLIGHT * 100:g} wins in 100; none differs by more than "
        f"{off.max() * 100:.1f}."
    )

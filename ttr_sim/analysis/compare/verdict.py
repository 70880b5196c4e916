"""What a comparison comes to, in sentences: whether anything matters, what, how sure it is, what it rests on."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import takewhile
from pathlib import Path

import pandas as pd

from ttr_sim.analysis.compare.comparison import Comparison, enough
from ttr_sim.analysis.compare.holding import holding_sentence
from ttr_sim.analysis.compare.layout import ROUTES, TICKETS, Listing, Number
from ttr_sim.analysis.tables import Unit
from ttr_sim.analysis.text import decimal, ends, listed, ranked
from ttr_sim.analysis.thresholds import FEW_BLOCKS

MOVED = {  # so that no number reads as a count of edits
    "headline numbers": "{} headline numbers",
    "tickets": "the worth of {} tickets",
    "routes": "the use of {} routes",
}
MOST_NAMED = 2  # of a list, for each of its numbers
MOST_CHANGED = 4  # tickets with another value, routes of another length
UNITS: dict[Unit, str] = {"share": " %", "points": " points", "rounds": " rounds"}


def verdict(comparison: Comparison) -> list[str]:
    """Return what a comparison comes to, the most important first."""
    if comparison.same:
        return [_sameness(comparison), _grounds(comparison), *_limits(comparison)]
    return [
        _summary(comparison),
        *_headlines(comparison.headlines),
        *holding_sentence(comparison.headlines, comparison.rivals),
        *_details(comparison),
        _room(comparison),
        _grounds(comparison),
        *_limits(comparison),
    ]


def what_differs(comparison: Comparison) -> list[str]:
    """Return what surely differs, for somebody who knows what was compared."""
    if comparison.same:
        return [_sameness(comparison)]
    return [*_headlines(comparison.headlines), *_details(comparison)] or ["Nothing surely differs."]


def _details(comparison: Comparison) -> Iterator[str]:
    yield from _redone(comparison.tickets, TICKETS, "points", "points")
    yield from _redone(comparison.routes, ROUTES, "length", "spaces")
    yield from _list(comparison.tickets, TICKETS)
    yield from _list(comparison.routes, ROUTES)


def side_names(comparison: Comparison) -> tuple[str, str]:
    """Return how sentences call A and B: by the edition's title or name, as the user called them, or by folder,
    whichever tells them apart."""
    a, b = comparison.a, comparison.b
    pairs = ((a.edition.title, b.edition.title), (a.edition.name, b.edition.name), comparison.called)
    return next((pair for pair in pairs if pair[0] != pair[1]), _folder_names(a.path, b.path))


def _folder_names(a: Path, b: Path) -> tuple[str, str]:
    """Return the ends of two paths from where they part."""
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a.parts, b.parts, strict=False)))
    one, other = (Path(*path.parts[shared:]).as_posix() for path in (a, b))
    return (one, other) if shared < min(len(a.parts), len(b.parts)) else (str(a), str(b))


def _sameness(comparison: Comparison) -> str:
    games = min(comparison.a.finished_games, comparison.b.finished_games)
    return f"Every game is the same: in all {games:,}, every player has the same score, rank, routes and turns."


def _summary(comparison: Comparison) -> str:
    a, b = side_names(comparison)
    tables = {"headline numbers": comparison.headlines, "tickets": comparison.tickets, "routes": comparison.routes}
    counts = {what: int(table["notable"].sum()) for what, table in tables.items()}
    moved = [MOVED[what].format(f"{counts[what]} of {len(table)}") for what, table in tables.items() if counts[what]]
    if counts["headline numbers"]:
        return f"{b} differs from {a} in {listed(moved)}."
    if _is_surely_alike(comparison):
        return f"As a whole, {b} plays like {a}{f', but differs in {listed(moved)}' if moved else ''}."
    found = f"{b} differs from {a} in {listed(moved)}" if moved else f"Nothing clearly differs between {a} and {b}"
    return f"{found}; the headline numbers leave room for a difference, and more games would settle it."


def _is_surely_alike(comparison: Comparison) -> bool:
    """Check that whole intervals lie within what is too small to report."""
    reach = comparison.headlines[["low", "high"]].abs().max(axis=1, skipna=False)
    return bool((reach <= enough(comparison.headlines, comparison.least)).all())


def _headlines(headlines: pd.DataFrame) -> Iterator[str]:
    notable = headlines[headlines["notable"]]
    weight = notable["difference"].abs() / enough(notable, 1.0)
    for _, row in notable.loc[weight.sort_values(ascending=False).index].iterrows():
        yield f"{row['name']}: {_moved(row, '', row['unit'])}."


def _redone(table: pd.DataFrame, listing: Listing, fact: str, unit: str) -> Iterator[str]:
    """Report the tickets with another value and the routes of another length, whether they moved much or little."""
    changed = table[table[f"{fact}_a"] != table[f"{fact}_b"]]
    for _, row in changed[:MOST_CHANGED].iterrows():
        known = [number for number in listing.numbers if pd.notna(row[f"{number.prefix}difference"])]
        numbers = [f"{number.words} {_moved(row, number.prefix, number.unit)}" for number in known]
        which = f"{_which(row, _kind(table))}, {row[f'{fact}_b']} {unit} instead of {row[f'{fact}_a']}"
        if numbers:
            yield f"{which}: {'; '.join(numbers)}."


def _list(table: pd.DataFrame, listing: Listing) -> Iterator[str]:
    """Name the few that moved most, number by number."""
    for number in listing.numbers:
        notable = table[table[number.notable].eq(True)]
        if len(notable):
            largest = ranked(notable.assign(size=notable[f"{number.prefix}difference"].abs()), "size")
            yield _named(largest, listing, number, _kind(table))


def _named(rows: pd.DataFrame, listing: Listing, number: Number, kind: str) -> str:
    shown = [
        f"{_which(row, kind)} {_moved(row, number.prefix, number.unit)}" for _, row in rows[:MOST_NAMED].iterrows()
    ]
    more = f"; and {len(rows) - MOST_NAMED} more" if len(rows) > MOST_NAMED else ""
    return f"{listing.title}, {number.meaning}: {'; '.join(shown)}{more}."


def _which(row: pd.Series, kind: str) -> str:
    return f"{ends(row)} ({row[kind]})" if kind else ends(row)


def _kind(table: pd.DataFrame) -> str:
    """Return the column that tells things of the same ends apart: colors always, decks where there are several."""
    return "color" if "color" in table else "deck" if table["deck"].nunique() > 1 else ""


def _moved(row: pd.Series, prefix: str, unit: Unit) -> str:
    a, b, gap, low, high = (row[f"{prefix}{name}"] for name in ("a", "b", "difference", "low", "high"))
    return (
        f"{written(b, unit)}{UNITS.get(unit, '')} instead of {written(a, unit)} "
        f"({written(gap, unit, '+')}, between {written(low, unit, '+')} and {written(high, unit, '+')})"
    )


def written(value: float, unit: Unit, plus: str = "") -> str:
    """Write shares in percent, and a dash where there is no estimate."""
    if math.isnan(value):
        return "–"
    return decimal(value * 100 if unit == "share" else value, 2 if unit == "number" else 1, plus)


def _room(comparison: Comparison) -> str:
    """Say how large a difference of a win share may have gone unnoticed."""
    headlines = comparison.headlines
    shares = headlines[headlines["name"].str.startswith("Wins") & ~headlines["notable"]]
    reach = shares[["low", "high"]].abs().to_numpy(float).max(initial=0.0)
    least = f"{comparison.least * 100:g}"
    points = "percentage point" if least == "1" else "percentage points"
    rule = (
        f"Reported differences are certain after correction and at least {least} {points} of a share, or {least} % of "
        "any other number."
    )
    if not reach > 0:
        return rule
    return f"{rule} No other win share of a seat or style differs by more than {reach * 100:.1f} percentage points."


def _grounds(comparison: Comparison) -> str:
    players = comparison.a.plan.players
    if comparison.unpaired:
        return (
            f"The runs are not paired ({comparison.unpaired}): the luck of the deal is in every difference, and small "
            f"differences are lost in it. Both were played with {players} players."
        )
    return (
        f"Both were played on the same deals ({comparison.blocks:,}, with {players} players), and differences were "
        "taken deal by deal."
    )


def _limits(comparison: Comparison) -> Iterator[str]:
    if comparison.blocks == 1:
        yield "There is only one block, so there are no intervals."
    elif comparison.blocks < FEW_BLOCKS:
        yield f"There are only {comparison.blocks} blocks, so intervals are wide and rough."
    if comparison.renamed:
        yield _renamed(comparison.renamed)
    for run in (comparison.a, comparison.b):
        planned = run.record.size.games
        if run.finished_games < planned:
            yield f"{run.path} is unfinished: it has {run.finished_games:,} of {planned:,} games."
        if "turns" not in run.plan.tables:
            yield f"{run.path} was logged without turns, so routes cannot be compared."
    if comparison.a.edition.is_race != comparison.b.edition.is_race:
        yield "One edition is a race and the other is not, so their scores are not compared."


def _renamed(renamed: Sequence[tuple[str, str]]) -> str:
    """Chance knows cities by name, so a new name is a new deal."""
    names = listed((f"{old} is now {new}" for old, new in renamed), most=MOST_NAMED)
    return (
        f"Cities were renamed ({names}): tickets are shuffled and ties broken by name, so part of the luck differs too."
    )

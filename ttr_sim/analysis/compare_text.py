"""A comparison in sentences: whether anything matters, how much and how surely, and the grounds it rests on."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

import numpy as np
import pandas as pd

from ttr_sim.analysis.compare import ROUTES, TICKETS, Comparison, Listing, enough
from ttr_sim.analysis.tables import Unit
from ttr_sim.analysis.text import decimal, ends, listed, ranked
from ttr_sim.analysis.thresholds import FEW_BLOCKS
from ttr_sim.analysis.tickets import REVERSED, SAME, UNSURE
from ttr_sim.analysis.verdict import describe

MOST_NAMED = 2  # of a list, for each of its numbers
MOST_CHANGED = 4  # tickets with another value, routes of another length
UNITS: dict[Unit, str] = {"share": " %", "points": " points", "rounds": " rounds"}
HOLDING = {SAME: "the same holds for", UNSURE: "it is not certain for", REVERSED: "the opposite holds for"}


def verdict(comparison: Comparison) -> list[str]:
    """The comparison in sentences, the most important first."""
    if comparison.same:
        games = min(comparison.a.finished_games, comparison.b.finished_games)
        same = f"Every game is the same: in all {games:,}, every player has the same score, rank, routes and turns."
        return [same, *_targets(comparison), *grounds(comparison)]
    sentences = [*_targets(comparison), *_edited(comparison), _summary(comparison)]
    notable = comparison.headlines[comparison.headlines["notable"]]
    weight = notable["difference"].abs() / enough(notable, 1.0)
    for _, row in notable.loc[weight.sort_values(ascending=False).index].iterrows():
        sentences.append(f"{row['name']}: {_moved(row, '', row['unit'])}.")
    holds, parts = robustness_by_headline(comparison), []
    for kind, phrase in HOLDING.items():
        if names := [f"“{name}”" for name in comparison.headlines.loc[holds == kind, "name"]]:
            parts.append(f"{phrase} {listed(names)}")
    if parts:
        sentences.append(f"Among rivals of several styles {'; '.join(parts)}.")
    return [*sentences, *_details(comparison), *grounds(comparison)]


def side_names(comparison: Comparison) -> tuple[str, str]:
    """Display names of A and B, from the first identifier that differs."""
    a, b = comparison.a, comparison.b
    for pair in ((a.edition.title, b.edition.title), (a.edition.name, b.edition.name), comparison.called):
        if pair[0] != pair[1]:
            return pair
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a.path.parts, b.path.parts, strict=False)))
    if shared == min(len(a.path.parts), len(b.path.parts)):
        return str(a.path), str(b.path)
    one, other = (Path(*path.parts[shared:]).as_posix() for path in (a.path, b.path))
    return one, other


def robustness_by_headline(comparison: Comparison) -> pd.Series:
    """How far each notable headline holds among rivals, if they played."""
    headlines, rivals = comparison.headlines, comparison.rivals
    if rivals is None:
        return pd.Series([None] * len(headlines), headlines.index, object)
    among = rivals.set_index("name").reindex(headlines["name"])
    is_above, is_below = (among["low"] > 0).to_numpy(), (among["high"] < 0).to_numpy()
    rises = headlines["difference"] >= 0
    agrees, opposes = np.where(rises, is_above, is_below), np.where(rises, is_below, is_above)
    holds = pd.Series(np.select([agrees, opposes], [SAME, REVERSED], UNSURE), headlines.index, object)
    return holds.where(headlines["notable"], None)


def written(value: float, unit: Unit, plus: str = "") -> str:
    """Write shares in percent, and a dash where there is no estimate."""
    if math.isnan(value):
        return "–"
    return decimal(value * 100 if unit == "share" else value, 2 if unit == "number" else 1, plus)


def _targets(comparison: Comparison) -> Iterator[str]:
    """One word for the targets, then each that changed its state."""
    changes, edition = comparison.targets, comparison.b.edition
    counts = [f"{len(changes.fixed)} fixed", f"{len(changes.worse)} newly missed", f"{len(changes.left)} still missed"]
    if changes.unsure:
        counts.append(f"{len(changes.unsure)} too close to call")
    yield f"{changes.word.capitalize()} for the targets of {side_names(comparison)[0]}: {', '.join(counts)}."
    for word, targets in (("Fixed", changes.fixed), ("Worse", changes.worse), ("Left", changes.left)):
        yield from (f"{word}: {describe(edition, target)}." for target in targets[:MOST_CHANGED])


def _lists(comparison: Comparison) -> tuple[tuple[pd.DataFrame, Listing, str, str], ...]:
    """Tickets and routes, each with the fact that an edit changes and its unit."""
    return (comparison.tickets, TICKETS, "points", "points"), (comparison.routes, ROUTES, "length", "spaces")


def _edited(comparison: Comparison) -> Iterator[str]:
    """Effects of each edit on its own ticket or route, however small."""
    for table, listing, fact, unit in _lists(comparison):
        changed = table[table[f"{fact}_a"] != table[f"{fact}_b"]]
        for _, row in changed[:MOST_CHANGED].iterrows():
            known = [number for number in listing.numbers if pd.notna(row[f"{number.prefix}difference"])]
            moved = "; ".join(f"{number.words} {_moved(row, number.prefix, number.unit)}" for number in known)
            if moved:
                yield f"{_name(row, table)}, {row[f'{fact}_b']} {unit} instead of {row[f'{fact}_a']}: {moved}."


def _summary(comparison: Comparison) -> str:
    (a, b), headlines = side_names(comparison), comparison.headlines
    # In words that keep numbers from reading as counts of edits.
    tables = {
        "{} headline numbers": headlines,
        "the worth of {} tickets": comparison.tickets,
        "the use of {} routes": comparison.routes,
    }
    counts = {words: int(table["notable"].sum()) for words, table in tables.items()}
    moved = listed(words.format(f"{counts[words]} of {len(tables[words])}") for words in tables if counts[words])
    if headlines["notable"].any():
        return f"{b} differs from {a} in {moved}."
    # Alike means that whole intervals lie within differences too small to report.
    reach = headlines[["low", "high"]].abs().max(axis=1, skipna=False)
    if (reach <= enough(headlines, comparison.least)).all():
        return f"As a whole, {b} plays like {a}{f', but differs in {moved}' if moved else ''}."
    found = f"{b} differs from {a} in {moved}" if moved else f"Nothing clearly differs between {a} and {b}"
    return f"{found}; the headline numbers leave room for a difference, and more games would settle it."


def _details(comparison: Comparison) -> Iterator[str]:
    """Other tickets and routes that moved most, and the rule of reporting."""
    for table, listing, fact, _ in _lists(comparison):
        for number in listing.numbers:
            notable = table[table[number.notable].eq(True) & (table[f"{fact}_a"] == table[f"{fact}_b"])]
            largest = ranked(notable.assign(size=notable[f"{number.prefix}difference"].abs()), "size")[:MOST_NAMED]
            shown = [f"{_name(row, table)} {_moved(row, number.prefix, number.unit)}" for _, row in largest.iterrows()]
            more = f"; and {len(notable) - MOST_NAMED} more" if len(notable) > MOST_NAMED else ""
            if shown:
                yield f"{listing.title}, {number.meaning}: {'; '.join(shown)}{more}."
    headlines, least = comparison.headlines, f"{comparison.least * 100:g}"
    rule = (
        f"Reported differences are certain after correction and at least {least} percentage "
        f"point{'' if least == '1' else 's'} of a share, or {least} % of any other number."
    )
    shares = headlines[headlines["name"].str.startswith("Wins") & ~headlines["notable"]]
    reach = shares[["low", "high"]].abs().to_numpy(float).max(initial=0.0)
    unnoticed = f" No other win share of a seat or style differs by more than {reach * 100:.1f} percentage points."
    yield rule + (unnoticed if reach > 0 else "")


def _name(row: pd.Series, table: pd.DataFrame) -> str:
    """Ends of a ticket or route with its color or deck."""
    kind = "color" if "color" in table else "deck" if table["deck"].nunique() > 1 else ""
    return f"{ends(row)} ({row[kind]})" if kind else ends(row)


def _moved(row: pd.Series, prefix: str, unit: Unit) -> str:
    a, b, gap, low, high = (row[f"{prefix}{name}"] for name in ("a", "b", "difference", "low", "high"))
    return (
        f"{written(b, unit)}{UNITS.get(unit, '')} instead of {written(a, unit)} "
        f"({written(gap, unit, '+')}, between {written(low, unit, '+')} and {written(high, unit, '+')})"
    )


def grounds(comparison: Comparison) -> Iterator[str]:
    """How the runs were compared, and warnings about both."""
    players = comparison.a.plan.players
    if comparison.unpaired:
        yield (
            f"The runs are not paired ({comparison.unpaired}): the luck of the deal is in every difference, and small "
            f"differences are lost in it. Both were played with {players} players."
        )
    else:
        yield (
            f"Both were played on the same deals ({comparison.blocks:,}, with {players} players), and differences were "
            "taken deal by deal."
        )
    if comparison.blocks == 1:
        yield "There is only one block, so there are no intervals."
    elif comparison.blocks < FEW_BLOCKS:
        yield f"There are only {comparison.blocks} blocks, so intervals are wide and rough."
    if comparison.renamed:
        # Decks are shuffled by the names of cities, so a new name is a new deal.
        names = listed((f"{old} is now {new}" for old, new in comparison.renamed), most=MOST_NAMED)
        yield (
            f"Cities were renamed ({names}): tickets are shuffled and ties broken by name, so part of the luck "
            "differs too."
        )
    for run in (comparison.a, comparison.b):
        planned = run.record.size.games
        if run.finished_games < planned:
            yield f"{run.path} is unfinished: it has {run.finished_games:,} of {planned:,} games."
        if "turns" not in run.plan.tables:
            yield f"{run.path} was logged without turns, so routes cannot be compared."
    if comparison.a.edition.is_race != comparison.b.edition.is_race:
        yield "One edition is a race and the other is not, so their scores are not compared."

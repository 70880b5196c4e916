"""Two runs compared: everything that is said about them, as one value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ttr_sim.analysis.compare.contrast import (
    are_same_games,
    contrast,
    keep_common_blocks,
    match_styles,
    refuse_nonsense,
    why_unpaired,
)
from ttr_sim.analysis.compare.layout import HEADLINE_COLUMNS, ROUTES, TICKETS, Listing
from ttr_sim.analysis.compare.side import Side, measure
from ttr_sim.analysis.jackknife import Estimate, benjamini_hochberg, holm
from ttr_sim.analysis.source import Source
from ttr_sim.analysis.text import Summary
from ttr_sim.analysis.thresholds import ALPHA
from ttr_sim.edition.canonical import Key, route_keys, ticket_keys
from ttr_sim.edition.diff import differences, renamed_cities, route_ends, ticket_ends
from ttr_sim.run.opened import Run

Contrast = Callable[[Estimate, Estimate], pd.DataFrame]


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(Summary):
    """`unpaired` says why the runs are not paired, and is empty when they are; `same` that every game went the same
    way; `least` is the smallest difference worth reporting: of a share as it is, of any other number as a part of A's.
    `renamed` are cities by their old and new names."""

    a: Run
    b: Run
    unpaired: str
    same: bool
    blocks: int
    least: float
    changes: tuple[str, ...]
    renamed: tuple[tuple[str, str], ...]
    headlines: pd.DataFrame
    tickets: pd.DataFrame
    routes: pd.DataFrame
    rivals: pd.DataFrame | None = None  # the headlines of the same editions played by rivals, if they were
    called: tuple[str, str] = ("", "")  # how the user called both sides

    def _heading(self) -> str:
        return f"Comparison of {self.a.path} with {self.b.path}, {self.blocks:,} blocks"

    def _sentences(self) -> list[str]:
        from ttr_sim.analysis.compare.verdict import verdict  # which knows this class

        return verdict(self)


def compare(a: Run, b: Run, least: float) -> Comparison:
    """Set every number of B against A's; all tests of tickets and routes are corrected as one family."""
    for run in (a, b):
        run.check()
    refuse_nonsense(a, b)
    unpaired = why_unpaired(a, b)
    same, blocks, old, new = _measure(a, b, paired=not unpaired)

    def against(first: Estimate, second: Estimate) -> pd.DataFrame:
        return contrast(first, second, paired=not unpaired)

    headlines = _headlines(old, new, against).assign(players=a.plan.players)
    headlines["p_adjusted"] = holm(headlines["p"])
    headlines["notable"] = _is_notable(headlines, "", enough(headlines, least))
    tickets, routes = _corrected(_tickets_of_both(a, b, old, new, against), _routes_of_both(a, b, old, new, against))
    enough_by_unit = {"share": least, "points": least * abs(old.mean_score)}
    return Comparison(
        a,
        b,
        unpaired,
        same,
        blocks,
        least,
        tuple(changes_between(a, b)),
        tuple(renamed_cities(a.edition, b.edition)),
        headlines[list(HEADLINE_COLUMNS)],
        _judged(tickets, TICKETS, enough_by_unit),
        _judged(routes, ROUTES, enough_by_unit),
    )


def enough(headlines: pd.DataFrame, least: float) -> pd.Series:
    """Return the smallest difference worth reporting of each headline."""
    return least * headlines["a"].abs().where(headlines["unit"] != "share", 1.0)


def _measure(a: Run, b: Run, paired: bool) -> tuple[bool, int, Side, Side]:
    """Return whether all games are the same, the blocks, and both sides: of a pair, on the blocks in common."""
    first, second = Source([a]), Source([b])
    blocks = keep_common_blocks(first, second) if paired else min(first.blocks, second.blocks)
    styles = match_styles(a, b)
    old = measure(first, dict(zip(styles["name"], styles["a"], strict=True)))
    new = measure(second, dict(zip(styles["name"], styles["b"], strict=True)))
    return paired and are_same_games(a, b), blocks, old, new


def _headlines(old: Side, new: Side, against: Contrast) -> pd.DataFrame:
    names = [name for name in old.headlines if name in new.headlines]
    rows = [against(old.headlines[name].estimate, new.headlines[name].estimate) for name in names]
    units = [old.headlines[name].unit for name in names]
    return pd.concat(rows, ignore_index=True).assign(name=names, unit=units)


def _tickets_of_both(a: Run, b: Run, old: Side, new: Side, against: Contrast) -> pd.DataFrame:
    keys, first, second = _common(ticket_keys(a.edition), ticket_keys(b.edition))
    table = _listed(keys, "deck", ticket_ends(a.edition))
    table["points_a"] = [a.edition.tickets[row].points for row in first]
    table["points_b"] = [b.edition.tickets[row].points for row in second]
    table["dealt_a"], table["dealt_b"] = old.dealt[first].astype(np.int64), new.dealt[second].astype(np.int64)
    return _with_numbers(table, old.tickets, new.tickets, (first, second), against)


def _routes_of_both(a: Run, b: Run, old: Side, new: Side, against: Contrast) -> pd.DataFrame:
    keys, first, second = _common(route_keys(a.edition), route_keys(b.edition))
    table = _listed(keys, "color", route_ends(a.edition))
    table["length_a"] = [a.edition.routes[row].length for row in first]
    table["length_b"] = [b.edition.routes[row].length for row in second]
    return _with_numbers(table, old.routes, new.routes, (first, second), against)


def _listed(keys: Sequence[Key], kind: str, ends: Mapping[Key, tuple[str, str]]) -> pd.DataFrame:
    """List what both have, with its ends as A's file orders them."""
    rows = [(*ends[key], *key[2:]) for key in keys]
    return pd.DataFrame(rows, columns=["from", "to", kind, "copy"])


def _common(old: Sequence[Key], new: Sequence[Key]) -> tuple[list[Key], list[int], list[int]]:
    """Return the keys of both, and their rows on either side."""
    rows = {key: row for row, key in enumerate(new)}
    common = [(key, row, rows[key]) for row, key in enumerate(old) if key in rows]
    return [key for key, _, _ in common], [row for _, row, _ in common], [row for _, _, row in common]


def _with_numbers(
    table: pd.DataFrame,
    old: Mapping[str, Estimate],
    new: Mapping[str, Estimate],
    rows: tuple[list[int], list[int]],
    against: Contrast,
) -> pd.DataFrame:
    first, second = (np.array(side, np.int64) for side in rows)
    parts = [
        against(old[prefix].pick(first), new[prefix].pick(second)).add_prefix(prefix) for prefix in old if prefix in new
    ]
    return pd.concat([table, *parts], axis=1)


def _corrected(*tables: pd.DataFrame) -> list[pd.DataFrame]:
    """Correct both lists as one family, so that all of them together seldom raise a false alarm."""
    columns = [(table, name) for table in tables for name in table.columns if name == "p" or name.endswith("_p")]
    sizes = np.cumsum([len(table) for table, _ in columns])
    adjusted = benjamini_hochberg(np.concatenate([table[name].to_numpy(float) for table, name in columns]))
    for (table, name), corrected in zip(columns, np.split(adjusted, sizes[:-1]), strict=True):
        table[f"{name}_adjusted"] = corrected
    return list(tables)


def _judged(table: pd.DataFrame, listing: Listing, least: Mapping[str, float]) -> pd.DataFrame:
    """Judge each number by itself, and the whole row by any of them; numbers that were not measured are missing."""
    flags = {
        number.notable: _is_notable(table, number.prefix, least[number.unit])
        for number in listing.numbers
        if f"{number.prefix}p" in table
    }
    return table.assign(**flags, notable=np.any([*flags.values()], axis=0)).reindex(columns=listing.columns)


def _is_notable(table: pd.DataFrame, prefix: str, least: float | pd.Series) -> pd.Series:
    """Return whether a number surely differs, and by enough."""
    return (table[f"{prefix}p_adjusted"] <= ALPHA) & (table[f"{prefix}difference"].abs() >= least)


def changes_between(a: Run, b: Run) -> Iterator[str]:
    """Yield what is not the same in what two runs played."""
    yield from differences(a.edition, b.edition)
    old, new = a.plan.bots, b.plan.bots
    if len(old) == len(new):
        changed = [pair for pair in zip(old, new, strict=True) if pair[0] != pair[1]]
        yield from (f"bot {after} instead of {before}" for before, after in dict.fromkeys(changed))
    else:
        yield f"bots {', '.join(new)} instead of {', '.join(old)}"
    if a.plan.kernel != b.plan.kernel:
        yield "the program: its engine or its styles were changed between the two runs"
    if old == new and a.plan.tuning != b.plan.tuning:
        yield "bots of the same names, but with other parameters or another file"

"""Tickets and routes of both sides, number by number, and which of them differ for sure and by enough."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd

from ttr_sim.analysis.compare.layout import Listing
from ttr_sim.analysis.compare.side import Side
from ttr_sim.analysis.jackknife import Estimate, benjamini_hochberg
from ttr_sim.analysis.reader import Run
from ttr_sim.analysis.thresholds import ALPHA
from ttr_sim.edition.differences import Key, route_keys, ticket_keys

Contrast = Callable[[Estimate, Estimate], pd.DataFrame]


def tickets_of_both(a: Run, b: Run, old: Side, new: Side, against: Contrast) -> pd.DataFrame:
    keys, first, second = _common(ticket_keys(a.edition), ticket_keys(b.edition))
    table = pd.DataFrame(keys, columns=["from", "to", "deck", "copy"])
    table["points_a"] = [a.edition.tickets[row].points for row in first]
    table["points_b"] = [b.edition.tickets[row].points for row in second]
    table["dealt_a"], table["dealt_b"] = old.dealt[first].astype(np.int64), new.dealt[second].astype(np.int64)
    return _with_numbers(table, old.tickets, new.tickets, (first, second), against)


def routes_of_both(a: Run, b: Run, old: Side, new: Side, against: Contrast) -> pd.DataFrame:
    keys, first, second = _common(route_keys(a.edition), route_keys(b.edition))
    table = pd.DataFrame(keys, columns=["from", "to", "color", "copy"])
    table["length_a"] = [a.edition.routes[row].length for row in first]
    table["length_b"] = [b.edition.routes[row].length for row in second]
    return _with_numbers(table, old.routes, new.routes, (first, second), against)


def _common(old: Sequence[Key], new: Sequence[Key]) -> tuple[list[Key], list[int], list[int]]:
    """Keys of both, and their rows on either side."""
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


def corrected(*tables: pd.DataFrame) -> list[pd.DataFrame]:
    """One family over both lists, so that all of them together seldom raise a false alarm."""
    places = [(table, name) for table in tables for name in table.columns if name == "p" or name.endswith("_p")]
    sizes = np.cumsum([len(table) for table, _ in places])
    adjusted = benjamini_hochberg(np.concatenate([table[name].to_numpy(float) for table, name in places]))
    for (table, name), column in zip(places, np.split(adjusted, sizes[:-1]), strict=True):
        table[f"{name}_adjusted"] = column
    return list(tables)


def judged(table: pd.DataFrame, listing: Listing, least: Mapping[str, float]) -> pd.DataFrame:
    """Each number by itself, and the whole row by any of them; numbers that were not measured are missing."""
    flags = {
        number.notable: is_notable(table, number.prefix, least[number.unit])
        for number in listing.numbers
        if f"{number.prefix}p" in table
    }
    return table.assign(**flags, notable=np.any([*flags.values()], axis=0)).reindex(columns=listing.columns)


def is_notable(table: pd.DataFrame, prefix: str, least: float | pd.Series) -> pd.Series:
    """What surely differs, and by enough."""
    return (table[f"{prefix}p_adjusted"] <= ALPHA) & (table[f"{prefix}difference"].abs() >= least)
